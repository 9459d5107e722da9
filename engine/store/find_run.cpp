#include "engine/store/find_run.h"

#include "engine/store/sql.h"
#include "engine/store/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

namespace switchscope {

namespace {

struct Candidate {
  std::string id;
  std::string name;
  std::string started_at;
};

constexpr std::size_t candidates_shown = 5;

// `condition` uses ?1; newest first, one more than is shown so that "and more" can be said.
std::vector<Candidate> candidates(OpenDatabase& open, const std::string& condition, const std::string& value,
                                  bool among_deleted) {
  SQLite::Statement query(
      open.connection, fmt::format("SELECT id, name, started_at FROM run WHERE ({}) AND (deleted_at IS NOT NULL) = ?2 "
                                   "ORDER BY started_at DESC, id DESC LIMIT {}",
                                   condition, candidates_shown + 1));
  bind_row(query, value, among_deleted ? 1 : 0);
  std::vector<Candidate> found;
  while (query.executeStep()) {
    RowReader row(query);
    Candidate& candidate = found.emplace_back();
    candidate.id = row.text();
    candidate.name = row.text();
    candidate.started_at = row.text();
  }
  return found;
}

std::string listed(const std::vector<Candidate>& found) {
  std::string text;
  for (std::size_t i = 0; i < std::min(found.size(), candidates_shown); ++i) {
    text += "\n  " + found[i].id + "  " + found[i].started_at;
    if (!found[i].name.empty()) text += "  " + found[i].name;
  }
  if (found.size() > candidates_shown) text += "\n  and more";
  return text;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

constexpr const char* any_run = "?1 = ?1";

[[noreturn]] void throw_not_found(OpenDatabase& open, const std::string& reference, bool among_deleted) {
  const auto others = candidates(open, any_run, "", among_deleted);
  const std::string place = fmt::format("{}the database {}", among_deleted ? "the trash of " : "", open.path.string());
  const auto elsewhere = candidates(open, "id = ?1 OR name = ?1", reference, !among_deleted);
  if (!elsewhere.empty() && !among_deleted)
    throw StoreProblem(fmt::format("The run \"{}\" is in the trash. `switchscope-cli restore {}{}` brings it back.",
                                   reference, elsewhere.front().id, database_option(open.path)));
  if (!elsewhere.empty())
    throw StoreProblem(fmt::format("The run \"{}\" is not in the trash, so there is nothing to restore.", reference));
  if (others.empty()) throw StoreProblem(fmt::format("There is no run in {}.", place));
  throw StoreProblem(fmt::format("No run in {} is called \"{}\", and no id begins so. The newest are:{}", place,
                                 reference, listed(others)));
}

} // namespace

std::string find_run(OpenDatabase& open, const std::string& reference, bool among_deleted) {
  if (reference == "last") {
    const auto newest = candidates(open, any_run, "", among_deleted);
    if (newest.empty()) throw_not_found(open, reference, among_deleted);
    return newest.front().id;
  }
  const std::string id = lower(reference);
  if (const auto exact = candidates(open, "id = ?1", id, among_deleted); !exact.empty()) return exact.front().id;

  // substr and not LIKE: the reference may hold % and _.
  const auto begins = reference.empty() ? std::vector<Candidate>{}
                                        : candidates(open, "substr(id, 1, length(?1)) = ?1", id, among_deleted);
  if (begins.size() == 1) return begins.front().id;
  const auto named = candidates(open, "name = ?1 AND name <> ''", reference, among_deleted);
  if (!named.empty()) return named.front().id;
  if (begins.size() > 1)
    throw StoreProblem(
        fmt::format("\"{}\" begins the ids of several runs. Give more of the id:{}", reference, listed(begins)));
  throw_not_found(open, reference, among_deleted);
}

} // namespace switchscope

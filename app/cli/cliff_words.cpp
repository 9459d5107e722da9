#include "app/cli/cliff_words.h"

#include "app/cli/columns.h"
#include "app/cli/wording.h"
#include "engine/model/quantity.h"

#include <fmt/core.h>

#include <algorithm>

namespace switchscope {

namespace {

constexpr std::size_t least_sizes = 4; // of a sweep

std::string label_of(const Curve& curve, const CurveGroups& groups) {
  const auto index = static_cast<std::size_t>(curve.point_indices.front());
  for (const auto& group : groups.curves)
    if (std::find(group.points.begin(), group.points.end(), index) != group.points.end()) return group.label;
  return {};
}

// "rmw: The cost ..."; nothing before it where there is one curve.
std::string labelled(const std::string& label, const std::string& sentence) {
  return label.empty() ? sentence : label + ": " + sentence;
}

std::string level_words(const Cliff& cliff) {
  if (cliff.level && cliff.level->find("TLB") != std::string::npos)
    return fmt::format("the {}, which translates {}", *cliff.level, bytes_text(cliff.cache_bytes.value_or(0)));
  if (cliff.level) return fmt::format("the {} cache of {}", *cliff.level, bytes_text(cliff.cache_bytes.value_or(0)));
  return "no cache known here has that size";
}

void add_without(std::vector<std::string>& sentences, const std::vector<std::string>& labels, std::size_t curves,
                 const std::string& what) {
  constexpr std::size_t most_named = 4;
  if (labels.empty()) return;
  if (labels.size() == curves)
    sentences.push_back(what);
  else if (labels.size() <= most_named)
    sentences.push_back(labelled(joined(labels, "; "), what));
  else
    sentences.push_back(fmt::format("{} of {} curves: {}", labels.size(), curves, what));
}

} // namespace

std::string cliff_sentence(const Cliff& cliff, TaskKind tasks) {
  std::string sentence =
      fmt::format("The cost rises by {} between {} and {} per {}",
                  interval_text(cliff.step_ns, cliff.step_low_ns, cliff.step_high_ns),
                  rounded_bytes_text(cliff.from_bytes), rounded_bytes_text(cliff.to_bytes), name_of(tasks));
  if (!cliff.to_high_bytes) sentence += ", the largest size, where it may still be rising";
  sentence += ": " + level_words(cliff) + '.';
  if (!cliff.reasons.empty()) sentence += " Likely: " + joined(cliff.reasons, " Or: ");
  return sentence;
}

std::vector<std::string> cliff_sentences(const Run& run, const RunEstimates& estimates) {
  std::vector<std::string> sentences;
  std::vector<std::string> without;
  std::vector<std::string> not_judged;
  std::string why_not;
  const CurveGroups groups = group_curves(run.points);
  std::size_t swept = 0;
  for (const CurveCliffs& found : cliffs_of(run, estimates)) {
    if (found.curve.point_indices.size() < least_sizes) continue;
    ++swept;
    const std::string label = label_of(found.curve, groups);
    for (const Cliff& cliff : found.cliffs)
      sentences.push_back(labelled(label, cliff_sentence(cliff, found.curve.tasks)));
    if (!found.not_judged.empty()) {
      not_judged.push_back(label);
      why_not = found.not_judged;
    } else if (found.cliffs.empty()) {
      without.push_back(label);
    }
  }
  add_without(sentences, without, swept, "No cliff seen.");
  add_without(sentences, not_judged, swept, why_not);
  return sentences;
}

} // namespace switchscope

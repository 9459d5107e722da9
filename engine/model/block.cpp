#include "engine/model/block.h"

#include <array>
#include <utility>

namespace switchscope {
namespace {

constexpr std::array phase_names{std::pair{Phase::baseline_a, std::string_view("S2A")},
                                 std::pair{Phase::switching, std::string_view("S1")},
                                 std::pair{Phase::baseline_b, std::string_view("S2B")}};

constexpr std::array set_aside_names{std::pair{SetAside::none, std::string_view("")},
                                     std::pair{SetAside::other_policy, std::string_view("other-policy")},
                                     std::pair{SetAside::contended, std::string_view("contended")},
                                     std::pair{SetAside::clock_moved, std::string_view("clock-moved")},
                                     std::pair{SetAside::stolen, std::string_view("stolen")},
                                     std::pair{SetAside::faulted, std::string_view("faulted")},
                                     std::pair{SetAside::migrated, std::string_view("migrated")},
                                     std::pair{SetAside::involuntary, std::string_view("involuntary")},
                                     std::pair{SetAside::stalled, std::string_view("stalled")},
                                     std::pair{SetAside::throttled, std::string_view("throttled")},
                                     std::pair{SetAside::other_state, std::string_view("other-state")}};

template <class Table, class Value> std::string_view word_of(const Table& table, Value value) {
  for (const auto& [known, word] : table)
    if (known == value) return word;
  return "?";
}

template <class Value, class Table> std::optional<Value> value_of(const Table& table, std::string_view text) {
  for (const auto& [value, word] : table)
    if (word == text) return value;
  return std::nullopt;
}

} // namespace

std::string_view name_of(Phase phase) {
  return word_of(phase_names, phase);
}
std::optional<Phase> parse_phase(std::string_view text) {
  return value_of<Phase>(phase_names, text);
}

std::string_view name_of(SetAside reason) {
  return word_of(set_aside_names, reason);
}
std::optional<SetAside> parse_set_aside(std::string_view text) {
  return value_of<SetAside>(set_aside_names, text);
}

double per_operation_ns(const Block& block) {
  const double switches_per_trip = block.phase == Phase::switching ? 2.0 : 1.0;
  return block.elapsed_ns / (switches_per_trip * static_cast<double>(block.trips));
}

} // namespace switchscope

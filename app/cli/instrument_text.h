// A selftest in words: its own table and verdict, and the line under the table of later runs.
#pragma once

#include "engine/model/instrument_check.h"

#include <optional>
#include <string>

namespace switchscope {

// At most `columns` wide (60 and more); in fewer than 100 without the 95 % intervals. Ends with the verdict and a
// newline.
[[nodiscard]] std::string selftest_text(const InstrumentCheck&, int columns = 100);

// One sentence: "Passed: 1,000 ns read as 998 ns ± 12 ns."
[[nodiscard]] std::string verdict_sentence(const InstrumentCheck&);

// Ends with a newline. "Instrument checked today: 1,000 ns read as 998 ns ± 12 ns.", "... 3 days ago ..."; for a run
// that was not today, how long before it. Both times are UTC texts.
[[nodiscard]] std::string instrument_line(const std::optional<InstrumentCheck>&, const std::string& run_started_at,
                                          const std::string& now, int columns = 100);

} // namespace switchscope

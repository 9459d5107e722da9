// The cliffs of a run in sentences.
#pragma once

#include "engine/analysis/cliffs.h"

#include <string>
#include <vector>

namespace switchscope {

// "The cost rises by 5.5 µs (4.9 to 6.1) between 224 KiB and 416 KiB per process: the L2 of 512 KiB."
[[nodiscard]] std::string cliff_sentence(const Cliff&, TaskKind);

// One for each cliff, begun with what tells its curve from the others; then those without. Curves of fewer than four
// sizes were not swept and are passed over.
[[nodiscard]] std::vector<std::string> cliff_sentences(const Run&, const RunEstimates&);

} // namespace switchscope

// A run as files other programs read. Text only, C locale, raw ns; the documents are described in
// docs/result.schema.json.
#pragma once

#include "engine/analysis/estimate.h"
#include "engine/model/instrument_check.h"
#include "engine/model/run.h"
#include "engine/model/visit.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace switchscope {

// The document of `run --json` and `show --json`. With the last selftest before the run, where there is one.
[[nodiscard]] nlohmann::json result_document(const Run&, const std::vector<Visit>&, const RunEstimates&,
                                             const std::vector<ResumedOn>& = {},
                                             const std::optional<InstrumentCheck>& = std::nullopt);

// One row per point, RFC 4180, units in the header.
[[nodiscard]] std::string points_csv(const Run&, const std::vector<Visit>&, const RunEstimates&);
// One row per stored block, with the external cause for which its pair is not clean (empty: clean) and the state of its
// point: a contended point uses such blocks all the same. Without the blocks of visits that counted events: counting
// disturbs their times.
[[nodiscard]] std::string blocks_csv(const Run&, const std::vector<Visit>&, const RunEstimates&);

} // namespace switchscope

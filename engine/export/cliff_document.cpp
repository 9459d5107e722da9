// The cliffs of the run's curves, and the curves that were not judged.
#include "engine/analysis/cliffs.h"
#include "engine/export/document_parts.h"

namespace switchscope::document {

namespace {

json curve_json(const Run& run, const Curve& curve, const std::vector<Obtained>& obtained) {
  const auto first = static_cast<std::size_t>(curve.point_indices.front());
  return {{"stride_bytes", curve.pattern != Pattern::random ? json(curve.stride_bytes) : json(nullptr)},
          {"access", name_of(curve.access)},
          {"pattern", name_of(curve.pattern)},
          {"mechanism", name_of(curve.mechanism)},
          {"tasks", name_of(curve.tasks)},
          {"kernel", name_of(curve.kernel)},
          {"placement", placement_part(run.points[first], obtained[first])}};
}

json cliff_json(const Cliff& cliff) {
  return {{"level", text_or_null(cliff.level)},
          {"cache_bytes", cliff.cache_bytes ? json(*cliff.cache_bytes) : json(nullptr)},
          {"from_bytes", cliff.from_bytes},
          {"from_low_bytes", cliff.from_low_bytes},
          {"from_high_bytes", cliff.from_high_bytes},
          {"to_bytes", cliff.to_bytes},
          {"to_low_bytes", cliff.to_low_bytes},
          {"to_high_bytes", cliff.to_high_bytes ? json(*cliff.to_high_bytes) : json(nullptr)},
          {"step_ns", number(cliff.step_ns)},
          {"step_low_ns", number(cliff.step_low_ns)},
          {"step_high_ns", number(cliff.step_high_ns)},
          {"reasons", cliff.reasons}};
}

} // namespace

CliffParts cliff_parts(const Run& run, const RunEstimates& estimates, const std::vector<Obtained>& obtained) {
  CliffParts parts;
  for (const auto& found : cliffs_of(run, estimates)) {
    const json curve = curve_json(run, found.curve, obtained);
    if (!found.not_judged.empty()) parts.not_judged.push_back({{"curve", curve}, {"reason", found.not_judged}});
    for (const auto& cliff : found.cliffs) {
      json fields = cliff_json(cliff);
      fields["curve"] = curve;
      parts.cliffs.push_back(std::move(fields));
    }
  }
  return parts;
}

} // namespace switchscope::document

#include "engine/run/visit_assembly.h"

#include "engine/run/printable.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace switchscope {

namespace {

constexpr std::size_t most_blocks = 100'000; // far above any visit; a worker gone wild must not fill our memory

VisitFailure garbage(const std::string& what) {
  return {"garbage",
          fmt::format("The worker answered with {}. Worker and program should come from the same release.", what)};
}

// Pairs 0, 1, 2, ... each with one block of each phase.
bool pairs_complete(const std::vector<Block>& blocks) {
  if (blocks.empty() || blocks.size() % 3 != 0) return false;
  std::vector<std::array<bool, 3>> seen(blocks.size() / 3);
  for (const auto& block : blocks) {
    if (block.pair < 0 || static_cast<std::size_t>(block.pair) >= seen.size()) return false;
    bool& here = seen[static_cast<std::size_t>(block.pair)][static_cast<std::size_t>(block.phase)];
    if (here) return false;
    here = true;
  }
  return true;
}

bool is_paper_round(const std::vector<Block>& blocks) {
  if (blocks.size() != 2 || blocks[0].pair != 0 || blocks[1].pair != 0) return false;
  const bool first_is_single = blocks[0].phase == Phase::baseline_a;
  return first_is_single ? blocks[1].phase == Phase::switching
                         : blocks[0].phase == Phase::switching && blocks[1].phase == Phase::baseline_a;
}

} // namespace

std::optional<VisitOutcome> VisitAssembly::take(const WorkerEvent& event) {
  if (const auto* line = std::get_if<BlockLine>(&event)) {
    if (line->id != id_) return garbage(fmt::format("a block for request {} instead of {}", line->id, id_));
    if (blocks_.size() == most_blocks) return garbage(fmt::format("more than {} blocks", most_blocks));
    blocks_.push_back(line->block);
    return std::nullopt;
  }
  if (const auto* done = std::get_if<Done>(&event)) {
    if (done->id != id_) return garbage(fmt::format("the end of request {} instead of {}", done->id, id_));
    const bool is_paper = method_ == Method::paper;
    if (is_paper ? !is_paper_round(blocks_) : !pairs_complete(blocks_))
      return VisitFailure{"incomplete",
                          fmt::format("The worker said it was done after {} blocks that are not {}.", blocks_.size(),
                                      is_paper ? "one S2A and one S1" : "complete pairs of S2A, S1 and S2B")};
    if (!done->report.checksum_ok)
      return VisitFailure{"checksum", "After the visit the arrays did not hold what the walks must have left, so its "
                                      "times are not those of the walks that were asked for. Check the memory of this "
                                      "machine, and that worker and program come from the same release."};
    return VisitData{done->report, std::move(blocks_)};
  }
  if (const auto* error = std::get_if<WorkerError>(&event)) {
    if (error->id != id_ && error->id != 0)
      return garbage(fmt::format("an error about request {} instead of {}", error->id, id_));
    return VisitFailure{printable(error->code.empty() ? "worker" : error->code, 40), printable(error->message, 1000)};
  }
  return garbage("a line that belongs to the start of a connection, in the middle of a visit");
}

} // namespace switchscope

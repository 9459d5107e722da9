#include "engine/run/recording.h"

#include "engine/run/printable.h"
#include "engine/run/visit_assembly.h"

#include <fmt/core.h>

#include <fstream>

namespace switchscope {

namespace {

using Kind = WorkerProblem::Kind;

std::int64_t id_of(const WorkerEvent& event) {
  if (const auto* block = std::get_if<BlockLine>(&event)) return block->id;
  if (const auto* done = std::get_if<Done>(&event)) return done->id;
  if (const auto* error = std::get_if<WorkerError>(&event)) return error->id;
  return 0;
}

} // namespace

WorkerEvent RecordedLink::next_event() {
  if (next_ == lines_.size())
    throw WorkerProblem(Kind::broken, "The recording ends too early. Record the run again, from its first line on.");
  auto decoded = decode_event(lines_[next_++]);
  if (const auto* problem = std::get_if<DecodeError>(&decoded))
    throw WorkerProblem(Kind::broken, fmt::format("Line {} of the recording is not understood: {}", next_,
                                                  printable(problem->message)));
  return std::get<WorkerEvent>(std::move(decoded));
}

Hello RecordedLink::open() {
  const WorkerEvent first = next_event();
  const auto* hello = std::get_if<Hello>(&first);
  if (hello == nullptr)
    throw WorkerProblem(Kind::broken,
                        "The recording does not begin with a worker's greeting. Record from the first line on.");
  if (hello->protocol != protocol_version)
    throw WorkerProblem(Kind::wrong_version,
                        fmt::format("The recording speaks version {} of the protocol, this program "
                                    "version {}.",
                                    hello->protocol, protocol_version));
  for (;;) {
    const WorkerEvent event = next_event();
    if (std::holds_alternative<Ready>(event)) return *hello;
    if (!std::holds_alternative<Waiting>(event))
      throw WorkerProblem(Kind::broken,
                          fmt::format("Line {} of the recording should say that the worker is ready.", next_));
  }
}

Facts RecordedLink::describe() {
  const WorkerEvent event = next_event();
  if (const auto* facts = std::get_if<Facts>(&event)) return *facts;
  throw WorkerProblem(Kind::broken, fmt::format("Line {} of the recording should describe the machine.", next_));
}

VisitOutcome RecordedLink::measure(const VisitRequest& request) {
  std::optional<VisitAssembly> assembly;
  while (next_ < lines_.size()) {
    if (stopped_.load()) return VisitFailure{"stopped", "The visit was stopped by the user."};
    const auto decoded = decode_event(lines_[next_++]);
    if (const auto* problem = std::get_if<DecodeError>(&decoded))
      return VisitFailure{
          "garbage", fmt::format("Line {} of the recording is not understood: {}", next_, printable(problem->message))};
    const auto& event = std::get<WorkerEvent>(decoded);
    if (!assembly) assembly.emplace(id_of(event), request.point.method);
    if (auto outcome = assembly->take(event)) return std::move(*outcome);
  }
  return VisitFailure{"crashed", "The recording ended before the visit was done."};
}

std::vector<std::string> recorded_lines(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))
    throw WorkerProblem(Kind::missing, fmt::format("The recording {} cannot be read.", path.string()));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (line.size() > max_line_bytes)
      throw WorkerProblem(Kind::broken, fmt::format("Line {} of {} is longer than a worker's lines can be.",
                                                    lines.size() + 1, path.string()));
    if (!line.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

} // namespace switchscope

// A visit as arguments. One list of arguments serves both directions, so none can be forgotten on one side.
#include "engine/model/in_quotes.h"
#include "engine/model/quantity.h"
#include "engine/protocol/messages.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace switchscope {
namespace {

constexpr int highest_cpu = 65535;
constexpr std::int64_t longest_ns = 3'600'000'000'000; // an hour: five times that and more still fits 64 bits

template <class Io, class Request> void arguments_of(Io& io, Request& request) {
  auto& point = request.point;
  io.flag("--counters", request.counters); // first: it stands alone, between pairs of a name and a value
  io.bytes("--size", point.array_bytes);
  io.bytes("--stride", point.stride_bytes);
  io.word("--access", point.access);
  io.word("--pattern", point.pattern);
  io.word("--mechanism", point.mechanism);
  io.word("--tasks", point.tasks);
  io.word("--kernel", point.kernel);
  io.word("--method", point.method);
  io.placement("--cpu", point.placement);
  io.word("--policy", point.policy);
  io.word("--pages", point.pages);
  io.whole("--duration-ns", request.duration_ns, std::int64_t{1}, longest_ns);
  io.whole("--min-pairs", request.min_pairs, 1, 1'000'000);
  io.whole("--block-ns", request.block_ns, std::int64_t{1}, longest_ns);
  io.whole("--seed", request.seed, std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max());
  io.whole("--max-priority", request.max_priority, 1, 99);
  io.bytes("--l2-bytes", request.l2_bytes);
  io.whole("--deadline-ns", request.deadline_ns, std::int64_t{0}, 10 * longest_ns);
  io.word("--kind", request.kind);
  io.whole("--added-ns", request.added_ns, std::int64_t{0}, max_added_ns);
}

template <class Io, class Request> void shares_arguments_of(Io& io, Request& request) {
  constexpr std::int64_t shortest_ns = 100'000'000;
  constexpr std::int64_t ten_seconds_ns = 10'000'000'000;
  io.whole("--cpu", request.cpu, 0, highest_cpu);
  io.cpus("--candidates", request.candidates);
  io.whole("--duration-ns", request.duration_ns, shortest_ns, ten_seconds_ns);
}

struct ArgumentWriter {
  std::vector<std::string> argv;

  void add(std::string_view name, std::string_view value) {
    argv.emplace_back(name);
    argv.emplace_back(value);
  }
  void flag(std::string_view name, bool value) {
    if (value) argv.emplace_back(name);
  }
  void bytes(std::string_view name, std::int64_t value) { add(name, std::to_string(value)); }
  template <class Choice> void word(std::string_view name, Choice value) { add(name, name_of(value)); }
  void placement(std::string_view name, const Placement& value) { add(name, text_of(value)); }
  template <class T> void whole(std::string_view name, T value, T, T) { add(name, std::to_string(value)); }
  void cpus(std::string_view name, const std::vector<int>& values) {
    std::string list;
    for (const int cpu : values) list += (list.empty() ? "" : ",") + std::to_string(cpu);
    add(name, list);
  }
};

class ArgumentReader {
public:
  explicit ArgumentReader(const std::vector<std::string>& argv) : argv_(argv), used_(argv.size(), false) {}

  // To be read before any pair.
  void flag(std::string_view name, bool& value) {
    flags_ += (flags_.empty() ? "" : ", ") + std::string(name);
    const auto times = std::erase(argv_, name);
    used_.resize(argv_.size());
    if (times > 0) value = true;
    if (times > 1) complain("The argument " + std::string(name) + " is given twice; give it once.");
  }

  void bytes(std::string_view name, std::int64_t& value) {
    const std::string* text = value_of(name);
    if (text == nullptr) return;
    const auto parsed = parse_bytes(*text);
    if (const auto* error = std::get_if<ParseError>(&parsed))
      return complain(std::string(name) + ": " + error->message);
    value = std::get<std::int64_t>(parsed);
  }
  template <class Choice> void word(std::string_view name, Choice& value) {
    const std::string* text = value_of(name);
    if (text == nullptr) return;
    const auto parsed = parse_name<Choice>(*text);
    if (!parsed) return wrong(name, names_listed<Choice>(), *text);
    value = *parsed;
  }
  void placement(std::string_view name, Placement& value) {
    const std::string* text = value_of(name);
    if (text == nullptr) return;
    const auto parsed = parse_placement(*text);
    if (!parsed) return wrong(name, "a CPU such as 1, a pair such as 0:1, free or auto", *text);
    value = *parsed;
  }
  template <class T> void whole(std::string_view name, T& value, T low, T high) {
    const std::string* text = value_of(name);
    if (text == nullptr) return;
    T number{};
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
    if (error != std::errc{} || end != text->data() + text->size() || number < low || number > high)
      return wrong(name, "a whole number from " + std::to_string(low) + " to " + std::to_string(high), *text);
    value = number;
  }

  // In the order given: it is the order in which they are tried.
  void cpus(std::string_view name, std::vector<int>& values) {
    const std::string* text = value_of(name);
    if (text == nullptr) return;
    values.clear();
    std::string_view rest = *text;
    for (bool more = true; more;) {
      const std::size_t comma = rest.find(',');
      const std::string_view word = rest.substr(0, comma);
      int cpu = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), cpu);
      if (error != std::errc{} || end != word.data() + word.size() || cpu < 0 || cpu > highest_cpu)
        return wrong(name, "a list of CPUs such as 0,2,3", *text);
      values.push_back(cpu);
      more = comma != std::string_view::npos;
      if (more) rest.remove_prefix(comma + 1);
    }
  }

  // The first thing that is wrong, empty when nothing is.
  [[nodiscard]] std::string problem() const {
    for (std::size_t i = 0; i < argv_.size(); ++i)
      if (!used_[i])
        return "The argument " + in_quotes(argv_[i]) +
               " is not known here; arguments come in pairs of a name and a value, names are " + names_ + "; " +
               flags_ + " stands alone.";
    return problem_;
  }

private:
  const std::string* value_of(std::string_view name) {
    names_ += (names_.empty() ? "" : ", ") + std::string(name);
    const std::string* value = nullptr;
    for (std::size_t i = 0; i < argv_.size(); i += 2) {
      if (argv_[i] != name) continue;
      used_[i] = true;
      if (value != nullptr) complain("The argument " + std::string(name) + " is given twice; give it once.");
      if (i + 1 == argv_.size()) {
        complain("The argument " + std::string(name) + " has no value; write one after it.");
        return nullptr;
      }
      used_[i + 1] = true;
      value = &argv_[i + 1];
    }
    return value;
  }
  void wrong(std::string_view name, const std::string& expected, const std::string& given) {
    complain("The argument " + std::string(name) + " must be " + expected + ", not " + in_quotes(given) + ".");
  }
  void complain(const std::string& sentence) {
    if (problem_.empty()) problem_ = sentence;
  }

  std::vector<std::string> argv_;
  std::vector<bool> used_;
  std::string names_;
  std::string flags_;
  std::string problem_;
};

// What no loop could traverse. Empty when the point can be measured.
std::string problem_of(const Point& point) {
  if (point.method == Method::paper && point.tasks == TaskKind::thread)
    return "The paper's method switches between processes and knows no threads; leave --tasks out.";
  if (point.method == Method::paper && point.pattern != Pattern::strided)
    return "The paper's method knows the pattern strided only; leave --pattern out.";
  if (point.is_direct())
    return point.stride_bytes == 0 ? "" : "The size is 0, so there is nothing to stride over; leave --stride out.";
  if (point.pattern == Pattern::random) {
    if (point.stride_bytes != 0) return "The random pattern takes no stride; leave --stride out.";
    return point.array_bytes % line_bytes == 0
               ? ""
               : "The random pattern visits whole lines; --size must be a multiple of 64 bytes.";
  }
  if (point.array_bytes % element_bytes != 0) return "--size must be a multiple of 8 bytes, the size of one element.";
  if (point.stride_bytes < element_bytes || point.stride_bytes % element_bytes != 0)
    return "--stride must be a multiple of 8 bytes, the size of one element, and at least 8.";
  return point.stride_bytes <= point.array_bytes ? "" : "--stride must not be larger than --size.";
}

// What no machine could measure. Empty when it can be.
std::string problem_of(const VisitRequest& request) {
  if (std::string problem = problem_of(request.point); !problem.empty()) return problem;
  if (request.point.placement.kind == Placement::Kind::automatic)
    return "The worker does not choose a CPU; write --cpu 1, --cpu 0:1 or --cpu free.";
  const std::string kind(name_of(request.kind));
  if (request.kind != VisitKind::cost && request.point.method == Method::paper)
    return "The paper's method measures costs only; leave --kind out.";
  if (request.counters && request.point.method == Method::paper)
    return "The paper's method counts no events; leave --counters out.";
  if (request.kind != VisitKind::cost && !request.point.is_direct())
    return "A visit of the kind " + kind + " takes no data; leave --size and --stride out.";
  if (request.kind != VisitKind::cost && request.counters)
    return "A visit of the kind " + kind + " counts no events; leave --counters out.";
  if (request.added_ns != 0 && request.kind != VisitKind::known_addition)
    return "Only a visit of the kind known-addition adds anything; write --kind known-addition.";
  return {};
}

} // namespace

std::vector<std::string> argv_of(const VisitRequest& request) {
  ArgumentWriter writer;
  arguments_of(writer, request);
  return std::move(writer.argv);
}

std::variant<VisitRequest, DecodeError> parse_argv(const std::vector<std::string>& argv) {
  VisitRequest request;
  ArgumentReader reader(argv);
  arguments_of(reader, request);
  if (std::string problem = reader.problem(); !problem.empty()) return DecodeError{std::move(problem)};
  if (std::string problem = problem_of(request); !problem.empty()) return DecodeError{std::move(problem)};
  return request;
}

std::vector<std::string> argv_of(const SharesRequest& request) {
  ArgumentWriter writer;
  shares_arguments_of(writer, request);
  return std::move(writer.argv);
}

std::variant<SharesRequest, DecodeError> parse_shares_argv(const std::vector<std::string>& argv) {
  SharesRequest request;
  ArgumentReader reader(argv);
  shares_arguments_of(reader, request);
  if (std::string problem = reader.problem(); !problem.empty()) return DecodeError{std::move(problem)};
  if (request.candidates.empty()) return DecodeError{"No candidates are given; write --candidates 0,2 for instance."};
  if (std::find(request.candidates.begin(), request.candidates.end(), request.cpu) != request.candidates.end())
    return DecodeError{"CPU " + std::to_string(request.cpu) + " is among its own candidates; leave it out of them."};
  return request;
}

} // namespace switchscope

// The words for the choices a user makes: one table per choice, used by the command line, the files, the database and
// the protocol.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace switchscope {

enum class Access { read, write, read_modify_write };
enum class Pattern {
  strided, // the paper's: every element once, in k passes m, m+k, m+2k, ...
  sparse,  // one element per stride, one pass
  random,  // whole cache lines in a computed full-period order; takes no stride
};
enum class Kernel { scalar, vector };
enum class Mechanism { pipe };
enum class TaskKind { process, thread };
enum class Policy { automatic, fifo, round_robin, other };
enum class PageMode { base_4k, transparent_huge, hugetlb };
enum class Method {
  paired,
  paper, // as in 2007: three rounds of 10,000 trips, S1 and S2 by different processes, the smallest of each
};

template <class Choice> struct Names; // specialised below: `table` of (value, word)

template <> struct Names<Access> {
  static constexpr std::array table{std::pair{Access::read, "read"}, std::pair{Access::write, "write"},
                                    std::pair{Access::read_modify_write, "rmw"}};
};
template <> struct Names<Pattern> {
  static constexpr std::array table{std::pair{Pattern::strided, "strided"}, std::pair{Pattern::sparse, "sparse"},
                                    std::pair{Pattern::random, "random"}};
};
template <> struct Names<Kernel> {
  static constexpr std::array table{std::pair{Kernel::scalar, "scalar"}, std::pair{Kernel::vector, "vector"}};
};
template <> struct Names<Mechanism> { static constexpr std::array table{std::pair{Mechanism::pipe, "pipe"}}; };
template <> struct Names<TaskKind> {
  static constexpr std::array table{std::pair{TaskKind::process, "process"}, std::pair{TaskKind::thread, "thread"}};
};
template <> struct Names<Policy> {
  static constexpr std::array table{std::pair{Policy::automatic, "auto"}, std::pair{Policy::fifo, "fifo"},
                                    std::pair{Policy::round_robin, "rr"}, std::pair{Policy::other, "other"}};
};
template <> struct Names<PageMode> {
  static constexpr std::array table{std::pair{PageMode::base_4k, "4k"}, std::pair{PageMode::transparent_huge, "thp"},
                                    std::pair{PageMode::hugetlb, "hugetlb"}};
};
template <> struct Names<Method> {
  static constexpr std::array table{std::pair{Method::paired, "paired"}, std::pair{Method::paper, "paper"}};
};

template <class Choice> [[nodiscard]] constexpr std::string_view name_of(Choice choice) {
  for (const auto& [value, word] : Names<Choice>::table)
    if (value == choice) return word;
  return "?";
}

template <class Choice> [[nodiscard]] constexpr std::optional<Choice> parse_name(std::string_view word) {
  for (const auto& [value, text] : Names<Choice>::table)
    if (word == text) return value;
  return std::nullopt;
}

// "read, write or rmw": for messages about a word that is none of these.
template <class Choice> [[nodiscard]] std::string names_listed() {
  std::string listed;
  constexpr std::size_t count = Names<Choice>::table.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) listed += i + 1 == count ? " or " : ", ";
    listed += Names<Choice>::table[i].second;
  }
  return listed;
}

} // namespace switchscope

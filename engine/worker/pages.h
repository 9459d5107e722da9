// A task's array in memory: the page mode asked, the one obtained (read back from the kernel), written and locked.
#pragma once

#include "engine/model/names.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace switchscope {

// Anonymous private memory between two guard zones, so that it is a mapping of its own and an overrun faults.
// Owned by the task that made it (after fork, so that no page is shared with the other).
class Pages {
public:
  // Maps at least `bytes` (one page when 0) in the mode, or in base pages where it cannot be had. Throws VisitProblem
  // ("memory"). Nothing is written yet.
  Pages(std::size_t bytes, PageMode asked);
  ~Pages();
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  [[nodiscard]] double* data() const { return static_cast<double*>(data_); }
  [[nodiscard]] std::size_t mapped_bytes() const { return bytes_; }

  void write_all_pages(); // one byte in each, so that none is the shared page of zeros
  bool lock();            // false where RLIMIT_MEMLOCK does not allow it
  // What the kernel says of the pages, after they were written: fills obtained() and reason().
  void verify();
  [[nodiscard]] PageMode obtained() const { return obtained_; }
  [[nodiscard]] const std::string& reason() const {
    return reason_;
  } // a sentence, empty when it is the mode asked
    // and a base page has 4 KiB

private:
  void* reserved_ = nullptr;
  std::size_t reserved_bytes_ = 0;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  PageMode asked_;
  PageMode obtained_ = PageMode::base_4k;
  std::string reason_;
};

// Why base pages are not the 4 KiB that were asked; empty where they are.
[[nodiscard]] std::string base_page_reason(std::int64_t base_bytes);

// The sentence for arrays that memory cannot hold, empty when it can: two of `array_bytes`, and `other_bytes` beside
// them. Memory that is not told refuses nothing.
[[nodiscard]] std::string memory_refusal(std::int64_t array_bytes, std::int64_t other_bytes,
                                         std::optional<std::int64_t> available_bytes);

} // namespace switchscope

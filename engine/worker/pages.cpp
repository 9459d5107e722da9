#include "engine/worker/pages.h"

#include "engine/model/quantity.h"
#include "engine/worker/failure.h"
#include "engine/worker/proc_counters.h"

#include <cerrno>
#include <sys/mman.h>
#include <unistd.h>

namespace switchscope {
namespace {

std::size_t base_page_bytes() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

std::size_t huge_page_bytes(PageMode mode) {
  std::int64_t bytes = 0;
  if (mode == PageMode::hugetlb) {
    bytes = number_after(file_text("/proc/meminfo"), "Hugepagesize").value_or(0) * 1024;
  } else {
    const std::string text = file_text("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size");
    for (const char digit : text)
      if (digit >= '0' && digit <= '9') bytes = bytes * 10 + (digit - '0');
  }
  return static_cast<std::size_t>(bytes);
}

std::string pool_text() {
  const std::string text = file_text("/proc/sys/vm/nr_hugepages");
  return text.empty() ? "absent" : text.substr(0, text.find('\n')) + " pages";
}

} // namespace

Pages::Pages(std::size_t bytes, PageMode asked) : asked_(asked) {
  std::size_t unit = asked == PageMode::base_4k ? base_page_bytes() : huge_page_bytes(asked);
  PageMode mode = asked;
  if (unit == 0) { // a kernel without them
    reason_ =
        asked == PageMode::hugetlb ? "this kernel has no hugetlb pages" : "this kernel has no transparent huge pages";
    unit = base_page_bytes();
    mode = PageMode::base_4k;
  }
  bytes_ = rounded_up(bytes == 0 ? 1 : bytes, unit);
  // Room to align, and a guard zone on either side.
  reserved_bytes_ = bytes_ + 3 * unit;
  reserved_ = mmap(nullptr, reserved_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved_ == MAP_FAILED) {
    reserved_ = nullptr;
    throw VisitProblem("memory", "no address space for an array of " + bytes_text(static_cast<std::int64_t>(bytes)) +
                                     ": " + error_text(errno) + "; choose a smaller --size");
  }
  const std::uintptr_t aligned = rounded_up(reinterpret_cast<std::uintptr_t>(reserved_) + unit, unit);
  const auto map_there = [&](int extra_flags) {
    return mmap(reinterpret_cast<void*>(aligned), bytes_, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | extra_flags, -1, 0);
  };
  data_ = MAP_FAILED;
  if (mode == PageMode::hugetlb) {
    data_ = map_there(MAP_HUGETLB);
    if (data_ == MAP_FAILED) {
      reason_ = "the hugetlb pool (" + pool_text() + ") has no room for " +
                bytes_text(static_cast<std::int64_t>(bytes_)) + ": raise /proc/sys/vm/nr_hugepages";
      mode = PageMode::base_4k;
    }
  }
  if (data_ == MAP_FAILED) data_ = map_there(0);
  if (data_ == MAP_FAILED) {
    const int error = errno;
    munmap(reserved_, reserved_bytes_);
    throw VisitProblem("memory", "no memory for an array of " + bytes_text(static_cast<std::int64_t>(bytes)) + ": " +
                                     error_text(error) + "; choose a smaller --size");
  }
  if (mode == PageMode::base_4k) madvise(data_, bytes_, MADV_NOHUGEPAGE);
  if (mode == PageMode::transparent_huge) madvise(data_, bytes_, MADV_HUGEPAGE);
}

Pages::~Pages() {
  if (reserved_ != nullptr) munmap(reserved_, reserved_bytes_);
}

void Pages::write_all_pages() {
  volatile char* const bytes = static_cast<char*>(data_);
  for (std::size_t at = 0; at < bytes_; at += base_page_bytes()) bytes[at] = 1;
}

bool Pages::lock() {
  return mlock(data_, bytes_) == 0;
}

void Pages::verify() {
  const std::string smaps = file_text("/proc/self/smaps");
  const std::string_view mapping = mapping_at(smaps, reinterpret_cast<std::uintptr_t>(data_));
  const std::int64_t size_kb = number_after(mapping, "Size").value_or(0);
  const std::int64_t huge_kb = number_after(mapping, "AnonHugePages").value_or(0);
  const std::int64_t page_kb = number_after(mapping, "KernelPageSize").value_or(0);
  const bool is_hugetlb = page_kb * 1024 > static_cast<std::int64_t>(base_page_bytes());
  obtained_ = is_hugetlb                          ? PageMode::hugetlb
              : huge_kb > 0 && huge_kb >= size_kb ? PageMode::transparent_huge
                                                  : PageMode::base_4k;
  if (asked_ == PageMode::base_4k && obtained_ == asked_)
    reason_ = base_page_reason(static_cast<std::int64_t>(base_page_bytes()));
  if (obtained_ == asked_ || !reason_.empty()) return;
  if (mapping.empty())
    reason_ = "/proc/self/smaps cannot be read, so the page mode could not be verified";
  else
    reason_ = "the kernel gave huge pages for " + bytes_text(huge_kb * 1024) + " of " + bytes_text(size_kb * 1024) +
              ": see /sys/kernel/mm/transparent_hugepage/enabled and free memory";
}

std::string base_page_reason(std::int64_t base_bytes) {
  if (base_bytes == 4096) return {};
  return "this kernel's base page is " + bytes_text(base_bytes) + ", not 4 KiB";
}

std::string memory_refusal(std::int64_t array_bytes, std::int64_t other_bytes,
                           std::optional<std::int64_t> available_bytes) {
  // Everything else the worker maps is small beside this margin.
  constexpr std::int64_t margin_bytes = 64 << 20;
  if (!available_bytes || array_bytes == 0) return {};
  if (array_bytes <= (*available_bytes - margin_bytes - other_bytes) / 2) return {};
  return "two arrays of " + bytes_text(array_bytes) + " do not fit into the " +
         bytes_text(*available_bytes >> 20 << 20) + " of memory that are available: choose a smaller --size";
}

} // namespace switchscope

// The kernel's own text files that a visit needs: read whole, parsed by pure functions over their text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace switchscope {

[[nodiscard]] std::string file_text(const char* path); // empty when it cannot be read

// The number after "Name:" in /proc/meminfo, /proc/<pid>/smaps and their like, whatever its unit.
[[nodiscard]] std::optional<std::int64_t> number_after(std::string_view text, std::string_view name);

// Ticks of the steal column of /proc/stat, summed over the CPUs; all of them when `cpus` is empty.
[[nodiscard]] std::int64_t steal_ticks(std::string_view proc_stat, const std::vector<int>& cpus);
// Ticks of the columns of /proc/stat in which the CPU ran something; absent when the CPU has no line.
[[nodiscard]] std::optional<std::int64_t> busy_ticks(std::string_view proc_stat, int cpu);
// Sum of the columns of /proc/interrupts that belong to the CPUs; of all columns when `cpus` is empty.
[[nodiscard]] std::int64_t interrupt_count(std::string_view proc_interrupts, const std::vector<int>& cpus);

// The lines of /proc/self/smaps about the mapping that holds the address; empty when there is none.
[[nodiscard]] std::string_view mapping_at(std::string_view smaps, std::uintptr_t address);

// "root", or "user 1000" where /etc/passwd does not name it. (The C library's lookup needs shared libraries.)
[[nodiscard]] std::string user_name(std::string_view passwd, unsigned user_id);

} // namespace switchscope

#include "engine/model/run_id.h"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <system_error>

namespace switchscope {

namespace {

constexpr std::size_t time_bytes = 6;
constexpr std::size_t random_bytes = 10;
constexpr std::size_t id_characters = 26; // 130 bits for 128: the first character holds three bits

// std::random_device may be seeded alike in two processes on some libraries; the kernel's source is not.
void fill_random(std::uint8_t* bytes, std::size_t count) {
  std::size_t filled = 0;
  while (filled < count) {
    const ssize_t got = getrandom(bytes + filled, count - filled, 0);
    if (got > 0)
      filled += static_cast<std::size_t>(got);
    else if (errno != EINTR)
      throw std::system_error(errno, std::generic_category(), "No random bytes for the id of a run");
  }
}

} // namespace

std::string new_run_id() {
  constexpr char digits[] = "0123456789abcdefghjkmnpqrstvwxyz";
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(since_1970).count();

  std::array<std::uint8_t, time_bytes + random_bytes> bytes{};
  for (std::size_t i = 0; i < time_bytes; ++i)
    bytes[i] = static_cast<std::uint8_t>((milliseconds >> (8 * (time_bytes - 1 - i))) & 0xff);
  fill_random(bytes.data() + time_bytes, random_bytes);

  std::string id;
  unsigned pending = 0;
  int pending_bits = 2; // two leading zero bits make 128 bits a whole number of digits
  for (const std::uint8_t byte : bytes) {
    pending = (pending << 8 | byte) & 0xfff;
    pending_bits += 8;
    while (pending_bits >= 5) {
      pending_bits -= 5;
      id += digits[(pending >> pending_bits) & 31];
    }
  }
  static_assert(id_characters * 5 == 2 + 8 * (time_bytes + random_bytes));
  return id;
}

} // namespace switchscope

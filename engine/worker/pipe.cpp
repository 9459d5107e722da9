#include "engine/worker/pipe.h"

#include "engine/worker/failure.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace switchscope {

Pipe::Pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw VisitProblem("pipe", "cannot make a pipe: " + error_text(errno) +
                                   "; raise the limit of open files, or close other programs");
  ends_ = {ends[0], ends[1]};
}

Pipe::~Pipe() {
  close_read();
  close_write();
}

void Pipe::close_read() {
  if (const int end = std::exchange(ends_.read_end, -1); end >= 0) close(end);
}

void Pipe::close_write() {
  if (const int end = std::exchange(ends_.write_end, -1); end >= 0) close(end);
}

} // namespace switchscope

// A pipe whose ends are closed with it, or one by one where a process has no use for an end.
#pragma once

#include "engine/worker/task_work.h"

namespace switchscope {

class Pipe {
public:
  Pipe(); // throws VisitProblem ("pipe")
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] const PipeEnds& ends() const { return ends_; }
  [[nodiscard]] int read_end() const { return ends_.read_end; }
  [[nodiscard]] int write_end() const { return ends_.write_end; }
  void close_read();
  void close_write();

private:
  PipeEnds ends_;
};

} // namespace switchscope

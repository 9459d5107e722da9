// store_probe read|write FILE: opens a database as whoever runs this, and prints how many runs it lists, or the
// sentence. `write` also stores one run.
#include "engine/model/run_id.h"
#include "engine/store/store.h"

#include <iostream>
#include <string_view>

int main(int count, char** arguments) {
  using namespace switchscope;
  if (count != 3) return 2;
  const bool write = std::string_view(arguments[1]) == "write";
  try {
    Store store(arguments[2], write ? Store::Access::read_write : Store::Access::read_only);
    if (write) {
      Run run;
      run.id = new_run_id();
      run.started_at = "2026-11-30T19:22:00.123Z";
      run.plan.sizes_bytes = {0};
      run.points = {Point{}};
      store.append(RunStarted{run});
    }
    std::cout << store.list().size() << " runs\n";
    return 0;
  } catch (const StoreProblem& problem) {
    std::cout << problem.what() << '\n';
    return 5;
  }
}

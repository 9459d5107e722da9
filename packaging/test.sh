#!/bin/bash
# Installs what the tests need, builds, and runs every test: as users build it, under the sanitizers, for arm64, fuzzed.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/packages.sh

refresh_lists_when_needed
# The format is that of clang-format 14: other versions break lines elsewhere.
# shellcheck disable=SC2046,SC2086
install_packages $build_packages $test_packages $(boost_packages) $(first_offered clang-format-14 clang-format)

mkdir -p build/logs
began=$SECONDS
stage() { # stage NAME COMMAND...: quiet unless it fails
  local name=$1 log="build/logs/$1.log" since=$SECONDS
  shift
  if "$@" >"$log" 2>&1; then
    say "$(printf '%-28s ok    %4d s' "$name" $((SECONDS - since)))"
  else
    tail -n 60 "$log" >&2
    die "$name failed; the whole output is in $log."
  fi
}

build() { cmake --preset "$1" && cmake --build --preset "$1"; }

# Every skipped test with its reason, from the log that ctest leaves.
skips_of() {
  awk '/^[0-9]+\/[0-9]+ Testing: /{test=$3} /: Skipped$/{getline reason; print "SKIP  " test ": " reason}' \
    "build/$1/Testing/Temporary/LastTest.log" | sort -u
}

tests() { # tests PRESET CTEST-ARGUMENTS...
  local preset=$1 since=$SECONDS
  shift
  ctest --preset "$preset" --parallel "$(nproc)" "$@" >"build/logs/ctest-$preset.log" 2>&1 || {
    grep -vE '^ *[0-9]+/[0-9]+ Test .*Passed' "build/logs/ctest-$preset.log" >&2
    die "Tests failed in the $preset build."
  }
  say "$(printf '%-28s ok    %4d s' "tests of $preset" $((SECONDS - since)))"
}

formatted() { git ls-files '*.cpp' '*.h' | xargs clang-format-14 --dry-run -Werror; }

if command -v clang-format-14 >/dev/null; then stage format formatted
else say "format                       SKIP  clang-format 14 is not offered here"; fi
stage build-ci build ci
tests ci
stage build-asan build asan
tests asan -LE "measuring|statistics"
stage build-tsan build tsan
tests tsan -R '^WorkerProcess|^ServeLink|^LaunchThread|^Concurrency'
stage worker-for-arm64 build arm64-worker
stage build-fuzz build fuzz
for fuzzer in build/fuzz/bin/fuzz_*; do
  name=$(basename "$fuzzer")
  mkdir -p "build/fuzz/corpus/$name"
  stage "$name" "$fuzzer" -max_total_time=6 -verbosity=0 "build/fuzz/corpus/$name" "tests/fuzz/corpus/${name#fuzz_}"
done

say ""
for preset in ci asan tsan; do
  sed -n '/% tests passed/p;/^Total Test time/p' "build/logs/ctest-$preset.log" | sed "s/^/$preset: /"
  skips_of "$preset"
done
say "All of it took $((SECONDS - began)) s."
sed -n '/% tests passed/p' build/logs/ctest-ci.log

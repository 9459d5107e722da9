#!/bin/sh
# Installs what is missing, builds a release, and opens the workbench; without a display it measures the L2 cliff here.
#   packaging/run.sh            as above
#   packaging/run.sh ARGS...    builds, then runs switchscope-cli with these arguments
set -eu
caller=$PWD
cd "$(dirname "$0")/.."
. packaging/packages.sh

refresh_lists_when_needed
# shellcheck disable=SC2046,SC2086
install_packages $build_packages $(boost_packages)

say "Building (a few minutes the first time)."
mkdir -p build
if ! { cmake --preset release && cmake --build --preset release; } >build/release.log 2>&1; then
  tail -n 40 build/release.log >&2
  die "The build failed; the whole output is in build/release.log."
fi

cli=build/release/bin/switchscope-cli
if [ $# -gt 0 ]; then
  cli=$PWD/$cli
  cd "$caller" # relative names among the arguments are meant from there
  exec "$cli" "$@"
fi

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && [ -x build/release/bin/switchscope ]; then
  exec build/release/bin/switchscope
fi

say "Measuring what a context switch costs on this machine, for about a minute."
"$cli" run --preset l2-cliff >build/last-run.txt
"$cli" show last --plot
say "Look again with: $cli show last --plot     All runs: $cli list"

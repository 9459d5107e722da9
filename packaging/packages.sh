# shellcheck shell=sh disable=SC2034
# What Switchscope is built from, by the names apt knows. Sourced by run.sh and test.sh.
# Works on Debian 12, Debian 13 and Ubuntu 24.04: only Boost carries its version in its name.

build_packages="g++ cmake ninja-build pkg-config libsqlite3-dev libsqlitecpp-dev libhwloc-dev nlohmann-json3-dev libcli11-dev libfmt-dev zlib1g-dev"
test_packages="libgtest-dev libbenchmark-dev clang libclang-rt-dev g++-aarch64-linux-gnu libcap2-bin util-linux binutils sqlite3 python3 python3-jsonschema bzip2"

say() { printf '%s\n' "$*" >&2; }

die() {
  say "$*"
  exit 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1; then
    sudo "$@"
  else
    die "Packages are missing and neither root nor sudo is at hand. As root, run: $*"
  fi
}

is_installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }
is_offered() { apt-cache policy "$1" 2>/dev/null | grep -v '(none)' | grep 'Candidate:' >/dev/null; }

# The oldest Boost that has Process v2, under whatever name apt offers; one that is installed already is kept. From 1.86 on
# Process is a library with a package of its own.
boost_packages() {
  for known in is_installed is_offered; do
    for minor in $(seq 81 99); do
      version=1.$minor
      $known "libboost$version-dev" || continue
      echo "libboost$version-dev"
      if is_offered "libboost-process$version-dev"; then echo "libboost-process$version-dev"; fi
      return
    done
  done
  echo libboost-dev
}

# The first of these names that is installed or offered.
first_offered() {
  for package in "$@"; do
    if is_installed "$package" || is_offered "$package"; then echo "$package"; return; fi
  done
  echo "$1"
}

# install_packages NAME...: installs what is missing, asks nothing.
install_packages() {
  command -v apt-get >/dev/null 2>&1 || die "apt-get is not here. Install these by hand, then build with cmake --preset release: $*"
  missing=""
  for package in "$@"; do is_installed "$package" || missing="$missing $package"; done
  [ -z "$missing" ] && return 0
  say "Installing:$missing"
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086 # names, separated by blanks
  as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
    die "apt could not install:$missing. Read what it says above, mend it, and start this script again."
}

# Package lists may be empty on a fresh machine; look-ups need them.
refresh_lists_when_needed() {
  command -v apt-get >/dev/null 2>&1 || return 0
  is_offered libcli11-dev && return 0
  say "Reading the package lists."
  as_root apt-get update -qq || die "apt-get update failed. Check the network, then start this script again."
}

#!/bin/sh
# Copies programs and libraries, and what they need beyond the packages of the base image, below a folder:
#   collect-programs.sh FOLDER FILE_WITH_PACKAGES_OF_BASE PROGRAM_OR_LIBRARY…
# What they need are the libraries that ldd names. The license of each package comes with them, and its entry for
# vulnerability scanners (/var/lib/dpkg/status.d, as in distroless images).
set -eu
target=$1 base=$2
shift 2

# Debian 12 merges /lib into /usr/lib; packages still name either.
owner() {
  dpkg-query -S "$1" 2>/dev/null || dpkg-query -S "${1#/usr}"
}

# The path by which the file is known, with the folder that it is really in.
located() {
  echo "$(readlink -f "$(dirname "$1")")/$(basename "$1")"
}

copy() {
  mkdir -p "$target$(dirname "$1")"
  cp -a "$1" "$target$1"
}

# A library may be known by a link to a link, also by way of /etc/alternatives.
copy_links() {
  path=$(located "$1")
  while [ -L "$path" ]; do
    copy "$path"
    next=$(readlink "$path")
    case $next in
      /*) path=$(located "$next") ;;
      *) path=$(located "$(dirname "$path")/$next") ;;
    esac
  done
  copy "$path"
}

copy_records() {
  [ -e "$target/var/lib/dpkg/status.d/$1" ] && return
  mkdir -p "$target/usr/share/doc/$1" "$target/var/lib/dpkg/status.d"
  cp -L "/usr/share/doc/$1/copyright" "$target/usr/share/doc/$1/copyright"
  dpkg-query -s "$1" > "$target/var/lib/dpkg/status.d/$1"
}

for name in "$@"; do
  file=$(command -v "$name")
  echo "$file"
  ldd "$file" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p'
done | sort -u | while read -r file; do
  package=$(owner "$(readlink -f "$file")" | sed -n '1s/[,:].*//p')
  grep -qx "$package" "$base" && continue
  copy_links "$file"
  copy_records "$package"
done

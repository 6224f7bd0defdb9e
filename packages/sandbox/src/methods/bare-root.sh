# Runs a command in a file system that holds only what the arguments name; is the first process of mount and process namespaces of its own and stays
# it, with rights that the command lacks: whatever the command does, all processes of the namespace die with this one.
#   sh bare-root.sh ROOT_OR_USER UMOUNT DIRECTORY... -- LINK_TARGET LINK... -- PROGRAM_FILE... -- INPUT_SOURCE INPUT... -- [WORK_SOURCE WORK] -- DEVICE... -- COMMAND...
# Writes "started" to descriptor 3 just before the command. bwrap(1) is what does this where it is installed.
set -eu
umask 022
drops=$1 umount=$2
shift 2

# Nothing a command needs lies below /sys, so that it can be covered.
new=/sys
mount -t tmpfs -o mode=755,nosuid,nodev,size=1m sandbox $new
cd $new
start=/

take() { # the words up to --, each given to a function
  each=$1 count=$2
  shift 2
  taken=0
  while [ "$1" != -- ]; do
    if [ "$count" = 1 ]; then $each "$1"; else $each "$1" "$2"; fi
    shift "$count"
    taken=$((taken + count))
  done
}
place() { if [ -d "$1" ]; then mkdir -p ".$2"; else : > ".$2"; fi; }
directory() { mkdir -p ".$1"; }
link() { ln -s "$1" ".$2"; }
program() { place "$1" "$1"; mount -o bind,ro,nosuid,nodev "$1" ".$1"; }
input() { place "$1" "$2"; mount -o bind,ro,nosuid,nodev,noexec "$1" ".$2"; }
work() { start=$2; mkdir -p ".$2"; mount -o bind,nosuid,nodev,noexec "$1" ".$2"; }
device() { # of a folder of devices, all that are in it
  case $1 in */*) mkdir -p "dev/${1%/*}" ;; esac
  if [ -d "/dev/$1" ]; then mkdir -p "dev/$1"; else : > "dev/$1"; fi
  mount -o bind,nosuid,noexec "/dev/$1" "dev/$1"
}

take directory 1 "$@"; shift $((taken + 1))
take link 2 "$@"; shift $((taken + 1))
take program 1 "$@"; shift $((taken + 1))
take input 2 "$@"; shift $((taken + 1))
take work 2 "$@"; shift $((taken + 1))
mkdir proc dev old
mount -t proc -o nosuid,nodev,noexec proc proc
for name in null zero full random urandom; do device $name; done
take device 1 "$@"; shift $((taken + 1))
ln -s /proc/self/fd dev/fd
mount -o remount,bind,ro,nosuid,nodev .

pivot_root . old
cd /
"$umount" -l /old
cd "$start"
# No namespaces inside this one. Root does it after it has become another user.
if [ "$drops" = user ]; then echo 0 > /proc/sys/user/max_user_namespaces; fi
code=0
(
  echo started >&3
  exec "$@" 3>&-
) || code=$?
exit "$code"

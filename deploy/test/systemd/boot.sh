#!/bin/bash
# Boots systemd with one unit of ours, as root: in namespaces of its own, on a copy of this machine's file system that
# is kept in memory.
#   boot.sh REPOSITORY FOLDER UNIT
# Writes the process id of that systemd to FOLDER/pid. Leaves nothing behind when it is ended by SIGTERM.
set -eu
repository=$1 folder=$2 unit=$3

outside() {
  mkdir "$folder/cgroups"
  mount -t cgroup2 cgroup2 "$folder/cgroups"
  group="$folder/cgroups/reelgraph-test-$$"
  mkdir "$group"
  (
    echo $BASHPID > "$group/cgroup.procs"
    exec unshare --mount --pid --fork --uts --ipc --net --cgroup --kill-child \
      bash "$0" "$repository" "$folder" "$unit" inside
  ) &
  init=$!
  trap 'kill -KILL $init' TERM
  until children=$(cat "/proc/$init/task/$init/children") && [ -n "$children" ]; do sleep 0.1; done
  echo "${children% }" > "$folder/pid"
  wait $init || true
  wait $init || true
  until find "$group" -depth -type d -exec rmdir {} + 2> /dev/null; do sleep 0.1; done
}

inside() {
  mount --make-rprivate /
  mount -t tmpfs -o size=4g tmpfs "$folder/changes"
  mkdir "$folder"/changes/{system,system-work,program,program-work}
  root="$folder/root"
  overlay "$root" / system
  mount -t proc proc "$root/proc"
  mount -t sysfs sysfs "$root/sys"
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
  mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  for device in null zero full random urandom tty; do
    touch "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
  done
  mkdir "$root/dev/pts" "$root/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
  ln -s pts/ptmx "$root/dev/ptmx"
  ln -s /proc/self/fd "$root/dev/fd"
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
  mount -t tmpfs -o mode=755 tmpfs "$root/run"
  mkdir -p "$root/opt/reelgraph"
  overlay "$root/opt/reelgraph" "$repository" program
  install_platform "$root"
  ip link set lo up
  cd "$root"
  mkdir old-root
  pivot_root . old-root # and not chroot, in which nobody can make a user namespace
  umount --lazy /old-root
  exec env -i container=unshare PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit="$unit"
}

overlay() {
  local changes="$folder/changes"
  mount -t overlay overlay -o "lowerdir=$2,upperdir=$changes/$3,workdir=$changes/$3-work" "$1"
}

# What an installed package has: the program, its user and its settings.
install_platform() {
  mkdir -p "$1/opt/reelgraph/bin" "$1/etc/reelgraph" "$1/etc/systemd/system"
  ln -s ../node_modules/node/bin/node "$1/opt/reelgraph/bin/node"
  printf '#!/bin/sh\nexec /opt/reelgraph/bin/node /opt/reelgraph/server/src/main.ts "$@"\n' \
    > "$1/opt/reelgraph/bin/reelgraph-server"
  chmod 755 "$1/opt/reelgraph" "$1/opt/reelgraph/bin/reelgraph-server"
  chroot "$1" useradd --system --home-dir /var/lib/reelgraph --shell /usr/sbin/nologin reelgraph
  printf 'DEMO=off\nSANDBOX=require\nRTMP_PORT=off\n' > "$1/etc/reelgraph/reelgraph.env"
  cp "$repository"/deploy/systemd/*.service "$1/etc/systemd/system/"
  head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n' > "$1/etc/machine-id"
}

if [ "${4:-outside}" = inside ]; then
  inside
else
  mkdir "$folder/changes" "$folder/root"
  outside
fi

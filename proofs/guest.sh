#!/bin/sh
# Attacks on the sandbox in a Debian 12 with control groups v2, which QEMU emulates:
#
#   sudo sh proofs/guest.sh target/dist/dicehill FOLDER [kvm]
#
# `dicehill doctor` runs as root and as an ordinary user, each with and without a group of its own, and under the hardening of
# packaging/systemd/dicehill.service. Prints a line for each: attacks, open and unknown ones, the processor time of the relays, and how
# much the memory of the kernel (Slab) grew at most. Ends with status 1 if an attack is open. It takes debootstrap,
# qemu-system-x86_64 and mke2fs, and half an hour without `kvm`. FOLDER keeps the system for the next time.
set -eu
program=$(realpath "$1")
accelerator=${3:-tcg,thread=multi}
project=$(realpath "$(dirname "$0")/..")
mkdir -p "$2"
cd "$2"

if ! [ -e system.complete ]; then
    debootstrap --variant=minbase \
        --include=systemd,systemd-sysv,dbus,libpam-systemd,python3-minimal,linux-image-cloud-amd64 bookworm system
    chroot system useradd --create-home --uid 1000 ada
    chroot system useradd --system --home-dir /var/lib/dicehill dicehill
    touch system.complete
fi
install -m 755 "$program" system/usr/bin/dicehill
install -m 644 "$project/packaging/systemd/dicehill.service" system/etc/systemd/system/

cat > system/inside.sh <<'INSIDE'
exec > /dev/ttyS1 2>&1
slab() { awk '/^Slab/ { print $2 }' /proc/meminfo; }
attacked() {
    echo "CASE $1"
    shift
    before=$(slab)
    (most=0; while :; do now=$(slab); [ "$now" -gt "$most" ] && most=$now && echo "$most" > /run/most; sleep 0.2; done) 2> /dev/null &
    sampler=$!
    "$@" || :
    kill $sampler
    echo
    echo "SLAB $before $(cat /run/most)"
}
run() { systemd-run --quiet --wait --pipe "$@"; }
user="--uid=ada --working-directory=/home/ada --setenv=HOME=/home/ada"
attacked 'root with a group' run --property=Delegate=yes dicehill doctor --format json
attacked 'user with a group' run $user --property=Delegate=yes dicehill doctor --format json
attacked 'root without a group' run sh -c 'dicehill doctor --format json; :'
attacked 'user without a group' run $user sh -c 'dicehill doctor --format json; :'
mkdir -p /etc/systemd/system/dicehill.service.d
cat > /etc/systemd/system/dicehill.service.d/doctor.conf <<UNIT
[Service]
Type=oneshot
Restart=no
ExecStart=
ExecStart=/usr/bin/dicehill doctor --format json
StandardOutput=file:/run/unit.json
UNIT
systemctl daemon-reload
attacked 'the unit of packaging/' systemctl --quiet start dicehill
cat /run/unit.json
echo
echo END
INSIDE
cat > system/etc/systemd/system/inside.service <<'UNIT'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
TimeoutStartSec=infinity
ExecStart=/bin/sh /inside.sh
ExecStopPost=/sbin/poweroff --force
UNIT
ln -sf ../inside.service system/etc/systemd/system/multi-user.target.wants/

rm -f disk results
truncate --size=3G disk
mke2fs -q -t ext4 -d system disk
qemu-system-x86_64 -accel "$accelerator" -cpu max -smp 2 -m 2048 -no-reboot -nodefaults -nographic \
    -kernel system/boot/vmlinuz-* -initrd system/boot/initrd.img-* \
    -append 'root=/dev/vda rw console=ttyS0 panic=-1 quiet' -drive file=disk,format=raw,if=virtio \
    -serial file:console -serial file:results

python3 - results <<'SHOW'
import json, sys
case, open_attacks, has_ended = None, 0, False
for line in open(sys.argv[1], errors="replace").read().splitlines():
    if line.startswith("CASE "):
        case = line[5:]
    elif line.startswith("SLAB "):
        before, most = map(int, line.split()[1:])
        print(f"{case}: Slab grew by {(most - before) // 1024} MiB at most")
    elif line.startswith('{"'):
        found = json.loads(line)
        kernel, user = found["kernel"], found["user"]
        print(f"{case} ({kernel}, {user}): {found['contained']} attacks contained, {found['open']} open, {found['unknown']} unknown")
        open_attacks += found["open"]
        for attack in found["attacks"]:
            if attack["contained"] is not True or attack["name"].startswith(("relay", "spin", "memory")):
                print(f"  {attack['name']}: {attack['detail']}")
    elif line == "END":
        has_ended = True
    elif line:
        print(f"{case}: {line}")
sys.exit(0 if has_ended and open_attacks == 0 else 1)
SHOW

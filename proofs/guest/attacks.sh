#!/bin/sh
# Attacks on the sandbox in a Debian 12 with control groups v2, which QEMU emulates:
#
#   sudo sh proofs/guest/attacks.sh target/dist/dicehill FOLDER [kvm]
#
# `dicehill doctor` runs as root and as an ordinary user, each with and without a group of its own, and under the hardening of
# packaging/systemd/dicehill.service. Prints a line for each: attacks, open and unknown ones, the processor time of the relays, and how
# much the memory of the kernel (Slab) grew at most. Ends with status 1 if an attack is open. It takes debootstrap,
# qemu-system-x86_64 and mke2fs, and half an hour without `kvm`. FOLDER keeps the system for the next time.
set -eu
program=$(realpath "$1")
accelerator=${3:-tcg,thread=multi}
project=$(realpath "$(dirname "$0")/../..")
mkdir -p "$2"
cd "$2"

. "$project/proofs/guest/debian.sh"
make_system
make_machine '/sbin/poweroff --force'
chroot machine useradd --system --home-dir /var/lib/dicehill dicehill
install -m 755 "$program" machine/usr/bin/dicehill
install -m 644 "$project/packaging/systemd/dicehill.service" machine/etc/systemd/system/

cat > machine/inside.sh <<'INSIDE'
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
make_disk 3G
boot "$accelerator" 2048 results

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

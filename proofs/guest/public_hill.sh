#!/bin/sh
# Tries examples/public-hill on a clean Debian 12 in QEMU, step by step as its README says, and then the life of the hill behind its proxies:
#
#   cargo xtask package deb
#   sudo sh proofs/guest/public_hill.sh target/package/dicehill_*.deb FOLDER [kvm]
#
# public_hill.py, which runs in the guest, takes the commands from the README's code, and a command that no step has run counts as wrong.
# Prints `ok NAME` or `WRONG NAME: what was seen` for each check, and ends with status 1 if one is wrong or the end was not reached.
# It takes what debian.sh takes and a network for apt, which downloads the packages before the guest starts. It needs two cores to itself:
# without `kvm`, emulation makes everything many times slower. FOLDER keeps the system and the packages for the next time.
#
# It differs from the README in this: the packages are in apt's cache, apt asks no questions, and curl, sudo, nginx and caddy are
# installed too; hill.example.org is in /etc/hosts, and its certificate is of an authority made for the trial, also for Caddy, which would
# get its own; the new package of the upgrade is the old one, reinstalled; runs also begin at times that the trial chooses; without `kvm`,
# bots have thirty times the time of hill.toml, since the first answer of a JVM takes an emulated processor thirteen seconds, and a
# run has 200 games instead of 1,000.
set -eu
package=$(realpath "$1")
accelerator=${3:-tcg,thread=multi}
project=$(realpath "$(dirname "$0")/../..")
mkdir -p "$2"
cd "$2"
. "$project/proofs/guest/debian.sh"

make_system
# What the README has apt install, and what the trial needs.
packages=$(sed -n 's/.*`apt install \.\/dicehill_\*\.deb \(.*\)`.*/\1/p' "$project/examples/public-hill/README.md")
if [ "$(cat packages.complete 2> /dev/null)" != "$packages" ]; then
    cp /etc/resolv.conf system/etc/
    chroot system apt-get update
    chroot system apt-get install --yes iproute2 passwd
    # They are installed on different machines, so that they do not see each other.
    for some in "$packages" "nginx" "caddy" "curl ca-certificates openssl sudo"; do
        chroot system apt-get install --yes --download-only $some
    done
    echo "$packages" > packages.complete
fi
make_machine '/bin/systemctl reboot --no-block'
mkdir machine/srv/public-hill
cp "$project"/examples/public-hill/* machine/srv/public-hill/
if [ "$accelerator" != kvm ]; then
    awk '/^(start|move|game)_ms = / { $3 *= 30 } /^games = / { $3 = 200 } 1' "$project/examples/public-hill/hill.toml" > machine/srv/public-hill/hill.toml
fi
cp "$package" machine/srv/public-hill/
cp "$project/proofs/guest/public_hill.py" machine/srv/
cat > machine/inside.sh <<'INSIDE'
export HOME=/root DEBIAN_FRONTEND=noninteractive
cd /srv
exec python3 -u public_hill.py
INSIDE
make_disk 9G

# The next day: the first boot at 7 in the morning, and the second one shortly before the daily run.
first=$(date --utc --date='TZ="Europe/Berlin" tomorrow 07:00' +%FT%T)
second=$(date --utc --date='TZ="Europe/Berlin" tomorrow 19:58' +%FT%T)
boot "$accelerator" 4096 results.first -rtc base="$first" || :
grep -q '^REBOOT' results.first && boot "$accelerator" 4096 results.second -rtc base="$second" || :

cat results.first results.second 2> /dev/null | tr -d '\r' > results || :
grep -v -x -e REBOOT -e END results || :
passed=$(grep -c '^ok ' results || :)
failed=$(grep -c '^WRONG ' results || :)
if ! grep -q -x END results; then
    echo "WRONG the end: it was not reached; $(realpath console) has the guest's last messages"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

#!/bin/sh
# A server that accepts uploads, in a container of an ordinary user, as docs/strangers.md describes it:
#
#   sh proofs/container.sh target/dist/dicehill [--build-arg OPTION ...]
#
# It builds the image of packaging/Containerfile.serve, has `dicehill doctor` attack in it, makes a hill, uploads a bot, kills
# the container, starts it again, and verifies all runs. Ends with status 1 if anything fails. Further words are options of
# `podman build`. PODMAN names the command, by default `podman`. It takes a few minutes, and removes what it made except for
# the image.
set -eu
program=$(realpath "$1")
shift
project=$(realpath "$(dirname "$0")/..")
podman=${PODMAN:-podman}
name=dicehill-proof
work=$(mktemp -d)
remove() {
    $podman rm --force $name > /dev/null 2>&1 || :
    $podman volume rm --force $name > /dev/null 2>&1 || :
    rm -rf "$work"
}
trap remove EXIT
remove
mkdir "$work"
install -m 755 "$program" "$work/dicehill"
$podman build --quiet -f "$project/packaging/Containerfile.serve" -t $name "$@" "$work"

run() { $podman run --rm --security-opt unmask=ALL --volume $name:/hill "$@"; }
run $name doctor | tail -1
run $name hill init spring.db yahtzee --games 2000
run $name hill add spring.db greedy aces-and-eights --next-run
run $name token new spring.db --name Ada > "$work/token"
$podman run --detach --name $name --security-opt unmask=ALL --publish 127.0.0.1::8017 --volume $name:/hill $name
address() { $podman port $name 8017; }
ready() {
    for _ in $(seq 60); do
        curl --silent --fail "http://$(address)/readyz" && return
        sleep 1
    done
    $podman logs $name
    return 1
}
ready
cd "$work"
"$program" new python yahtzee Mine
submit() { DICEHILL_TOKEN=$(grep -o 'dh_[0-9a-f]*' token) "$program" submit "$1" "http://$(address)/hills/spring" --no-follow; }
submit ./Mine
sleep 5
$podman kill $name
$podman start $name
ready
for _ in $(seq 120); do
    $podman exec $name dicehill hill queue spring.db > queue
    grep -q Mine queue || break
    sleep 1
done
cat queue
$podman exec $name dicehill hill show spring.db
$podman exec $name dicehill verify spring.db

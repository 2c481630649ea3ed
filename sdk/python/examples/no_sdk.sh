#!/bin/sh
# Liar's Dice: bids one six more than the last bid, up to a third of all dice, and calls what is above.
while IFS= read -r line; do
  case $line in *'"type":"turn"'*) ;; *) continue ;; esac
  id=${line#*'"id":'} counts=${line#*'"counts":['} bids=${line#*'"bids":['}
  IFS=,; set -- ${counts%%]*}; IFS=+; all=$(($*)); unset IFS
  bids=${bids%%]*}; last=${bids##*,}; last=${last#\"}
  count=$((${last%% *} + 1)); [ "$count" -gt $((all / 3)) ] && [ "$bids" ] && bid=Liar! || bid="$count 6"
  printf '{"id":%s,"bid":"%s"}\n' "${id%%[!0-9]*}" "$bid"
done

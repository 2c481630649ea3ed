#!/bin/sh
# A run on eight nodes of a Slurm cluster, from a folder that all nodes share:
#   dicehill run spring.toml --plan plan.json
#   array=$(sbatch --parsable slurm.sh)
#   sbatch --dependency=afterok:"$array" --wrap='dicehill merge plan.json part-*.jsonl --out whole.jsonl'
#SBATCH --job-name=dicehill
#SBATCH --array=1-8
#SBATCH --cpus-per-task=2
# A task that the cluster stops and starts again continues with the games that its part lacks.
#SBATCH --requeue
#SBATCH --signal=B:INT@60
set -eu
# `exec`, so that the signal reaches dicehill.
exec dicehill run --plan plan.json \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
  --out "part-$SLURM_ARRAY_TASK_ID.jsonl" \
  --jobs "${SLURM_CPUS_PER_TASK:-1}"

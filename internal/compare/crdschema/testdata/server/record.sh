#!/bin/sh
# Records what an API server says of each CR of crs.yaml: record.sh KUBECTL... > said.txt
# The server must be empty; KUBECTL is the command with its options. said.txt was recorded with Kubernetes 1.37.
cd "$(dirname "$0")" || exit 1
"$@" apply -f crds.yaml >&2 || exit 1
sleep 5
parts=$(mktemp -d)
awk -v dir="$parts" '/^---$/ {n++; next} {print > sprintf("%s/%03d.yaml", dir, n)}' crs.yaml
for part in "$parts"/*.yaml; do
  echo "== $(sed -n 's/^metadata: {name: \([a-z0-9]*\).*/\1/p' "$part")"
  "$@" create --dry-run=server --validate=strict -f "$part" 2>&1 | sed "s|$part|FILE|g"
  "$@" apply --server-side --dry-run=server --validate=strict -f "$part" 2>&1 | sed "s|$part|FILE|g; s/^/applied: /"
done
rm -r "$parts"

#!/bin/sh
# Records what an API server says of each CR of crs.yaml: record.sh KUBECTL... > said.txt
# A CR that old.yaml has is an update, any other one is new. The server must be empty; KUBECTL is the command with its
# options. said.txt was recorded with Kubernetes 1.37.
cd "$(dirname "$0")" || exit 1
"$@" apply -f crds.yaml >&2 || exit 1
sleep 5
"$@" create -f old.yaml >&2 || exit 1
parts=$(mktemp -d)
awk -v dir="$parts" '/^---$/ {n++; next} {print > sprintf("%s/%03d.yaml", dir, n)}' crs.yaml
for part in "$parts"/*.yaml; do
  name=$(sed -n 's/^metadata: {name: \([a-z0-9]*\).*/\1/p' "$part")
  kind=$(sed -n 's/^kind: //p' "$part")
  verb=create
  if "$@" get "$kind" "$name" >/dev/null 2>&1; then verb=replace; fi
  echo "== $name"
  "$@" "$verb" --dry-run=server -f "$part" 2>&1 | sed "s|$part|FILE|g"
done
rm -r "$parts"

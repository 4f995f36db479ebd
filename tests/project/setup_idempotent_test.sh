#!/usr/bin/env bash
# Where everything is installed, scripts/setup says so within two seconds: make build runs it every time.
# Usage: setup_idempotent_test.sh SOURCE_FOLDER
set -euo pipefail
if ! command -v dpkg-query >/dev/null; then
  echo "skipped: not a Debian system"
  exit 77
fi
# Those of `make test`, which starts this; lint has packages of its own.
started=$(date +%s%N)
"$1/scripts/setup" --check build run test
milliseconds=$((($(date +%s%N) - started) / 1000000))
echo "took $milliseconds ms"
((milliseconds < 2000))

#!/usr/bin/env bash
# The groups of scripts/setup: together they are everything, a demo needs neither browsers nor test frameworks, and each
# package has a sentence in docs/dependencies.md.
# Usage: setup_groups_test.sh SOURCE_FOLDER
set -euo pipefail
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A machine on which nothing is installed: with --check, only dpkg-query is asked.
printf '#!/bin/sh\n' | tee "$work/dpkg-query" >"$work/apt-get"
chmod +x "$work/dpkg-query" "$work/apt-get"
missing() {
  if PATH="$work:$PATH" "$source/scripts/setup" --check "$@" >"$work/answer"; then
    echo "setup --check $*: exit 0 though everything is missing" >&2
    exit 1
  fi
  sed -n 's/^setup: missing: //p' "$work/answer" | tr ' ' '\n' | sort
}

fail() { echo "$*" >&2; exit 1; }

all=$(missing)
apart=$(for group in build run test lint; do missing "$group"; done | sort)
[[ $all == "$apart" ]] || fail "the groups are not the whole: $(diff <(echo "$all") <(echo "$apart"))"
[[ $(uniq -d <<<"$apart") == "" ]] || fail "in two groups: $(uniq -d <<<"$apart")"

demo=$(missing build run)
grep -qx libtorch-dev <<<"$demo" || fail "build and run lack libtorch-dev: $demo"
for needless in chromium clang libgtest-dev python3-torch umap-learn; do
  if grep -q "^$needless" <<<"$demo"; then fail "a demo does not need $needless"; fi
done

for package in $all; do
  grep -qF "\`$package\`" "$source/docs/dependencies.md" || fail "docs/dependencies.md does not explain $package"
done

if "$source/scripts/setup" --check nonsense 2>/dev/null; then fail "an unknown group was accepted"; fi

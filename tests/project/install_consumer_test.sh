#!/usr/bin/env bash
# Installs the build into a temporary folder and uses it from there, as somebody else's project would: a search with an
# evaluator of its own, new weights for an ONNX file, a training.
# Usage: install_consumer_test.sh BUILD_FOLDER SOURCE_FOLDER
set -euo pipefail
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$source/tests/project/consumer" "$work/consumer"
cd "$work/consumer"

fail() { echo "$*"; exit 1; }
# expect TEXT COMMAND...: what the command prints.
expect() {
  local wanted=$1 printed
  shift
  printed=$("$@")
  [[ $printed == "$wanted" ]] || fail "$1 printed: $printed, not: $wanted"
}

cmake --install "$build" --prefix "$work/prefix" >/dev/null
cmake -G Ninja -S . -B build -DCMAKE_PREFIX_PATH="$work/prefix" >configure.log 2>&1 || { cat configure.log; exit 1; }
cmake --build build >build.log || { cat build.log; exit 1; }

expect "abs(x)" build/find_function "$work/study.db"
expect "3 of 3 kernels changed" build/initialise "$source/tests/fuzz/seeds/fuzz_onnx/cnn_7" "$work/ready.onnx"
if [[ -e $work/prefix/bin/actforge-torch ]]; then expect "completed" build/train; fi
"$work/prefix/bin/actforge" --version
for page in bash-completion/completions/actforge zsh/site-functions/_actforge fish/vendor_completions.d/actforge.fish man/man1/actforge.1; do
  [[ -s $work/prefix/share/$page ]] || fail "share/$page is not installed"
done
"$work/prefix/bin/actforge" search top "$work/study.db" >/dev/null || fail "the program cannot read the library's study"

# An installed file that names the source or build folder works on no other machine.
if grep -rlF -e "$source" -e "$build" "$work/prefix/include" $(find "$work/prefix" -name cmake -type d); then
  fail "the files above name the folder they were built in"
fi

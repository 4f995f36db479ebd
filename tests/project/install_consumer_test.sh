#!/usr/bin/env bash
# Installs the build into a temporary folder and uses it from there, as somebody else's project would.
# Usage: install_consumer_test.sh BUILD_FOLDER SOURCE_FOLDER
set -euo pipefail
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/consumer"
cd "$work/consumer"

cmake --install "$build" --prefix "$work/prefix" >/dev/null

# No C++ standard is set: the library has to bring the one that its headers need.
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES CXX)
find_package(actforge CONFIG REQUIRED)
add_executable(consumer main.cpp)
target_link_libraries(consumer actforge::core)
END
cat >main.cpp <<'END'
#include <actforge/expr/expr.h>
#include <actforge/expr/parse.h>
#include <actforge/expr/print.h>

#include <iostream>

int main() {
  auto e = actforge::parse("max(relu(x),cosh(elu(x)))");
  std::cout << actforge::to_call(e) << "\n";
}
END
cmake -G Ninja -S . -B build -DCMAKE_PREFIX_PATH="$work/prefix" >configure.log 2>&1 || { cat configure.log; exit 1; }
cmake --build build
printed=$(build/consumer)
if [[ $printed != "max(relu(x),cosh(elu(x)))" ]]; then
  echo "the consumer printed: $printed"
  exit 1
fi

"$work/prefix/bin/actforge" --version

# An installed file that names the source or build folder works on no other machine.
if grep -rlF -e "$source" -e "$build" "$work/prefix/include" $(find "$work/prefix" -name cmake -type d); then
  echo "the files above name the folder they were built in"
  exit 1
fi

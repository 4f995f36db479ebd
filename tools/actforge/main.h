#pragma once

#include "tools/actforge/common/libtorch.h"

namespace actforge::tool {

// All of main() but what the program has of LibTorch.
int run_program(int argc, char** argv, const LibTorch* libtorch);

}  // namespace actforge::tool

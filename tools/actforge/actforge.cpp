// The program without LibTorch.
#include "tools/actforge/main.h"

int main(int argc, char** argv) { return actforge::tool::run_program(argc, argv, nullptr); }

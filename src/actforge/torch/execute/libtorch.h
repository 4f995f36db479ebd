#pragma once

// Tensors, their operations and gradients: what this room uses of LibTorch. <torch/torch.h> adds modules, optimisers,
// data loaders and serialisation, and takes three times as long to compile.
#include <torch/autograd.h>
#include <torch/types.h>
#include <torch/utils.h>

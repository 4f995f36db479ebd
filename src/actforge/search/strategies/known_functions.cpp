#include "actforge/search/strategies/known_functions.h"

namespace actforge {
namespace {

constexpr KnownFunction kKnown[] = {
    {"ELU", "elu(x)"},           {"ReLU", "relu(x)"},         {"SELU", "selu(x)"},   {"sigmoid", "sigmoid(x)"},
    {"Softplus", "softplus(x)"}, {"Softsign", "softsign(x)"}, {"Swish", "swish(x)"}, {"tanh", "tanh(x)"},
    {"-ELU", "-elu(x)"},         {"-tanh", "-tanh(x)"},       {"|x|", "abs(x)"},     {"-|x|", "-abs(x)"},
};

constexpr KnownFunction kCommon[] = {
    {"ReLU", "relu(x)"}, {"Leaky ReLU", "leaky_relu(x)"}, {"ELU", "elu(x)"},   {"SELU", "selu(x)"},
    {"GELU", "gelu(x)"}, {"Swish", "swish(x)"},           {"Mish", "mish(x)"}, {"Softplus", "softplus(x)"},
    {"tanh", "tanh(x)"},
};

}  // namespace

std::span<const KnownFunction> common_functions() { return kCommon; }

std::span<const KnownFunction> known_functions() { return kKnown; }

}  // namespace actforge

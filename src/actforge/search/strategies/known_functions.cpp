#include "actforge/search/strategies/known_functions.h"

namespace actforge {
namespace {

constexpr KnownFunction kKnown[] = {
    {"ELU", "elu(x)"},           {"ReLU", "relu(x)"},         {"SELU", "selu(x)"},   {"sigmoid", "sigmoid(x)"},
    {"Softplus", "softplus(x)"}, {"Softsign", "softsign(x)"}, {"Swish", "swish(x)"}, {"tanh", "tanh(x)"},
    {"-ELU", "-elu(x)"},         {"-tanh", "-tanh(x)"},       {"|x|", "abs(x)"},     {"-|x|", "-abs(x)"},
};

}  // namespace

std::span<const KnownFunction> known_functions() { return kKnown; }

}  // namespace actforge

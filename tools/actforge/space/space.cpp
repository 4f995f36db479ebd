#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

constexpr Verb kVerbs[] = {
    {"list", "The built-in spaces and how many functions each holds", add_space_list},
    {"show", "A space as a TOML file, to start your own from", add_space_show},
    {"count", "The exact number of functions, without enumerating them", add_space_count},
    {"enumerate", "The functions in order, from any index; or only the unique ones", add_space_enumerate},
    {"sample", "Random functions", add_space_sample},
    {"mutate", "Children of a function: PANGAEA's mutations, or CAFE's", add_space_mutate},
    {"cross", "Children of two functions: CAFE's crossover", add_space_cross},
};

}  // namespace

void add_space(CLI::App& app, VerbAction& chosen) {
  add_group(
      app, chosen,
      {.name = "space",
       .summary = "Search spaces: count, enumerate, sample, mutate, cross",
       .footer =
           "SPACE is one of\n"
           "  a name                  pangaea, aquasurf-3, ...: 'actforge space list'\n"
           "  schemas, joined by |    'unary(binary(unary(x),unary(x))) | mul(x,unary(x))'\n"
           "  a TOML file             'actforge space show pangaea > mine.toml' makes one\n"
           "In a schema, unary, binary and nary stand for every operator of these lists, which --unary, --binary\n"
           "and --nary replace; an operator's own name stands for itself.",
       .verbs = kVerbs});
}

}  // namespace actforge::tool

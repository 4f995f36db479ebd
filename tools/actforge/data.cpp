#include "actforge/verb.h"

namespace actforge::tool {
namespace {

constexpr Verb kVerbs[] = {
    {"list", "The data sets, and which of them are here", add_data_list},
    {"show", "A data set: classes, split, mean and deviation, a sheet of images", add_data_show},
};

}  // namespace

void add_data(CLI::App& app, Run& chosen) {
  add_group(app, chosen,
            {.name = "data",
             .summary = "Data sets: what there is, how it is split, what it looks like",
             .footer = "Files are looked for in $ACTFORGE_DATA/NAME, $XDG_DATA_HOME/actforge/NAME (by default\n"
                       "~/.local/share/actforge/NAME) and /usr/share/datasets/NAME.",
             .verbs = kVerbs});
}

}  // namespace actforge::tool

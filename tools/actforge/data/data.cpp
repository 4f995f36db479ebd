#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

constexpr Verb kVerbs[] = {
    {"list", "The data sets, and which of them are installed", add_data_list},
    {"show", "A data set: classes, split, mean and deviation, a sheet of images", add_data_show},
};

}  // namespace

void add_data(CLI::App& app, VerbAction& chosen) {
  add_group(app, chosen,
            {.name = "data",
             .summary = "Data sets: which there are, how they are split, what they look like",
             .footer = "Files are looked for in $ACTFORGE_DATA/NAME, $XDG_DATA_HOME/actforge/NAME (by default\n"
                       "~/.local/share/actforge/NAME) and /usr/share/datasets/NAME.",
             .verbs = kVerbs});
}

}  // namespace actforge::tool

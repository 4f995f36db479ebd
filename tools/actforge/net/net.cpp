#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

constexpr Verb kVerbs[] = {
    {"list", "The built-in networks; with --layers, what networks are made of", add_net_list},
    {"show", "Layers, shapes and weights of a network; as text, JSON or a picture", add_net_show},
};

}  // namespace

void add_net(CLI::App& app, VerbAction& chosen) {
  add_group(app, chosen,
            {.name = "net",
             .summary = "Networks: what they are made of, with which activation functions",
             .footer = "NET is one of\n"
                       "  a name      allcnn-c, resnet-v2-56, mlp-3-128, ...: 'actforge net list'\n"
                       "  a file      in text or JSON form: 'actforge net show allcnn-c --text > mine.net' makes one",
             .verbs = kVerbs});
}

}  // namespace actforge::tool

#include <memory>

#include "tools/actforge/search/stage.h"

namespace actforge::tool {
namespace {

int run(const StageFlags& flags) {
  const OpenStudy study = open_stage(flags);
  return print_stage(study, flags, rerank_question(study, wanted_after(flags)));
}

}  // namespace

VerbAction add_search_rerank(CLI::App& verb) {
  const auto flags = std::make_shared<StageFlags>();
  flags->runs = 2;
  flags->top = 10;
  add_stage_flags(verb, *flags);
  return [flags] { return run(*flags); };
}

}  // namespace actforge::tool

#include "actforge/verb.h"

namespace actforge::tool {

void add_search(CLI::App& app, Run& chosen) {
  static constexpr Verb kVerbs[] = {
      {"new", "Write an example of a study file, with a comment on every setting", add_search_new},
      {"run", "Run a study, or go on with it; Ctrl-C stops it cleanly", add_search_run},
      {"resume", "Go on with a study", add_search_resume},
      {"status", "How far a study is", add_search_status},
      {"top", "The best functions so far", add_search_top},
      {"show", "One trial in full: where it came from, how it learned", add_search_show},
      {"export", "All trials, as CSV or JSON", add_search_export},
      {"worker", "One worker of a study; started by 'run'", add_search_worker},
  };
  add_group(app, chosen,
            {.name = "search",
             .summary = "Search for an activation function",
             .footer = "Examples:\n"
                       "  actforge search new -o study.toml --net allcnn-mini --data digits --preset mini\n"
                       "  actforge search run study.toml --workers 2\n"
                       "  actforge search top study.db\n"
                       "  actforge search run --study mine.db --evaluate './my_train.sh {expr}' --trials 100",
             .verbs = kVerbs});
  app.get_subcommand("search")->get_subcommand("worker")->group("");
}

}  // namespace actforge::tool

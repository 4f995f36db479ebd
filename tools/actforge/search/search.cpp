#include "tools/actforge/common/verb.h"

namespace actforge::tool {

void add_search(CLI::App& app, VerbAction& chosen) {
  static constexpr Verb kVerbs[] = {
      {"new", "Write an example of a study file, with a comment on every setting", add_search_new},
      {"run", "Run a study, or continue it; Ctrl-C stops it cleanly", add_search_run},
      {"resume", "Continue a study", add_search_resume},
      {"enqueue", "Evaluate functions of your own next", add_search_enqueue},
      {"status", "The progress of a study", add_search_status},
      {"top", "The best functions so far", add_search_top},
      {"show", "One trial in full: its origin and learning curve", add_search_show},
      {"log", "What a trial's command printed", add_search_log},
      {"export", "All trials, as CSV or JSON", add_search_export},
      {"rerank", "Re-rank the best functions by training them in full", add_search_rerank},
      {"final", "Test the best functions and baselines on the test images", add_search_final},
      {"transfer", "Try the best functions on another network or data set", add_search_transfer},
      {"watch", "The study's page in a browser, while it runs", add_search_watch},
      {"worker", "One worker of a study (started by 'run')", add_search_worker},
      {"evaluate", "One evaluation outside the search (started by other commands)", add_search_evaluate},
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
  for (const char* hidden : {"worker", "evaluate"}) app.get_subcommand("search")->get_subcommand(hidden)->group("");
}

}  // namespace actforge::tool

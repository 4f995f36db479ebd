#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "actforge/base/atomic_file.h"
#include "actforge/search/settings/study_file.h"
#include "actforge/search/settings/study_strategy.h"
#include "tools/actforge/common/messages.h"
#include "tools/actforge/search/options.h"

namespace actforge::tool {
namespace {

struct Options {
  StudyFlags flags;
  std::string output;
  bool force = false;
};

int run(const Options& options) {
  StudySettings settings;
  const bool has_lists = std::ranges::any_of(options.flags.lists, [](const auto& list) { return !list.texts.empty(); });
  if (options.flags.given.empty() && !has_lists) {
    // An example that ends soon.
    set_study_field(settings, "strategy", "preset", "mini");
  }
  apply_flags(settings, options.flags);
  complete_settings(settings);
  note_cautions(settings);
  if (const std::string caution = strategy_caution(settings); !caution.empty()) {
    note("actforge: note: {}", caution);
  }
  const std::string text =
      "# A study for 'actforge search run'. Every setting is here; one that you delete takes its default.\n\n" +
      study_toml(settings, true);
  if (options.output.empty()) {
    write_output(text);
    return 0;
  }
  if (std::filesystem::exists(options.output) && !options.force) {
    throw Error(ErrorCode::kUsage, "'" + options.output + "' exists; --force overwrites it");
  }
  write_file(options.output, text);
  note("wrote {}; 'actforge search run {}' starts the search", options.output, options.output);
  return 0;
}

}  // namespace

VerbAction add_search_new(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("-o,--output", options->output, "File to write [standard output]")->type_name("FILE.toml")->common();
  verb.add_flag("--force", options->force, "Overwrite an existing file")->common();
  add_study_flags(verb, options->flags, StudyFlagKind::kAll);
  return [options] { return run(*options); };
}

}  // namespace actforge::tool

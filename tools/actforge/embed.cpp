// A map of a space of functions: those that are alike are near.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "actforge/base/atomic_file.h"
#include "actforge/embedding.h"

namespace actforge::tool {
namespace {

void check(const EmbedOptions& options) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorCode::kUsage, why); };
  if (options.files.empty() && !options.json) refuse("where to? Give -o map.svg, .png or .csv, or --json");
  for (const std::string& path : options.files) check_map_name(path);
  for (const std::string& path : options.files) check_writable(path);
  if (options.map.umap.min_dist > options.map.umap.spread) refuse("--min-dist is at most --spread");
  const bool draws = std::any_of(options.files.begin(), options.files.end(),
                                 [](const std::string& path) { return !is_map_table(path); });
  if (draws && options.map.umap.dimensions < 2) refuse("a picture needs --dimensions 2 at least");
  if (options.space.space.empty() && options.study.empty()) refuse("of what? Give --space, or --study for its space");
  if (options.count && *options.count == 0) refuse("--count: one function at least");
  if (options.net.empty() != options.data.empty()) refuse("--net and --data belong together");
  if (options.wants_spectra() && !options.measures() && options.study.empty()) {
    refuse("spectra are measured with --net and --data, or taken from --study");
  }
  if (!options.wants_spectra() && options.measures()) refuse("to measure spectra, add --features fisher or both");
  if (options.measure && options.study.empty()) refuse("--measure takes its conditions from --study");
  if (options.measure && !options.net.empty()) refuse("either --measure, as the study trains, or --net and --data");
}

int run(const EmbedOptions& options) {
  check(options);
  Embedding embedding(options);
  try {
    embedding.make();
  } catch (const Stopped&) {
    fmt::print(stderr, "actforge: stopped; no map was written{}\n",
               options.measure ? ", but spectra are kept: the same command goes on" : "");
    return embedding.clock().interrupt().exit_code();
  }
  options.json ? print_json(embedding.json()) : embedding.print();
  return 0;
}

// A whole number within limits.
void add_number(CLI::App& verb, const std::string& option, std::uint64_t& target, std::uint64_t least,
                std::uint64_t most, const std::string& help) {
  verb.add_option_function<std::string>(
          option,
          [&target, option, least, most](const std::string& text) {
            target = read_whole_number(text, option);
            if (target < least || target > most)
              throw Error(ErrorCode::kUsage, fmt::format("{} goes from {} to {}", option, least, most));
          },
          help)
      ->type_name("N")
      ->default_str(std::to_string(target));
}

void add_options(CLI::App& verb, EmbedOptions& options) {
  add_space_option(verb, options.space)->required(false);
  verb.add_option("--features", options.features, "What functions are known by: outputs, fisher (spectra), or both")
      ->capture_default_str()
      ->check(CLI::IsMember({"outputs", "fisher", "both"}));
  add_optional_number(verb, "--count", options.count, "So many of the space's functions, at random; else all of them");
  verb.add_option("--study", options.study,
                  "Show this study's trials in the colours of their scores; its spectra count")
      ->type_name("STUDY");
  verb.add_option("--net", options.net, "Measure spectra: of this network (actforge net list), or file");
  verb.add_option("--data", options.data, "on this data set (actforge data list)");
  verb.add_flag("--measure", options.measure,
                "Measure the spectra that the study lacks, as it trains, and keep them there");
  verb.add_option("-o,--output", options.files, "A picture (.svg, .png) or the places (.csv); may be given again")
      ->type_name("FILE");
  add_number(verb, "--inputs", options.outputs.inputs, 1, 100'000, "Outputs of a function");
  verb.add_flag("--evenly", options.outputs.evenly, "At equal steps from -5 to 5, not at normal inputs");
  add_number(verb, "--neighbours", options.map.output_neighbours, 2, 1000, "Nearest functions that count, by outputs");
  add_number(verb, "--spectrum-neighbours", options.map.spectrum_neighbours, 2, 1000, "The same by spectra");
  add_fields(verb, options.map.umap, umap_fields());
  add_spectrum_options(verb, options);
  add_whole_number(verb, "--seed", options.seed, "Of everything random: inputs, --count, layout, spectra");
  add_number(verb, "--threads", options.threads, 0, 1024, "0: one per processor; the map is the same");
  verb.add_flag("--json", options.json, "Answer in JSON; with all points where no file is given");
}

}  // namespace

void add_embed(CLI::App& app, Run& chosen) {
  CLI::App* verb = app.add_subcommand("embed", "A map of a space of functions, where those that are alike are near");
  verb->footer(
      "Examples:\n"
      "  actforge embed --space aquasurf-3 -o map.svg -o map.csv\n"
      "  actforge embed --study study.db -o map.png\n"
      "  actforge embed --space aquasurf-3 --features both --net allcnn-mini --data digits --count 500 -o both.svg");
  const auto options = std::make_shared<EmbedOptions>();
  add_options(*verb, *options);
  verb->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace actforge::tool

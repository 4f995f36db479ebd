// A map of a space of functions, with similar functions close together.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "actforge/base/atomic_file.h"
#include "actforge/study/embedding.h"
#include "tools/actforge/common/libtorch.h"
#include "tools/actforge/common/step_clock.h"
#include "tools/actforge/embed/answer.h"
#include "tools/actforge/embed/options.h"

namespace actforge::tool {
namespace {

void check(const EmbedOptions& options) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorCode::kUsage, why); };
  if (options.files.empty() && !options.json) refuse("nothing to write: give -o map.svg, .png or .csv, or --json");
  for (const std::string& path : options.files) check_map_name(path);
  for (const std::string& path : options.files) check_writable(path);
  if (options.map.umap.min_dist > options.map.umap.spread) refuse("--min-dist is at most --spread");
  const bool draws = std::any_of(options.files.begin(), options.files.end(),
                                 [](const std::string& path) { return !is_map_table(path); });
  if (draws && options.map.umap.dimensions < 2) refuse("a picture needs --dimensions 2 at least");
  if (options.space.space.empty() && options.study.empty())
    refuse("which functions? Give --space, or --study for its space");
  if (options.count && *options.count == 0) refuse("--count takes at least 1");
  if (options.net.empty() != options.data.empty()) refuse("--net and --data belong together");
  if (options.wants_spectra() && !options.measures() && options.study.empty()) {
    refuse("spectra are measured with --net and --data, or taken from --study");
  }
  if (!options.wants_spectra() && options.measures()) refuse("to measure spectra, add --features fisher or both");
  if (options.measure && options.study.empty()) refuse("--measure takes its conditions from --study");
  if (options.measure && !options.net.empty()) refuse("either --measure, as the study trains, or --net and --data");
}

void print(const Embedding& map, const EmbedOptions& options) {
  fmt::print("{}: {} functions", map.space, with_commas(map.total));
  if (map.unique) fmt::print(", {} unique", with_commas(*map.unique));
  if (options.count || !map.conditions.empty()) fmt::print(", {} taken", with_commas(map.from_space));
  if (map.functions > map.from_space) fmt::print(", {} others added", with_commas(map.functions - map.from_space));
  fmt::print("\n{} placed by {}", with_commas(map.mapped.functions.size()), map.features);
  if (map.twins > 0) fmt::print(", {} of them equal to others but for rounding", with_commas(map.twins));
  if (const std::string left_out = map.left_out_text(); !left_out.empty()) fmt::print("; left out: {}", left_out);
  if (!options.study.empty()) {
    fmt::print("\n{} trials of {} are on the map", with_commas(map.mapped.trials.size()), options.study);
  }
  fmt::print("\n");
  for (const std::string& path : options.files) fmt::print("written: {}\n", path);
}

nlohmann::json to_json(const Embedding& map, const EmbedOptions& options, const StepClock& clock) {
  nlohmann::json steps = nlohmann::json::object();
  for (const auto& [step, seconds] : clock.steps()) steps[step] = seconds;
  nlohmann::json json = {
      {"space", map.space},
      {"features", options.features},
      {"total", integer_json(map.total)},
      {"functions", map.functions},
      {"placed", map.mapped.functions.size()},
      {"left_out", {{"outputs", map.no_outputs}, {"spectra", map.no_spectra}, {"elsewhere", map.elsewhere}}},
      {"twins", map.twins},
      {"trials", map.mapped.trials.size()},
      {"seconds", clock.seconds()},
      {"steps", std::move(steps)}};
  if (map.unique) json["unique"] = *map.unique;
  if (!map.conditions.empty()) json["conditions"] = map.conditions;
  options.files.empty() ? json["points"] = points_json(map.mapped) : json["files"] = options.files;
  return json;
}

Embedding make(EmbedOptions options, StepClock& clock) {
  std::optional<OpenStudy> study;
  if (!options.study.empty()) study = open_study(options.study);
  const OpenStudy* opened = study ? &*study : nullptr;
  if (opened != nullptr && options.space.space.empty()) options.space.space = opened->settings.space;
  const RunContext run = clock.context(options.seed, options.threads);
  std::unique_ptr<SpectrumProbe> probe;
  if (options.wants_spectra() && options.measures()) probe = libtorch().make_spectrum_probe(options, opened, run);
  const Space space = read_space(options.space);
  EmbeddingOptions how = {.space = &space,
                          .space_text = options.space.space,
                          .count = options.count,
                          .by_outputs = options.wants_outputs(),
                          .by_spectra = options.wants_spectra(),
                          .outputs = options.outputs,
                          .map = options.map,
                          .study = opened,
                          .study_location = options.study,
                          .probe = probe.get()};
  if (!options.net.empty()) how.spectra_of = options.net + " on " + options.data;
  return embed(how, run);
}

// What is wrong with the options shows without it.
bool needs_libtorch(const EmbedOptions& options) {
  check(options);
  return options.wants_spectra() && options.measures();
}

int run(const EmbedOptions& options) {
  check(options);
  StepClock clock;
  Embedding map;
  try {
    map = make(options, clock);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCancelled) throw;
    throw Error(ErrorCode::kCancelled,
                std::string("stopped; no map was written") +
                    (options.measure ? ", but spectra are kept: the same command continues" : ""));
  }
  clock.begin("files");
  for (const std::string& path : options.files) write_map(map.mapped, path);
  clock.end();
  options.json ? print_json(to_json(map, options, clock)) : print(map, options);
  return 0;
}

// A whole number within limits.
CLI::Option* add_number(CLI::App& verb, const std::string& option, std::uint64_t& target, std::uint64_t least,
                        std::uint64_t most, const std::string& help) {
  return verb
      .add_option_function(
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
  verb.add_option("--features", options.features, "What functions are compared by: outputs, fisher (spectra), or both")
      ->capture_default_str()
      ->check(CLI::IsMember({"outputs", "fisher", "both"}))
      ->common();
  add_optional_number(verb, "--count", options.count, "Draw this many functions of the space at random [all]")
      ->common();
  verb.add_option("--study", options.study, "Show this study's trials, coloured by their scores, and use its spectra")
      ->type_name("STUDY")
      ->common();
  verb.add_option("--net", options.net, "Measure spectra of this network (actforge net list), or file")->common();
  verb.add_option("--data", options.data, "Measure them on this data set (actforge data list), or folder or file")
      ->common();
  verb.add_flag("--measure", options.measure,
                "Measure missing spectra under the study's conditions, and store them in it");
  verb.add_option("-o,--output", options.files, "A picture (.svg, .png) or the points (.csv); repeatable")
      ->type_name("FILE")
      ->common();
  add_number(verb, "--inputs", options.outputs.inputs, 1, 100'000, "Number of inputs at which outputs are compared");
  verb.add_flag("--evenly", options.outputs.evenly, "Take inputs at equal steps from -5 to 5 instead of normal ones");
  add_number(verb, "--neighbours", options.map.output_neighbours, 2, 1000, "Neighbours of each function, by outputs");
  add_number(verb, "--spectrum-neighbours", options.map.spectrum_neighbours, 2, 1000,
             "Neighbours of each function, by spectra");
  add_fields(verb, options.map.umap, umap_fields());
  add_spectrum_options(verb, options);
  add_whole_number(verb, "--seed", options.seed, "Seed of everything random: inputs, --count, layout, spectra");
  add_number(verb, "--threads", options.threads, 0, 1024, "0: one per processor. The map is the same");
  verb.add_flag("--json", options.json, "Answer in JSON, with all points if no file is given");
}

}  // namespace

void add_embed(CLI::App& app, VerbAction& chosen) {
  CLI::App* verb =
      app.add_subcommand("embed", "Draw a map of a space of functions, with similar functions close together");
  verb->footer(
      "Examples:\n"
      "  actforge embed --space aquasurf-3 -o map.svg -o map.csv\n"
      "  actforge embed --study study.db -o map.png\n"
      "  actforge embed --space aquasurf-3 --features both --net allcnn-mini --data digits --count 500 -o both.svg");
  const auto options = std::make_shared<EmbedOptions>();
  add_options(*verb, *options);
  verb->callback([options, &chosen] {
    chosen = VerbAction([options] { return run(*options); }, [options] { return needs_libtorch(*options); });
  });
}

}  // namespace actforge::tool

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "actforge/base/atomic_file.h"
#include "actforge/base/suggest.h"
#include "actforge/report/svg/png.h"
#include "actforge/space/find_space.h"
#include "actforge/study/study.h"
#include "actforge/surrogate/regressor.h"
#include "tools/actforge/common/function_list.h"
#include "tools/actforge/common/step_clock.h"
#include "tools/actforge/fn/piecewise_options.h"
#include "tools/actforge/reverse/answer.h"
#include "tools/actforge/search/options.h"
#include "tools/actforge/space/options.h"

namespace actforge::tool {
namespace {

struct Options {
  SpaceOptions space;
  std::vector<std::string> at;
  std::string between;
  std::uint64_t steps = 5;
  bool empty = false;
  std::uint64_t places = 1;
  std::string study, regressor = "knn";
  std::optional<double> clearance;
  ReverseMapOptions map;
  std::uint64_t seed = 0, threads = 0;
  ReverseOptions reverse;
  bool normal = false;
  std::string plot;
  bool json = false;
};

constexpr std::uint64_t kMostPlaces = 400;  // of one answer

Points read_places(const std::vector<std::string>& texts) {
  Points places(texts.size(), 2);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::vector<double> numbers = read_numbers(texts[i], "--at");
    if (numbers.size() != 2 || !std::isfinite(numbers[0]) || !std::isfinite(numbers[1])) {
      throw Error(ErrorCode::kUsage, fmt::format("--at takes two coordinates, such as 3.5,-1, not '{}'", texts[i]));
    }
    places.row(i)[0] = static_cast<float>(numbers[0]);
    places.row(i)[1] = static_cast<float>(numbers[1]);
  }
  return places;
}

void check(const Options& options) {
  const int asked = (options.at.empty() ? 0 : 1) + (options.between.empty() ? 0 : 1) + (options.empty ? 1 : 0);
  if (asked != 1) {
    throw Error(ErrorCode::kUsage, "give one of --at X,Y, --between 'FUNCTION,FUNCTION' and --empty");
  }
  if (options.space.space.empty() && options.study.empty()) {
    throw Error(ErrorCode::kUsage, "which functions are on the map? Give --space, or --study for a study's space");
  }
  if (options.clearance && (!(*options.clearance >= 0) || std::isinf(*options.clearance))) {
    throw Error(ErrorCode::kUsage, "--clearance is a distance, 0 or more");
  }
  const auto within = [](const char* name, std::uint64_t value, std::uint64_t low, std::uint64_t high) {
    if (value < low || value > high) {
      throw Error(ErrorCode::kUsage, fmt::format("{} goes from {} to {}, not {}", name, low, high, value));
    }
  };
  within("--steps", options.steps, 2, 20);
  within("--places", options.places, 1, kMostPlaces);
  within("--count", options.map.count, 3, 100'000);
  within("--inputs", options.map.inputs.inputs, 2, 10'000);
  within("--neighbours", options.map.map.output_neighbours, 2, 1000);
  check_piecewise_options(options.reverse.fit);
  find_regressor(options.regressor);
  const UmapOptions& umap = options.map.map.umap;
  if (!(umap.min_dist >= 0 && umap.min_dist <= umap.spread)) {
    throw Error(ErrorCode::kUsage, fmt::format("--min-dist goes from 0 to {}", umap.spread));
  }
  if (options.plot.empty()) return;
  check_picture_name(options.plot);
  check_writable(options.plot);
}

ReverseQuestion question_of(const Options& options, const Space& space, const std::vector<Expr>& between) {
  ReverseQuestion question = {.space = &space,
                              .study = options.study,
                              .at = read_places(options.at),
                              .between = between,
                              .steps = options.steps,
                              .empty = options.empty,
                              .map = options.map,
                              .reverse = options.reverse};
  question.empty_places = {.count = options.places, .clearance = options.clearance, .regressor = options.regressor};
  question.map.inputs.evenly = !options.normal;
  return question;
}

std::vector<Expr> read_ends(const Options& options) {
  if (options.between.empty()) return {};
  std::vector<Expr> ends = read_function_list(options.between);
  if (ends.size() == 2 || ends.size() == 4) return ends;
  throw Error(ErrorCode::kUsage, fmt::format("--between takes two functions, or four for a grid, not {}", ends.size()));
}

int answer_question(const Options& options, StepClock& clock) {
  const std::vector<Expr> between = read_ends(options);
  const Space space =
      options.space.space.empty() ? find_space(open_study(options.study).settings.space) : read_space(options.space);
  FoundFunctions found = {.space = space.name()};
  found.answer = answer_reverse(question_of(options, space, between), clock.context(options.seed, options.threads));
  clock.end();
  found.inputs = fmt::format("{} {} inputs", options.map.inputs.inputs, options.normal ? "normal" : "evenly spaced");
  if (!between.empty()) found.columns = options.steps, found.on_the_way = true;
  if (!options.plot.empty()) draw_answer(found, options.plot);
  options.json ? print_json(answer_json(found)) : print_answer(found);
  return 0;
}

int run(const Options& options) {
  check(options);
  StepClock clock;
  return answer_question(options, clock);
}

void add_map_options(CLI::App& verb, Options& options) {
  add_whole_number(verb, "--count", options.map.count,
                   "Functions of the space on the map, drawn at random; all if there are fewer");
  add_whole_number(verb, "--inputs", options.map.inputs.inputs, "Number of inputs at which outputs are compared");
  verb.add_flag("--normal", options.normal, "Take normal inputs instead of evenly spaced ones");
  add_whole_number(verb, "--neighbours", options.map.map.output_neighbours, "UMAP's n_neighbors");
  verb.add_option("--min-dist", options.map.map.umap.min_dist, "UMAP's min_dist")->capture_default_str();
  add_whole_number(verb, "--seed", options.seed, "Same seed, same map")->common();
  add_whole_number(verb, "--threads", options.threads, "0: one per processor. The answer is the same");
}

std::string regressor_names() {
  std::vector<std::string_view> names;
  for (const RegressorRow& row : regressors()) names.push_back(row.name);
  return name_list(names);
}

}  // namespace

void add_reverse(CLI::App& app, VerbAction& chosen) {
  CLI::App* verb = app.add_subcommand("reverse", "Make a function for a point on a map where the space has none");
  const auto options = std::make_shared<Options>();
  add_space_option(*verb, options->space);
  verb->get_option("--space")->required(false);
  verb->add_option("--at", options->at, "A point on the map; repeatable")->type_name("X,Y")->take_all()->common();
  verb->add_option("--between", options->between, "Points between two functions, or a grid of points between four")
      ->type_name("EXPR,EXPR")
      ->common();
  add_whole_number(*verb, "--steps", options->steps, "With --between: number of points, both ends included");
  verb->add_flag("--empty", options->empty,
                 "The emptiest point; with --study, the empty point with the best predicted score")
      ->common();
  add_whole_number(*verb, "--places", options->places,
                   "With --empty, without --study: how many holes, the largest first");
  verb->add_option("--study", options->study, "Put its trials on the map too, and predict scores from theirs")
      ->type_name("STUDY")
      ->common();
  verb->add_option("--regressor", options->regressor, "Predicts scores: " + regressor_names())->capture_default_str();
  verb->add_option("--clearance", options->clearance,
                   "With --study: least distance to every function; by default, farther than 19 of 20 functions "
                   "are from their nearest")
      ->type_name("D");
  add_map_options(*verb, *options);
  add_piecewise_options(*verb, options->reverse.fit);
  verb->add_option("--plot", options->plot, "Draw the map, the points and their functions (.svg or .png)")
      ->type_name("FILE")
      ->common();
  verb->add_flag("--json", options->json, "Answer in JSON");
  verb->footer(
      "Functions are mapped by their outputs (UMAP). A point is turned into outputs, the mean of its neighbours', and "
      "these "
      "into\na function of a few pieces, as by 'actforge fn fit'. The function is then put on the map itself, and the "
      "distance to\nthe point it was made for is reported.\n\nExamples:\n"
      "  actforge reverse --space aquasurf-3 --between 'relu(x),tanh(x)' --plot way.svg\n"
      "  actforge reverse --space aquasurf-3 --empty --smooth\n"
      "  actforge reverse --study study.db --empty");
  verb->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace actforge::tool

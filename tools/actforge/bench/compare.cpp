#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "actforge/base/atomic_file.h"
#include "actforge/contest/contest_chart.h"
#include "tools/actforge/common/step_clock.h"
#include "tools/actforge/common/table.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

struct Options {
  ContestOptions contest;
  std::string strategies = "random,cafe,pangaea,aquasurf";
  std::string measure = "accuracy";
  std::vector<std::string> files;
  std::uint64_t seed = 0, threads = 0;
  bool json = false;
};

// Each kind of file by its extension.
struct FileKind {
  std::string_view extension;
  std::string (*make)(const ContestSummary& summary, const ContestOptions& options);
};
constexpr FileKind kFileKinds[] = {
    {".csv", [](const ContestSummary& summary, const ContestOptions&) { return contest_csv(summary); }},
    {".svg", [](const ContestSummary& summary, const ContestOptions&) { return contest_chart(summary); }},
    {".html", contest_page},
};

const FileKind& kind_of(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  for (const FileKind& kind : kFileKinds) {
    if (kind.extension == extension) return kind;
  }
  throw Error(ErrorCode::kUsage, "'" + path + "': a comparison is written as .csv, .svg or .html");
}

nlohmann::json interval_json(const Interval& interval) { return {number(interval.low), number(interval.high)}; }

nlohmann::json row_json(const ContestRow& row) {
  nlohmann::json json = {{"strategy", row.name}, {"seconds", row.seconds}};
  for (const SampleSummary& point : row.curve) json["curve"].push_back(number(point.mean));
  if (!row.curve.empty()) {
    const SampleSummary& end = row.curve.back();
    json["end"] = {{"mean", number(end.mean)}, {"low", number(end.low)}, {"high", number(end.high)}};
  }
  for (const EvaluationsNeeded& needed : row.needed) {
    json["needed"].push_back({{"within", needed.within},
                              {"median", number(needed.median)},
                              {"interval", interval_json(needed.interval)},
                              {"reached", needed.reached}});
  }
  return json;
}

nlohmann::json to_json(const ContestSummary& summary, const Options& options) {
  nlohmann::json json = {{"benchmark", options.contest.benchmark}, {"trials", options.contest.trials},
                         {"repeats", options.contest.repeats},     {"best", number(summary.best)},
                         {"strategies", nlohmann::json::array()},  {"tests", nlohmann::json::array()},
                         {"known", nlohmann::json::array()}};
  for (const ContestRow& row : summary.rows) json["strategies"].push_back(row_json(row));
  for (const ContestTest& test : summary.tests) {
    json["tests"].push_back({{"a", test.a},
                             {"b", test.b},
                             {"difference", interval_json(test.difference)},
                             {"wins", number(test.wins)},
                             {"p", number(test.p)}});
  }
  for (const ContestField::Known& known : summary.known) {
    json["known"].push_back({{"name", known.name}, {"score", number(known.score)}});
  }
  return json;
}

void print(const ContestSummary& summary, const Options& options) {
  fmt::print("{} searches of each strategy, {} evaluations each; the best function has a true score of {:.4f}\n",
             options.contest.repeats, options.contest.trials, summary.best);
  if (!summary.known.empty()) {
    fmt::print("the best known function is {}, with {:.4f}\n", summary.known[0].name, summary.known[0].score);
  }
  std::vector<std::vector<std::string>> rows = contest_table(summary);
  const std::vector<std::string> titles = rows[0];
  rows.erase(rows.begin());
  print_table(titles, std::move(rows));
  for (const std::string& claim : contest_claims(summary)) fmt::print("{}\n", claim);
  for (const std::string& path : options.files) fmt::print("written: {}\n", path);
}

int run(Options options) {
  for (const std::string& path : options.files) kind_of(path);
  for (const std::string& path : options.files) check_writable(path);
  if (options.measure == "loss") options.contest.measure = BenchmarkMeasure::kLoss;
  const ContestField field(options.contest);
  std::vector<Contestant> contestants;
  for (const std::string& text : split_list(options.strategies))
    contestants.push_back(read_contestant(text, field.options()));
  if (contestants.empty()) throw Error(ErrorCode::kUsage, "--strategies names none");
  StepClock clock;
  std::vector<ContestResult> results;
  for (const Contestant& contestant : contestants) {
    clock.begin(contestant.name);
    RunContext context = clock.context(options.seed, options.threads);
    context.progress = [&](std::string_view, std::size_t done, std::size_t all) {
      clock.show(contestant.name, done, all);
    };
    results.push_back(field.run(contestant, context));
  }
  clock.end();
  const ContestSummary summary = summarise_contest(field, results);
  for (const std::string& path : options.files) write_file(path, kind_of(path).make(summary, options.contest));
  options.json ? print_json(to_json(summary, options)) : print(summary, options);
  return 0;
}

}  // namespace

VerbAction add_bench_compare(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  ContestOptions& contest = options->contest;
  verb.add_option("BENCHMARK", contest.benchmark, "A benchmark's file, in either form")->required();
  verb.add_option("--strategies", options->strategies,
                  "By commas; options of a strategy follow it by colons, such as aquasurf:features=both:regressor=gp")
      ->capture_default_str();
  add_whole_number(verb, "--trials", contest.trials, "Evaluations of a search, repeats included");
  add_whole_number(verb, "--repeats", contest.repeats, "Searches of each strategy, with other seeds");
  add_whole_number(verb, "--maps", contest.maps, "Maps of the space that the searches of a strategy share in turn");
  verb.add_option("--preset", contest.preset, "Where options of strategies come from: standard, paper or mini")
      ->capture_default_str();
  verb.add_option("--space", contest.space, "Of a benchmark that does not say it");
  verb.add_option("--measure", options->measure, "What searches look for")
      ->capture_default_str()
      ->check(CLI::IsMember({"accuracy", "loss"}));
  verb.add_option("-o,--output", options->files, "Also write curves (.csv), a picture (.svg) or a page (.html)")
      ->type_name("FILE");
  add_whole_number(verb, "--seed", options->seed, "Of the first search");
  add_whole_number(verb, "--threads", options->threads, "Searches at a time; 0: one per processor");
  verb.add_flag("--json", options->json, "Answer in JSON");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool

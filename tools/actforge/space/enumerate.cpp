#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "actforge/expr/language/print.h"
#include "actforge/space/unique.h"
#include "tools/actforge/common/function_writer.h"
#include "tools/actforge/common/interrupt.h"
#include "tools/actforge/common/messages.h"
#include "tools/actforge/common/progress.h"
#include "tools/actforge/space/options.h"

namespace actforge::tool {
namespace {

constexpr std::uint64_t kMostWithoutCount = 10'000'000;

struct Options {
  SpaceOptions space;
  std::string from = "0";
  std::optional<std::string> count;
  std::optional<std::string> output;
  std::uint64_t threads = 0;
  std::uint64_t inputs = FingerprintOptions{}.inputs;
  std::uint64_t seed = FingerprintOptions{}.seed;
  bool unique = false;
  bool count_only = false;
  bool json = false;
};

struct Range {
  Integer from;
  Integer count;
};

Range read_range(const Options& options, const Space& space) {
  Range range{.from = read_integer(options.from, "--from"), .count = 0};
  if (range.from > space.total()) {
    throw Error(ErrorCode::kBadInput, fmt::format("there is no function {}; the space has {}", with_commas(range.from),
                                                  with_commas(space.total())));
  }
  range.count = space.total() - range.from;
  if (options.count) {
    const Integer wanted = read_integer(*options.count, "--count");
    if (wanted < range.count) range.count = wanted;
  }
  return range;
}

UniqueFunctions compare(const Options& options, const Space& space, const Range& range, const RunContext& context) {
  Progress progress("comparing");
  RunContext run = context;
  run.threads = options.threads;
  run.progress = [&](std::string_view, std::size_t done, std::size_t total) { progress.show(done, total); };
  return find_unique(space, {.fingerprint = {.inputs = options.inputs, .seed = options.seed},
                             .run = run,
                             .keep_classes = !options.count_only,
                             .from = range.from,
                             .count = range.count});
}

int count_only(const Options& options, const Space& space, const Range& range, const RunContext& context) {
  const auto start = std::chrono::steady_clock::now();
  nlohmann::json json = {{"total", integer_json(range.count)}};
  std::string text = with_commas(range.count) + " functions";
  if (options.unique) {
    const UniqueFunctions result = compare(options, space, range, context);
    json["unique"] = result.unique;
    text += fmt::format(", {} unique", with_commas(result.unique));
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  json["seconds"] = seconds;
  options.json ? print_json(json) : fmt::print("{} ({:.2f} s)\n", text, seconds);
  return 0;
}

// Hands on rows to a writer, or gathers them for one JSON answer.
class Sink {
 public:
  Sink(const Options& options, const Space& space, const Range& range)
      : json_(options.json), output_(options.output), writer_(options.output, options.unique) {
    if (json_) answer_ = {{"space", space.name()}, {"total", integer_json(space.total())}};
    if (json_) answer_["from"] = integer_json(range.from);
  }

  void add(const FunctionRow& row) {
    ++count_;
    if (json_ && !output_) {
      rows_.push_back(to_json(row));
    } else {
      writer_.write(row);
    }
  }

  // Ends early. A file that is there stays: what was written goes beside it.
  void stop(const Range& range, std::uint64_t done) {
    const std::string part = writer_.finish_part();
    const Integer next = range.from + done, left = range.count - done;
    warning("actforge: stopped{}; continue{} with --count {} --from {}",
            part.empty() ? "" : "; what there is went to " + part, part.empty() ? "" : ", into another file,",
            left.str(), next.str());
  }

  void finish() {
    writer_.finish();
    if (json_) {
      output_ ? answer_["file"] = *output_ : answer_["functions"] = std::move(rows_);
      answer_["count"] = count_;
      print_json(answer_);
    } else if (output_) {
      note("wrote {} functions to {}", with_commas(count_), *output_);
    }
  }

 private:
  bool json_;
  std::optional<std::string> output_;
  FunctionWriter writer_;
  nlohmann::json answer_, rows_ = nlohmann::json::array();
  std::uint64_t count_ = 0;
};

FunctionRow row_of(const Space& space, const Integer& index) {
  return {.index = index, .expression = to_call(space.at(index))};
}

int enumerate_all(const Options& options, const Space& space, const Range& range, const RunContext& context) {
  Sink sink(options, space, range);
  Progress progress("enumerating");
  const auto total = static_cast<std::uint64_t>(range.count);
  for (std::uint64_t i = 0; i < total; ++i) {
    if (context.stopped()) {
      sink.stop(range, i);
      return cancelled_exit_code();
    }
    sink.add(row_of(space, range.from + i));
    if (options.output) progress.show(i + 1, total);
  }
  sink.finish();
  return 0;
}

int enumerate_unique(const Options& options, const Space& space, const Range& range, const RunContext& context) {
  Sink sink(options, space, range);  // first, so that a file that cannot be written shows before the work
  const UniqueFunctions result = compare(options, space, range, context);
  const auto members = result.members();
  Progress progress("writing");
  for (std::size_t i = 0; i < members.size(); ++i) {
    context.check();
    FunctionRow row = row_of(space, range.from + members[i][0]);
    row.fingerprint = result.fingerprints[i].hex();
    for (std::size_t j = 1; j < members[i].size(); ++j) {
      row.equivalents.push_back(row_of(space, range.from + members[i][j]));
    }
    sink.add(row);
    if (options.output) progress.show(i + 1, members.size());
  }
  sink.finish();
  return 0;
}

void check_size(const Options& options, const Range& range) {
  const std::string many = with_commas(range.count) + " functions are a lot: ";
  check_json_size(options.json && !options.output, range.count, ", or name a file with -o x.jsonl");
  if (!options.count && range.count > kMostWithoutCount) {
    throw Error(ErrorCode::kUsage, many + "say how many with --count");
  }
  if (range.count > std::numeric_limits<std::uint64_t>::max()) {
    throw Error(ErrorCode::kUsage, many + "say fewer with --count");
  }
}

int run(const Options& options) {
  constexpr std::uint64_t kMostThreads = 1024, kMostInputs = 1'000'000;
  if (options.threads > kMostThreads)
    throw Error(ErrorCode::kUsage, fmt::format("--threads: {} at most", kMostThreads));
  if (options.inputs < 1 || options.inputs > kMostInputs) {
    throw Error(ErrorCode::kUsage, fmt::format("--inputs goes from 1 to {}", kMostInputs));
  }
  if (options.count_only && options.output) {
    throw Error(ErrorCode::kUsage, "--count-only writes no file; leave out -o, or --count-only");
  }
  const Space space = read_space(options.space);
  const Range range = read_range(options, space);
  const Interrupt interrupt;
  const RunContext context = interrupt.context();
  try {
    if (options.count_only) return count_only(options, space, range, context);
    check_size(options, range);
    return options.unique ? enumerate_unique(options, space, range, context)
                          : enumerate_all(options, space, range, context);
  } catch (const Error& error) {
    const bool is_whole = options.output || options.count_only;
    if (error.code() != ErrorCode::kCancelled || !is_whole) throw;
    throw Error(ErrorCode::kCancelled, "stopped; nothing was written");
  }
}

}  // namespace

VerbAction add_space_enumerate(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  add_space_argument(verb, options->space);
  verb.add_flag("--unique", options->unique,
                "Only the first function of each class of equal ones, with the others listed")
      ->common();
  verb.add_option("--from", options->from, "Index of the first function")
      ->capture_default_str()
      ->type_name("I")
      ->common();
  verb.add_option("--count", options->count, "How many [all that follow]")->type_name("N")->common();
  verb.add_flag("--count-only", options->count_only, "Print only how many there are")->common();
  verb.add_option("-o,--output", options->output, "Write them to a file, .csv or .jsonl")->type_name("FILE")->common();
  add_whole_number(verb, "--threads", options->threads, "For --unique; 0: one per processor. The result is the same");
  add_whole_number(verb, "--inputs", options->inputs, "For --unique: number of inputs at which outputs are compared");
  add_whole_number(verb, "--seed", options->seed, "For --unique: where the inputs come from");
  verb.add_flag("--json", options->json,
                "Answer in JSON; with --unique --count-only {\"total\":...,\"unique\":...,\"seconds\":...}");
  verb.footer(
      "The order never changes, so --from can continue an earlier enumeration. Functions are equal when they have "
      "the\n"
      "same float32 outputs for 1,000 normal inputs in [-5,5]; -0 and +0 are the same, and NaN equals NaN.");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool

#include <fmt/format.h>

#include <memory>

#include "actforge/base/atomic_file.h"
#include "actforge/base/csv.h"
#include "tools/actforge/search/options.h"

namespace actforge::tool {
namespace {

struct Options {
  std::string place, format = "csv", output;
};

// To a file that appears when it is whole, or to standard output piece by piece.
class Sink {
 public:
  explicit Sink(const std::string& path) : file_(path.empty() ? nullptr : std::make_unique<AtomicFile>(path)) {}
  void write(std::string_view text) { file_ != nullptr ? file_->write(text) : write_output(text); }
  void commit() {
    if (file_ != nullptr) file_->commit();
  }

 private:
  std::unique_ptr<AtomicFile> file_;
};

std::string joined(const std::vector<std::int64_t>& numbers) { return fmt::format("{}", fmt::join(numbers, " ")); }

void write_csv(Store& store, const std::vector<Objective>& objectives, Sink& sink) {
  std::string head = "number,expression,status,score";
  for (const Objective& objective : objectives) head += "," + csv_field(objective.name);
  sink.write(head +
             ",seconds,generation,origin,parents,attempt,key,seed,asked,finished,worker,version,reason,repeat_of,"
             "hyperparameters\n");
  store.each([&](const Trial& trial) {
    const TrialPlan& plan = trial.plan;
    const TrialOutcome& outcome = trial.outcome;
    std::string line =
        fmt::format("{},{},{},{}", trial.number, csv_field(plan.expression), trial_status_name(trial.status()),
                    outcome.scores.empty() ? "" : fmt::format("{}", outcome.scores[0]));
    for (std::size_t i = 0; i < objectives.size(); ++i) {
      line += "," + (i < outcome.scores.size() ? fmt::format("{}", shown_score(objectives[i], outcome.scores[i])) : "");
    }
    line += fmt::format(",{},{},{},{},{},{},{},{:.3f},{:.3f},{},{},{},{},{}\n", outcome.seconds, plan.generation,
                        csv_field(plan.origin), joined(plan.parents), trial.attempt, csv_field(plan.key), plan.seed,
                        trial.asked, trial.finished, csv_field(trial.worker), csv_field(trial.version),
                        csv_field(outcome.reason), plan.is_repeat() ? std::to_string(plan.repeat_of) : "",
                        csv_field(hyperparameters_text(plan.hyperparameters)));
    sink.write(line);
  });
}

void write_json(Store& store, const std::vector<Objective>& objectives, Sink& sink) {
  const char* before = "[\n";
  store.each([&](const Trial& trial) {
    sink.write(before + trial_json(trial, objectives).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    before = ",\n";
  });
  sink.write(*before == '[' ? "[]\n" : "\n]\n");
}

int run(const Options& options) {
  const OpenStudy study = open_study(options.place);
  const std::vector<Objective> objectives = study_objectives(study.settings);
  Sink sink(options.output);
  options.format == "csv" ? write_csv(*study.store, objectives, sink) : write_json(*study.store, objectives, sink);
  sink.commit();
  return 0;
}

}  // namespace

VerbAction add_search_export(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("STUDY", options->place, "The study's file, such as study.db")->required();
  verb.add_option("--format", options->format, "csv or json")
      ->capture_default_str()
      ->check(CLI::IsMember({"csv", "json"}));
  verb.add_flag_callback(
      "--json", [options] { options->format = "json"; }, "The same as --format json");
  verb.add_option("-o,--output", options->output, "File to write [standard output]")->type_name("FILE");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool

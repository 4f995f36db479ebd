// `actforge fisher`, as the program with LibTorch runs it.
#include <fmt/format.h>

#include <algorithm>

#include "actforge/expr/language/print.h"
#include "actforge/recipe/training_data.h"
#include "actforge/report/svg/png.h"
#include "actforge/study/study.h"
#include "actforge/torch/fisher/fisher.h"
#include "actforge/torch/fisher/fisher_features.h"
#include "tools/actforge/common/function_list.h"
#include "tools/actforge/common/interrupt.h"
#include "tools/actforge/common/messages.h"
#include "tools/actforge/common/progress.h"
#include "tools/actforge/fisher/answer.h"
#include "tools/actforge/torch/verbs.h"

namespace actforge::tool {
namespace {

std::vector<Expr> read_functions(const std::vector<std::string>& texts) {
  std::vector<Expr> functions;
  for (const std::string& text : texts) {
    const std::vector<Expr> some = read_function_list(text);
    functions.insert(functions.end(), some.begin(), some.end());
  }
  return functions;
}

int answer(const FisherCommand& options, const FisherAnswer& answers) {
  if (!options.report.empty()) save_plot(spectrum_plot(answers), options.report);
  if (!options.json) {
    print_fisher(answers);
    if (!options.report.empty()) fmt::print("\nwritten: {}\n", options.report);
    return 0;
  }
  nlohmann::json json = fisher_json(answers);
  if (!options.report.empty()) json["file"] = options.report;
  print_json(json);
  return 0;
}

int measure(const FisherCommand& options) {
  if (!options.report.empty()) check_picture_name(options.report);
  const Dataset& dataset = find_dataset(options.data);
  const Network network = network_for(options.net, dataset);
  std::vector<Expr> functions = read_functions(options.activations);
  SpectrumTask task = spectrum_task(options, dataset);
  FisherAnswer answers = {.title = network.name() + " on " + std::string(dataset.name)};
  if (functions.size() < 2) {
    Network changed = network;
    if (!functions.empty()) changed.set_activation(functions[0]);
    answers.spectra.push_back(FisherProbe(task).measure(changed));
    answers.functions.push_back(functions.empty() ? "as in the network" : to_call(functions[0]));
    return answer(options, answers);
  }
  const Interrupt interrupt;
  {
    Progress bar("spectra");
    task.run.stop = interrupt.context().stop;
    task.run.progress = [&](std::string_view, std::size_t done, std::size_t total) { bar.show(done, total); };
    answers.spectra = FisherProbe(task).measure_all(network, functions);
  }
  for (const Expr& function : functions) answers.functions.push_back(to_call(function));
  return answer(options, answers);
}

// What was measured now.
struct Measured {
  std::size_t functions = 0, invalid = 0, elsewhere = 0;
  double seconds = 0;
};

// Less than all where the user stops it.
Measured measure_missing(const FisherFeatures& features, const std::vector<Expr>& missing) {
  Measured measured;
  Progress bar("spectra");
  const auto show = [&] { bar.show(measured.functions + measured.elsewhere, missing.size()); };
  const auto keep = [&](std::size_t done, const StudyFeatures& row) {
    measured.functions = done;
    measured.seconds += row.seconds;
    if (!row.valid) ++measured.invalid;
    show();
  };
  const auto skip = [&](const Expr&) {
    ++measured.elsewhere;
    show();
  };
  try {
    features.measure(missing, {.measured = keep, .elsewhere = skip});
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCancelled) throw;
  }
  return measured;
}

// Features for a study: of the given functions, or of all its trials. What is there already is not measured again.
int measure_for_study(const FisherCommand& options) {
  const OpenStudy study = open_study(options.study);
  const Interrupt interrupt;
  RunContext run = interrupt.context();
  run.threads = options.threads;
  const FisherFeatures features(study, options.fisher, run);
  std::vector<Expr> functions = read_functions(options.activations);
  if (functions.empty()) {
    study.store->each([&](const Trial& trial) {
      if (!trial.plan.is_repeat()) functions.push_back(read_expr(trial.plan.expression));
    });
  }
  const std::vector<Expr> missing = features.missing(functions);
  const Measured measured = measure_missing(features, missing);
  if (options.json) {
    print_json({{"group", features.group()},
                {"functions", functions.size()},
                {"measured", measured.functions},
                {"invalid", measured.invalid},
                {"left", features.missing(functions).size()},
                {"elsewhere", measured.elsewhere},
                {"seconds", measured.seconds}});
  } else {
    fmt::print("{}\n{} functions: {} measured now ({} without a valid spectrum, {:.1f} s of work), {} were there",
               features.group(), functions.size(), measured.functions, measured.invalid, measured.seconds,
               functions.size() - missing.size());
    if (measured.elsewhere > 0) fmt::print(", {} are being measured by another process", measured.elsewhere);
    fmt::print("\n");
  }
  if (!interrupt.requested()) return 0;
  warning("actforge: stopped; the same command continues");
  return interrupt.exit_code();
}

}  // namespace

int run_fisher(const FisherCommand& command) {
  return command.study.empty() ? measure(command) : measure_for_study(command);
}

}  // namespace actforge::tool

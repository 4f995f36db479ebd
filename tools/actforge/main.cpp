#include "tools/actforge/main.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <chrono>
#include <cstdio>
#include <exception>
#include <new>
#include <system_error>

#include "actforge/base/error.h"
#include "actforge/base/version.h"
#include "tools/actforge/common/interrupt.h"
#include "tools/actforge/common/messages.h"
#include "tools/actforge/common/verb.h"
#include "tools/actforge/help/help.h"
#include "tools/actforge/help/parse_error.h"

namespace actforge::tool {
namespace {

// An expression or a number may begin with a minus sign, which would make it look like an option: a blank in front
// helps, which common/cli.cpp takes away again.
std::vector<std::string> read_arguments(int argc, char** argv) {
  std::vector<std::string> arguments;
  for (int i = argc - 1; i > 0; --i) {  // CLI11 takes them in reverse
    std::string argument = argv[i];
    // The only short options are -h, -V and -o (and no other operator begins like one(x)).
    const bool is_option = argument == "-h" || argument == "-V" || argument.starts_with("--") ||
                           (argument.starts_with("-o") && !argument.starts_with("-one("));
    const bool is_expression = argument.size() > 1 && argument[0] == '-' && !is_option;
    arguments.push_back(is_expression ? " " + argument : argument);
  }
  return arguments;
}

// With --verbose: what was asked, and how long it took.
int run_verb(const VerbAction& verb, int argc, char** argv) {
  const auto start = std::chrono::steady_clock::now();
  detail("{}: {}", software_version(), fmt::join(argv, argv + argc, " "));
  const int code = verb.run();
  detail("{:.3f} s", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return code;
}

// Options that every command has, wherever they stand.
void add_everywhere(::CLI::App& app, MessageOptions& messages) {
  const auto add = [&](const char* name, auto add_it) {
    if (app.get_option_no_throw(name) == nullptr) add_it()->group(kEverywhere);
  };
  add("--log", [&] {
    return app.add_option("--log", messages.log, "Also append what is said on standard error to a file")
        ->type_name("FILE");
  });
  add("--quiet",
      [&] { return app.add_flag("--quiet", messages.quiet, "Say nothing but the answer, warnings and errors"); });
  add("--verbose",
      [&] { return app.add_flag("--verbose", messages.verbose, "Also say what is done, and how long it took"); });
  for (const char* help : {"--help", "--help-all"}) app.get_option(help)->group(kEverywhere);
  for (::CLI::App* command : app.get_subcommands(nullptr)) add_everywhere(*command, messages);
}

void add_commands(CLI::App& commands, VerbAction& chosen) {
  for (const auto add : {add_fn, add_space, add_net, add_data, add_init, add_train, add_fisher, add_search, add_bench,
                         add_reverse, add_embed, add_report, add_help}) {
    add(commands, chosen);
  }
}

int run(int argc, char** argv) {
  ::CLI::App app("actforge finds a better activation function and the right initial weights for a neural network.",
                 "actforge");
  app.set_version_flag("-V,--version", software_version())->group(kEverywhere);
  app.set_help_flag("-h,--help", "The options that matter most, and examples");
  app.set_help_all_flag("--help-all", "Every option, also those of the commands below");
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 bad input, 4 storage, 130 or 143 stopped.\n"
      "Every command that answers something takes --json. 'actforge help COMMAND' says more of one.");
  VerbAction chosen;
  CLI::App commands(app);
  add_commands(commands, chosen);
  MessageOptions messages;
  add_everywhere(app, messages);
  try {
    app.parse(read_arguments(argc, argv));
  } catch (const ::CLI::ParseError& error) {
    return answer_parse_error(commands, error, argc == 1);
  }
  if (chosen.needs_libtorch && chosen.needs_libtorch()) become_torch_program(argv);
  set_messages(messages);
  return run_verb(chosen, argc, argv);
}

int fail(ErrorCode code, const char* what) {
  warning("actforge: {}", message_text(what));
  return code == ErrorCode::kCancelled ? cancelled_exit_code() : static_cast<int>(code);
}

}  // namespace

int run_program(int argc, char** argv, const LibTorch* libtorch) {
#ifdef __GLIBC__
  // Networks take and give back the same large blocks at every step. Asking the system for them each time was an eighth
  // of the time of a small network's spectrum.
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
  try {
    set_libtorch(libtorch);
    const int code = run(argc, argv);
    flush_output();
    return code;
  } catch (const Error& error) {
    return fail(error.code(), error.what());
  } catch (const std::system_error& error) {  // what fmt::print throws
    return fail(ErrorCode::kStorage, error.what());
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::kFailed, "out of memory");
  } catch (const std::exception& error) {
    return fail(ErrorCode::kFailed, error.what());
  }
}

}  // namespace actforge::tool

#include "tools/actforge/common/interrupt.h"

#include <csignal>
#include <initializer_list>

namespace actforge::tool {
namespace {

volatile std::sig_atomic_t received = 0;

// Leaves alone what the parent process asked to be ignored, as nohup and & do.
void install(void (*handler)(int), int flags) {
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction now = {}, action = {};
    sigaction(number, nullptr, &now);
    if (now.sa_handler == SIG_IGN) continue;
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(number, &action, nullptr);
  }
}

// From now on either signal ends the program.
void remember(int number) {
  received = number;
  install(SIG_DFL, 0);
}

}  // namespace

Interrupt::Interrupt() {
  received = 0;
  // A write that waits for its reader is restarted: the output then agrees with the message.
  install(remember, SA_RESTART);
}

Interrupt::~Interrupt() { install(SIG_DFL, 0); }

bool Interrupt::requested() const { return received != 0; }

int Interrupt::exit_code() const { return cancelled_exit_code(); }

RunContext Interrupt::context() const {
  return {.stop = [] { return received != 0; }};
}

int cancelled_exit_code() { return 128 + static_cast<int>(received == 0 ? SIGINT : received); }

}  // namespace actforge::tool

#include "actforge/interrupt.h"

#include <csignal>

namespace actforge::tool {
namespace {

volatile std::sig_atomic_t received = 0;

void remember(int number) { received = number; }

void install(void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt() {
  received = 0;
  install(remember, static_cast<int>(SA_RESETHAND));
}

Interrupt::~Interrupt() { install(SIG_DFL, 0); }

bool Interrupt::requested() const { return received != 0; }

int Interrupt::exit_code() const { return 128 + static_cast<int>(received); }

}  // namespace actforge::tool

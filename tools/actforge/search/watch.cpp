// A study's page, served to this machine only; nothing that a browser sends changes the study.
#include <fmt/format.h>
#include <httplib.h>

#include <chrono>
#include <memory>
#include <thread>

#include "actforge/study/live_page.h"
#include "tools/actforge/common/interrupt.h"
#include "tools/actforge/common/messages.h"
#include "tools/actforge/search/options.h"

namespace actforge::tool {
namespace {

struct Options {
  StudyArgument study;
  std::uint64_t port = 8765;
};

constexpr const char* kHost = "127.0.0.1";

// Against DNS rebinding: a foreign page whose name resolves to this address must not read the study.
bool is_ours(const httplib::Request& request, int port) {
  const std::string host = request.get_header_value("Host");
  return host == fmt::format("{}:{}", kHost, port) || host == fmt::format("localhost:{}", port);
}

void serve(httplib::Server& server, LivePage& page, const int& port) {
  server.set_pre_routing_handler([&port](const httplib::Request& request, httplib::Response& response) {
    response.set_header("X-Content-Type-Options", "nosniff");
    response.set_header("Cache-Control", "no-store");
    if (is_ours(request, port)) return httplib::Server::HandlerResponse::Unhandled;
    response.status = 403;
    return httplib::Server::HandlerResponse::Handled;
  });
  const auto answer = [&server](const char* path, const char* type, auto make) {
    server.Get(path, [type, make](const httplib::Request&, httplib::Response& response) {
      try {
        response.set_content(make(), type);
      } catch (const Error& error) {
        response.status = 500;
        response.set_content(std::string("the study cannot be read: ") + error.what() + "\n", "text/plain");
      }
    });
  };
  answer("/", "text/html; charset=utf-8", [&page] { return page.html(); });
  answer("/revision", "text/plain", [&page] { return page.revision(); });
}

int run(const Options& options) {
  LivePage page(options.study.location);
  httplib::Server server;
  int port = static_cast<int>(options.port);
  serve(server, page, port);
  if (port == 0) {
    port = server.bind_to_any_port(kHost);
  } else if (!server.bind_to_port(kHost, port)) {
    port = -1;
  }
  if (port < 0) {
    throw Error(
        ErrorCode::kFailed,
        fmt::format("cannot listen on {}:{}; the port may be in use: --port 0 takes a free one", kHost, options.port));
  }
  const std::string address = fmt::format("http://{}:{}/", kHost, port);
  options.study.json ? print_json({{"url", address}}) : fmt::print("{}\n", address);
  flush_output();
  if (!options.study.json) note("open this address in a browser; Ctrl-C stops");
  const Interrupt interrupt;
  std::thread listener([&] { server.listen_after_bind(); });
  while (!interrupt.requested()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  server.stop();
  listener.join();
  return 0;
}

}  // namespace

VerbAction add_search_watch(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  add_study_argument(verb, options->study);
  verb.add_option_function(
          "--port",
          [options](const std::string& text) {
            options->port = read_whole_number(text, "--port");
            if (options->port > 65535) throw Error(ErrorCode::kUsage, "--port: at most 65535");
          },
          "Port on 127.0.0.1; 0: any free one (8765)")
      ->type_name("N");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool

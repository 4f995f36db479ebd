#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "actforge/store/sqlite/sqlite.h"
#include "tests/store/store_helpers.h"

namespace actforge {

inline std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::set<std::string> files_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

// Past the store, as somebody with another program would.
inline void run_sql(const std::string& path, const std::string& sql) {
  SqliteDatabase(path, {.create = true}).run(sql);
}

inline std::int64_t ask_number(const std::string& path, const char* sql) {
  SqliteDatabase database(path, {});
  return database.number(sql);
}

inline std::string ask_text(const std::string& path, const char* sql) {
  SqliteDatabase database(path, {});
  SqliteQuery query(database, sql);
  return query.next() ? query.text(0) : "nothing";
}

// Trials of every status, with curves and events.
inline void fill(Store& store, int trials) {
  ClaimRequest request = {.worker = worker_of("w"), .budget = trials};
  for (int i = 0; i < trials; ++i) {
    const Trial trial = store.claim(request, propose_next()).trial;
    for (int epoch = 1; epoch <= 3; ++epoch) {
      store.add_point(trial, request.worker, {.epoch = epoch, .score = epoch / 10.0, .metrics = "{}"});
    }
    TrialOutcome outcome = scored(i);
    outcome.status = i % 3 == 0 ? TrialStatus::kFailed : TrialStatus::kCompleted;
    if (i + 1 < trials) store.finish(trial, request.worker, outcome);
  }
  store.add_event("resumed", "by hand");
  store.add_seconds(12);
}

}  // namespace actforge

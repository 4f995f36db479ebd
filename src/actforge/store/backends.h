#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "actforge/store/store.h"

namespace actforge {

// A kind of store: a folder of its own, which gives this row for the table in backends.cpp. `rest` is a location
// without its scheme.
struct StoreBackend {
  std::string_view name;  // the scheme: what stands before the colon
  std::string_view summary;
  std::unique_ptr<Store> (*open)(const std::string& rest, const StoreOptions& options);
  std::unique_ptr<Store> (*create)(const std::string& rest, const StudyHeader& header, const StoreOptions& options);
  bool (*exists)(const std::string& rest);
  // What people call it, in titles and messages; never anything secret.
  std::string (*title)(const std::string& rest);
  // The same in words that mean the same in every folder.
  std::string (*absolute)(const std::string& rest);
  // A folder beside the study for logs of its trials, whether it exists or not; empty: the store is in no folder.
  std::string (*log_folder)(const std::string& rest);
};
std::span<const StoreBackend> store_backends();

// For the store at a location, whether it exists or not.
std::string store_title(const std::string& location);
std::string absolute_location(const std::string& location);
std::string store_log_folder(const std::string& location);

}  // namespace actforge

#include "actforge/store/backends.h"

#include <array>

#include "actforge/base/error.h"
#include "actforge/base/find_named.h"
#include "actforge/store/checks.h"

namespace actforge {

// A new backend is a folder with such a function, a line here and one in the table.
StoreBackend sqlite_backend();

namespace {

// The first is that of plain paths.
const std::array<StoreBackend, 1>& table() {
  static const std::array rows = {sqlite_backend()};
  return rows;
}

struct Address {
  const StoreBackend& backend;
  std::string rest;
};

// "sqlite:study.db" has the scheme of a row. "postgres://host/study" has one that there is not, and must not become a
// file of that name; all else is a path: "a:b.db", "./x://y".
Address address_of(const std::string& location) {
  if (location.empty()) throw Error(ErrorCode::kStorage, "a study needs a file name");
  const std::size_t colon = location.find(':');
  const std::string scheme = location.substr(0, colon);
  const bool is_scheme = colon != std::string::npos && scheme.find_first_of("/.") == std::string::npos;
  if (!is_scheme) return {table()[0], location};
  for (const StoreBackend& backend : table()) {
    if (backend.name == scheme) return {backend, location.substr(colon + 1)};
  }
  if (location.compare(colon, 3, "://") == 0) {
    return {find_named(table(), scheme, "kind of store", ErrorCode::kStorage), location};
  }
  return {table()[0], location};
}

}  // namespace

std::span<const StoreBackend> store_backends() { return table(); }

std::unique_ptr<Store> open_store(const std::string& location, const StoreOptions& options) {
  check_options(options);
  const Address address = address_of(location);
  return address.backend.open(address.rest, options);
}

std::unique_ptr<Store> create_store(const std::string& location, const StudyHeader& header,
                                    const StoreOptions& options) {
  check_options(options);
  const Address address = address_of(location);
  return address.backend.create(address.rest, header, options);
}

bool store_exists(const std::string& location) {
  const Address address = address_of(location);
  return address.backend.exists(address.rest);
}

std::string store_title(const std::string& location) {
  const Address address = address_of(location);
  return address.backend.title(address.rest);
}

std::string absolute_location(const std::string& location) {
  const Address address = address_of(location);
  return std::string(address.backend.name) + ":" + address.backend.absolute(address.rest);
}

std::string store_log_folder(const std::string& location) {
  const Address address = address_of(location);
  return address.backend.log_folder(address.rest);
}

}  // namespace actforge

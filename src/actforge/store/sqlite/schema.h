#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "actforge/store/sqlite/sqlite.h"

namespace actforge {

// "ActF": tells a study from any other SQLite file.
inline constexpr std::uint32_t kStudyApplicationId = 0x41637446;

// The schema of version n is what the first n steps leave. A step that was released is never changed; what is new is
// another row.
struct SchemaStep {
  std::string_view what;
  std::string_view sql;
};
std::span<const SchemaStep> schema_steps();
std::int64_t newest_schema();

// Runs the steps behind the file's version up to `version`. Within a transaction, so that a file never lies between
// two.
void run_schema_steps(SqliteDatabase& database, std::int64_t version);

// The version of the file. Throws Error (kStorage) for one that this program does not know.
std::int64_t known_schema(SqliteDatabase& database);

// Upgrades an older file.
void upgrade_schema(SqliteDatabase& database);

}  // namespace actforge

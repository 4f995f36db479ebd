#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "actforge/base/error.h"
#include "actforge/store/checks.h"
#include "actforge/store/sqlite/store.h"

namespace actforge {
namespace {

static_assert(std::endian::native == std::endian::little, "features are stored as little-endian numbers");

// Distributions have long runs of one number: packed, they take a tenth of the space.
std::string pack(const std::vector<float>& values) {
  uLongf size = compressBound(values.size() * sizeof(float));
  std::string packed(size, '\0');
  const int code = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                             reinterpret_cast<const Bytef*>(values.data()), values.size() * sizeof(float), 1);
  if (code != Z_OK) throw Error(ErrorCode::kFailed, "cannot pack features");
  packed.resize(size);
  return packed;
}

std::vector<float> unpack(const SqliteQuery& query, int count_column, int blob_column) {
  const std::int64_t count = query.integer(count_column);
  if (count < 0 || count > kMostFeatures) query.fail_damaged("'count' is " + std::to_string(count));
  const std::string packed = query.blob(blob_column);
  std::vector<float> values(static_cast<std::size_t>(count));
  uLongf size = values.size() * sizeof(float);
  Bytef nothing = 0;
  const int code = uncompress(values.empty() ? &nothing : reinterpret_cast<Bytef*>(values.data()), &size,
                              reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  const bool is_finite = std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
  if (code != Z_OK || size != values.size() * sizeof(float) || !is_finite) {
    query.fail_damaged("'packed' is not " + std::to_string(count) + " numbers");
  }
  return values;
}

}  // namespace

bool SqliteStore::write_features(const StudyFeatures& features) {
  SqliteTransaction transaction(database_);
  if (has_features({.group = features.group, .expression = {}, .key = features.key})) return false;
  insert_features(features, false);
  transaction.commit();
  return true;
}

// A row that is to be measured again goes first, so that the new one comes after all that anybody has read.
void SqliteStore::insert_features(const StudyFeatures& features, bool set_aside) {
  SqliteQuery(database_, "DELETE FROM measurements WHERE conditions = ? AND key = ?", features.group, features.key)
      .run();
  SqliteQuery(database_, "DELETE FROM features WHERE conditions = ? AND key = ? AND set_aside = 2", features.group,
              features.key)
      .run();
  SqliteQuery(database_,
              "INSERT INTO features (conditions, key, expression, valid, reason, count, packed, noise, seconds, "
              "version, set_aside) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
              features.group, features.key, features.expression, features.valid ? 1 : 0, features.reason,
              features.values.size(), SqliteBlob{pack(features.values)}, features.noise, features.seconds,
              features.version, set_aside ? 1 : 0)
      .run();
}

std::vector<StudyFeatures> SqliteStore::features(const std::string& group, std::int64_t& seen) {
  SqliteQuery query(database_,
                    "SELECT id, key, expression, valid, reason, count, packed, noise, seconds, version FROM features "
                    "WHERE conditions = ? AND id > ? AND set_aside < 2 ORDER BY id",
                    group, seen);
  std::vector<StudyFeatures> list;
  while (query.next()) {
    query.set_subject("features " + std::to_string(list.size()) + " of " + group + ": ");
    seen = query.integer(0);
    StudyFeatures row = {.group = group, .expression = query.text(2), .key = query.text(1)};
    row.valid = query.integer(3) != 0;
    row.reason = query.text(4);
    row.values = unpack(query, 5, 6);
    row.noise = query.real(7);
    row.seconds = query.real(8);
    row.version = query.text(9);
    if (row.values.empty() == row.valid) query.fail_damaged("'valid' contradicts 'count'");
    list.push_back(std::move(row));
  }
  return list;
}

std::vector<std::string> SqliteStore::feature_groups() {
  SqliteQuery query(database_, "SELECT conditions FROM features GROUP BY conditions ORDER BY min(id)");
  std::vector<std::string> groups;
  while (query.next()) groups.push_back(query.text(0));
  return groups;
}

std::vector<std::string> SqliteStore::feature_keys(const std::string& group) {
  SqliteQuery query(database_, "SELECT key FROM features WHERE conditions = ? AND set_aside < 2 ORDER BY id", group);
  std::vector<std::string> keys;
  while (query.next()) keys.push_back(query.text(0));
  return keys;
}

}  // namespace actforge

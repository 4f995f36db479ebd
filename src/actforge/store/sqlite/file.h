#pragma once

#include <string>

namespace actforge {

// What is at a path, judged by its first bytes: SQLite itself might write to another program's database on closing.
enum class StudyFileKind { kMissing, kEmpty, kStudy, kOther };

StudyFileKind study_file_kind(const std::string& path);

// Throw Error (kStorage) unless a study can be opened there, or created there.
void check_study_file(const std::string& path);
void check_new_study_file(const std::string& path);

// The path in a form that SQLite takes for nothing but a path; it gives ":memory:" and "file:..." a meaning of their
// own.
std::string plain_path(const std::string& path);

}  // namespace actforge

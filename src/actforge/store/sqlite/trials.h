#pragma once

#include <string>
#include <vector>

#include "actforge/store/sqlite/sqlite.h"
#include "actforge/store/trial.h"

namespace actforge {

// "SELECT the columns that read_trial wants, then the revision FROM trials ", with `rest` behind it.
std::string select_trials(std::string_view rest);
inline constexpr int kRevisionColumn = 20, kRepeatOfColumn = 21, kHyperparametersColumn = 22, kRefusedColumn = 23;

// The trial of the current row. A row that no store can have written is an Error (kStorage) that names file and trial.
Trial read_trial(SqliteQuery& row);
// Status, scores, reason, metrics and seconds, in columns from this one on.
TrialOutcome read_outcome(const SqliteQuery& row, int column);

// Lists as they are stored.
std::string number_list(const std::vector<std::int64_t>& numbers);
std::string number_list(const std::vector<double>& numbers);
std::string text_list(const std::vector<std::string>& texts);
std::string text_object(const Hyperparameters& values);

}  // namespace actforge

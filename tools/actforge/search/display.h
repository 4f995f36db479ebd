#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "actforge/study/standings.h"
#include "actforge/study/study.h"

namespace actforge::tool {

// What people see of a study while it runs, on standard error: on a terminal a few lines that change, elsewhere one
// line for each trial that ends.
class SearchDisplay {
 public:
  SearchDisplay(Store& store, const StudySettings& settings);
  ~SearchDisplay();
  SearchDisplay(const SearchDisplay&) = delete;
  SearchDisplay& operator=(const SearchDisplay&) = delete;

  // Reads what is new, and shows it.
  void update(const std::vector<std::string>& workers);

 private:
  void update_best();
  void tell(const Trial& trial);
  void count_spectra();
  std::string worker_line(std::size_t number, const std::string& worker);
  std::string summary_line();
  void draw(const std::vector<std::string>& lines);
  void erase();

  Store& store_;
  const StudySettings& settings_;
  std::vector<Objective> objectives_;
  std::int64_t seen_ = 0, ended_ = 0, counted_ended_ = 0;
  std::vector<Trial> running_;
  std::string spectra_group_;  // of the features that the strategy looks at; empty: it does not
  std::size_t spectra_ = 0, spectra_told_ = 0;
  std::optional<Standing> best_;
  bool is_terminal_;
  std::size_t drawn_ = 0;  // lines
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), last_ = {}, counted_ = {},
                                        next_best_ = {};
};

}  // namespace actforge::tool

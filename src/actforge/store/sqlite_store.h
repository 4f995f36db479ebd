#pragma once

#include "actforge/store/sqlite.h"
#include "actforge/store/store.h"

namespace actforge {

// A study in one SQLite file. What is where: sqlite_claim.cpp has the life of a trial, from the claim to its end;
// sqlite_read.cpp what can be asked; sqlite_runs.cpp what comes after the search; sqlite_features.cpp what describes
// functions; sqlite_store.cpp opening, making, and the rest.
class SqliteStore : public Store {
 public:
  static std::unique_ptr<Store> open(const std::string& path, const StoreOptions& options);
  static std::unique_ptr<Store> create(const std::string& path, const StudyHeader& header, const StoreOptions& options);
  static bool exists(const std::string& path);

  StudyHeader header() override;
  void keep_settings(const std::string& settings) override;
  Claim claim(ClaimRequest& request, const Proposer& propose) override;
  bool beat(const Trial& trial, const WorkerName& worker) override;
  bool finish(const Trial& trial, const WorkerName& worker, const TrialOutcome& outcome) override;
  void release(const Trial& trial, const WorkerName& worker, const std::string& reason) override;
  int release_dead(const std::string& worker) override;
  int release_expired() override;
  int retry_quarantined() override;
  std::vector<std::string> workers() override;
  void add_point(const Trial& trial, const WorkerName& worker, const CurvePoint& point) override;
  std::vector<CurvePoint> curve(std::int64_t number) override;
  std::vector<double> scores_at(std::int64_t epoch, std::int64_t number) override;
  std::vector<Trial> changes(std::int64_t& seen) override;
  std::optional<Trial> find(std::int64_t number) override;
  std::vector<Trial> top(std::size_t count) override;
  void each(const std::function<void(const Trial&)>& visit) override;
  TrialCounts counts() override;
  bool add_run(const StudyRun& run) override;
  std::vector<StudyRun> runs(const std::string& group) override;
  std::vector<std::string> run_groups() override;
  bool add_features(const StudyFeatures& features) override;
  std::vector<StudyFeatures> features(const std::string& group, std::int64_t& seen) override;
  std::vector<std::string> feature_groups() override;
  std::vector<std::string> feature_keys(const std::string& group) override;
  void add_seconds(double seconds) override;
  double seconds() override;
  void add_event(const std::string& kind, const std::string& text) override;
  std::vector<StudyEvent> events() override;

 private:
  SqliteStore(const std::string& path, const StoreOptions& options, bool create);

  double now() const;
  // Within a transaction, each.
  std::int64_t next_revision();
  std::int64_t next_finish_order();
  std::optional<std::int64_t> first_queued();
  Trial start(std::int64_t number, const WorkerName& worker);
  std::optional<std::int64_t> equal_trial(const TrialPlan& plan);
  void insert(std::int64_t number, const TrialPlan& plan);
  bool holds(const Trial& trial, const WorkerName& worker);
  // The claim of a running trial ends without a result.
  void end_attempt(std::int64_t number, std::int64_t attempt, const std::string& reason);

  StoreOptions options_;
  SqliteDatabase database_;
};

}  // namespace actforge

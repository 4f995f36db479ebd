#pragma once

#include "actforge/store/sqlite/sqlite.h"
#include "actforge/store/store.h"

namespace actforge {

// A study in one SQLite file. What is where: claim.cpp has the life of a trial, from the claim to its end;
// lost_claims.cpp what happens to claims of trials and of features whose worker is gone; read.cpp the queries;
// runs.cpp what comes after the search; features.cpp what describes functions; feature_claims.cpp who measures it;
// store.cpp opening, making, and the rest.
class SqliteStore : public Store {
 public:
  static std::unique_ptr<Store> open(const std::string& path, const StoreOptions& options);
  static std::unique_ptr<Store> create(const std::string& path, const StudyHeader& header, const StoreOptions& options);
  static bool exists(const std::string& path);

  StudyHeader header() override;
  void keep_settings(const std::string& settings) override;
  void release(const Trial& trial, const WorkerName& worker, const std::string& reason) override;
  int release_dead(const std::string& worker) override;
  int release_expired() override;
  int retry_quarantined() override;
  std::vector<std::string> workers() override;
  std::vector<CurvePoint> curve(std::int64_t number) override;
  std::vector<double> scores_at(std::int64_t epoch, std::int64_t number) override;
  std::vector<Trial> changes(std::int64_t& seen) override;
  std::optional<Trial> find(std::int64_t number) override;
  std::vector<Trial> top(std::size_t count) override;
  void each(const std::function<void(const Trial&)>& visit) override;
  TrialCounts counts() override;
  std::vector<StudyRun> runs(const std::string& group) override;
  std::vector<std::string> run_groups() override;
  std::vector<StudyFeatures> features(const std::string& group, std::int64_t& seen) override;
  std::vector<std::string> feature_groups() override;
  std::vector<std::string> feature_keys(const std::string& group) override;
  void release(const FeatureClaim& claim, const WorkerName& worker, const std::string& reason) override;
  void rename_group(const std::string& from, const std::string& to) override;
  double seconds() override;
  void add_event(const std::string& kind, const std::string& text) override;
  std::vector<StudyEvent> events() override;

 protected:
  std::optional<Trial> take_queued(const WorkerName& worker) override;
  Outlook look(const ClaimRequest& request) override;
  std::optional<Claim> insert_trial(std::int64_t number, const TrialPlan& plan, const WorkerName& worker) override;
  std::optional<Enqueued> insert_queued(std::int64_t number, const TrialPlan& plan) override;
  bool renew(const Trial& trial, const WorkerName& worker) override;
  bool write_outcome(const Trial& trial, const WorkerName& worker, const TrialOutcome& outcome) override;
  void write_point(const Trial& trial, const WorkerName& worker, const CurvePoint& point) override;
  bool write_run(const StudyRun& run) override;
  bool write_features(const StudyFeatures& features) override;
  std::optional<FeatureClaim> take_features(const FeatureTarget& target, const WorkerName& worker) override;
  bool renew(const FeatureClaim& claim, const WorkerName& worker) override;
  void write_seconds(double seconds) override;

 private:
  SqliteStore(const std::string& path, const StoreOptions& options, bool create);

  double now() const;
  // Within a transaction, each.
  std::int64_t next_revision();
  std::int64_t next_finish_order();
  std::optional<std::int64_t> first_queued();
  std::int64_t next_number();
  Trial start(std::int64_t number, const WorkerName& worker);
  std::optional<std::int64_t> equal_trial(const TrialPlan& plan);
  void insert(std::int64_t number, const TrialPlan& plan);
  bool holds(const Trial& trial, const WorkerName& worker);
  bool holds(const FeatureClaim& claim, const WorkerName& worker);
  bool has_features(const FeatureTarget& target);
  void insert_features(const StudyFeatures& features, bool set_aside);
  // The claim of a running trial, or of features that are being measured, ends without a result.
  void end_attempt(std::int64_t number, std::int64_t attempt, const std::string& reason);
  void end_attempt(const FeatureClaim& claim, const std::string& reason);
  // Of all claims of which `condition` holds with this value. Returns how many.
  template <class Value>
  int end_lost(const std::string& condition, const Value& value);

  StoreOptions options_;
  SqliteDatabase database_;
};

}  // namespace actforge

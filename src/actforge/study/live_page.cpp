#include "actforge/study/live_page.h"

#include "actforge/study/study_page_of.h"

namespace actforge {

LivePage::LivePage(const std::string& location) : location_(location), study_(open_study(location)) {}

std::string LivePage::revision() {
  const std::scoped_lock lock(mutex_);
  return current();
}

std::string LivePage::html() {
  const std::scoped_lock lock(mutex_);
  if (const std::string now = current(); html_.empty() || now != made_at_) {
    study_ = open_study(location_);  // it may have gone on with another budget
    StudyPage page = study_page_of(study_, location_, false);
    page.live = true;
    page.revision = now;
    html_ = study_html(page);
    made_at_ = now;
  }
  return html_;
}

std::string LivePage::current() const {
  Store& store = *study_.store;
  const TrialCounts counts = store.counts();
  std::size_t runs = 0;
  for (const std::string& group : store.run_groups()) runs += store.runs(group).size();
  std::string text;
  for (const std::size_t count : {static_cast<std::size_t>(counts.trials), static_cast<std::size_t>(counts.over()),
                                  static_cast<std::size_t>(counts.running), runs, store.events().size()}) {
    text += (text.empty() ? "" : "-") + std::to_string(count);
  }
  return text;
}

}  // namespace actforge

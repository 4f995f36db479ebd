#pragma once

#include <mutex>
#include <string>

#include "actforge/study/study.h"

namespace actforge {

// The page of a study that is being run, made again when the study has changed. Any thread may ask: a store takes one
// at a time. Nothing here changes the study.
class LivePage {
 public:
  // Throws Error, as all of it does, where the study cannot be read.
  explicit LivePage(const std::string& location);

  // Changes whenever the page would.
  std::string revision();
  // HTML that asks for the revision, at /revision, and loads itself again when it is another.
  std::string html();

 private:
  std::string current() const;

  std::string location_;
  std::mutex mutex_;
  OpenStudy study_;
  std::string html_, made_at_;
};

}  // namespace actforge

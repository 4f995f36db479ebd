#include "actforge/study/study_page_of.h"

#include "actforge/expr/export/export.h"
#include "actforge/expr/language/parse.h"
#include "tests/search/study_helpers.h"

namespace actforge {
namespace {

// Every target of the table has a button; what is not text is copied as a line of Python that writes the file.
TEST(StudyPageOf, HasAButtonForEveryExportTarget) {
  const TestStudy study(quick_settings("random", 2));
  EXPECT_EQ(study.run([](const EvaluationRequest&) { return TrialOutcome{.scores = {1}}; }), WorkerEnd::kDone);
  const StudyPage page = study_page_of(open_study(study.place), study.place, false);
  ASSERT_FALSE(page.functions.empty());
  for (const PageFunction& function : page.functions) {
    const std::span<const ExportTarget> targets = export_targets();
    ASSERT_EQ(function.exports.size(), targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const auto& [title, text] = function.exports[i];
      EXPECT_EQ(title, targets[i].title);
      EXPECT_FALSE(title.empty());
      if (targets[i].binary) {
        EXPECT_TRUE(text.starts_with("import base64; open('activation" + std::string(targets[i].file_extension) + "'"));
      } else {
        EXPECT_EQ(text, export_expr(parse(function.expression), targets[i].name));
      }
    }
  }
}

}  // namespace
}  // namespace actforge

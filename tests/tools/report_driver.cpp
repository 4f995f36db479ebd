// Writes the pages that report_browser_test.py opens: report_driver FOLDER
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "tests/report/sample_study.h"

namespace {

using namespace actforge;
using namespace actforge::testing;

// Each tries to set a mark that the test looks for, in another way.
constexpr const char* kHostile =
    "</script></title></style><script>window.ran=1</script><img src=x onerror=window.ran=2>\" "
    "onmouseover=\"window.ran=3\" "
    "'autofocus onfocus='window.ran=4' \\u003cscript>window.ran=5</script> ]]>--><svg onload=window.ran=6> "
    "${window.ran=7} "
    "\xE2\x80\xA8 javascript:window.ran=8";

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

void write_pages(const std::string& folder) {
  StudyPage live = normal_page();
  live.live = true;
  live.revision = "1";
  for (const auto& [name, page] : {std::pair<std::string, StudyPage>{"normal", normal_page()},
                                   {"unfinished", unfinished_page()},
                                   {"large", large_page()},
                                   {"hostile", hostile_page(kHostile)},
                                   {"empty", empty_page()},
                                   {"failed", failed_page()},
                                   {"live", live}}) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    write(path.string() + ".html", study_html(page));
    for (const auto& [picture, svg] : study_pictures(page)) {
      write(path.string().append("-").append(picture).append(".svg"), svg);
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: report_driver FOLDER\n";
    return 2;
  }
  try {
    write_pages(arguments[1]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
  return 0;
}

#include "actforge/report/svg/png.h"
#include "actforge/report/plots/line_plot.h"

#include <cairo.h>
#include <glib.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <vector>

#include "actforge/base/atomic_file.h"
#include "tests/report/plot_helpers.h"
#include "tests/report/xml_reader.h"

// Fontconfig keeps what it has read until the process ends, out of the leak detector's sight.
extern "C" const char* __lsan_default_suppressions();  // NOLINT(clang-diagnostic-reserved-identifier)
const char* __lsan_default_suppressions() { return "leak:libfontconfig"; }

namespace actforge {
namespace {

using namespace actforge::testing;
namespace fs = std::filesystem;

class Png : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "actforge-png-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string in_folder(const std::string& name) const { return (folder_ / name).string(); }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

  fs::path folder_;
};

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class Picture {
 public:
  explicit Picture(const std::string& path)
      : surface_(cairo_image_surface_create_from_png(path.c_str()), cairo_surface_destroy) {
    EXPECT_EQ(cairo_surface_status(surface_.get()), CAIRO_STATUS_SUCCESS);
  }
  int width() const { return cairo_image_surface_get_width(surface_.get()); }
  int height() const { return cairo_image_surface_get_height(surface_.get()); }
  std::uint32_t rgb(int x, int y) const {
    const unsigned char* row =
        cairo_image_surface_get_data(surface_.get()) + y * cairo_image_surface_get_stride(surface_.get());
    return reinterpret_cast<const std::uint32_t*>(row)[x] & 0xFFFFFF;
  }
  // Much bluer than red: the first curve or its softened edge; no text, axis or grid is.
  bool is_curve(int x, int y) const {
    return static_cast<int>(rgb(x, y) & 0xFF) - static_cast<int>(rgb(x, y) >> 16) > 60;
  }

 private:
  std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> surface_;
};

LinePlot unnamed(const std::function<double(double)>& f) {
  return {.title = "t", .x_label = "x", .y_label = "y", .series = {sampled("", f, {-5, 5, 400})}};
}

constexpr const char* kSquare =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"20\"><rect width=\"15\" "
    "height=\"20\" fill=\"#ff0000\"/></svg>";

TEST_F(Png, HasTheSizeAndTheColoursOfTheDocument) {
  const std::string path = in_folder("square.png");
  write_png(kSquare, path, 3);
  EXPECT_TRUE(contents(path).starts_with("\x89PNG\r\n\x1a\n"));
  const Picture picture(path);
  EXPECT_EQ(picture.width(), 90);
  EXPECT_EQ(picture.height(), 60);
  EXPECT_EQ(picture.rgb(0, 0), 0xFF0000u);
  EXPECT_EQ(picture.rgb(44, 59), 0xFF0000u);
  EXPECT_EQ(picture.rgb(46, 30), 0u);  // transparent
  EXPECT_EQ(files(), 1);
}

// The curve is drawn, in the frame alone, and not across the pole.
TEST_F(Png, CurveIsInTheFrameAlone) {
  const LinePlot plot = unnamed(inverse);
  save_plot(plot, in_folder("p.png"));
  const Picture picture(in_folder("p.png"));
  ASSERT_EQ(picture.width(), 1440);
  ASSERT_EQ(picture.height(), 880);
  EXPECT_EQ(picture.rgb(0, 0), 0xFFFFFFu);
  const XmlElement svg = read_xml(to_svg(plot));
  const XmlElement& frame = *svg.of_class("frame");
  const double left = 2 * frame.number("x"), right = left + 2 * frame.number("width");
  const double top = 2 * frame.number("y"), bottom = top + 2 * frame.number("height");
  int inside = 0;
  for (int y = 0; y < picture.height(); ++y) {
    for (int x = 0; x < picture.width(); ++x) {
      if (!picture.is_curve(x, y)) continue;
      const bool in = left - 3 <= x && x <= right + 3 && top - 3 <= y && y <= bottom + 3;
      ASSERT_TRUE(in) << x << " " << y;
      ++inside;
    }
  }
  EXPECT_GT(inside, 2000);
  const int middle = static_cast<int>((left + right) / 2);
  for (int y = static_cast<int>(top) + 4; y < bottom - 4; ++y) EXPECT_FALSE(picture.is_curve(middle, y)) << y;
}

TEST_F(Png, EveryKindOfPlotCanBeDrawn) {
  LinePlot odd{.title = "<&\"'>\x02\xFF", .series = {sampled(std::string(300, '&'), relu), {}, {"p", {1}, {1}}}};
  odd.series.push_back(sampled("n", [](double) { return kNan; }));
  odd.series.push_back({"h", {-1e308, 1e308}, {-1e308, 1e308}});
  for (const LinePlot& plot : {odd, LinePlot{}, unnamed(exponential), unnamed([](double) { return 0; })}) {
    save_plot(plot, in_folder("k.png"));
    EXPECT_EQ(Picture(in_folder("k.png")).width(), 1440);
  }
}

TEST_F(Png, WhatCannotBeDrawnLeavesTheOldFile) {
  const std::string path = in_folder("old.png");
  write_file(path, "precious");
  for (const std::string& bad : std::vector<std::string>{"", "no picture", "<svg", "<html/>",
                                                         "<svg xmlns=\"http://www.w3.org/2000/svg\"><g></svg>"}) {
    const auto [code, message] = error_of([&] { write_png(bad, path); });
    EXPECT_EQ(code, kFailed) << bad;
    EXPECT_NE(message.find("cannot draw the picture"), std::string::npos) << message;
  }
  for (const double scale : {0.0, -1.0, kNan, kInf, 1e-9, 1e9, 1000.0, 2000.0}) {
    EXPECT_EQ(error_of([&] { write_png(kSquare, path, scale); }).first, kFailed) << scale;
  }
  EXPECT_EQ(contents(path), "precious");
  EXPECT_EQ(files(), 1);
}

TEST_F(Png, LoadsNoOtherFiles) {
  const std::string secret = in_folder("secret.png");
  write_png(kSquare, secret, 1);
  const auto corner_of_image = [&](const std::string& link) {
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" ";
    svg.append("width=\"30\" height=\"20\"><image width=\"30\" height=\"20\" xlink:href=\"").append(link);
    write_png(svg.append("\"/></svg>"), in_folder("out.png"), 1);
    return Picture(in_folder("out.png")).rgb(5, 10);
  };
  for (const std::string& link : {"file://" + secret, secret, std::string("secret.png")}) {
    EXPECT_EQ(corner_of_image(link), 0u) << link;
  }
  // The same picture is drawn when the document itself holds it.
  const std::string bytes = contents(secret);
  const std::unique_ptr<char, void (*)(void*)> base64(
      g_base64_encode(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()), g_free);
  EXPECT_EQ(corner_of_image("data:image/png;base64," + std::string(base64.get())), 0xFF0000u);
}

TEST_F(Png, SaysWhyItCannotWrite) {
  const auto [code, message] = error_of([&] { write_png(kSquare, in_folder("no/such/p.png")); });
  EXPECT_EQ(code, kStorage);
  EXPECT_NE(message.find("there is no folder '" + in_folder("no/such") + "'"), std::string::npos) << message;
  fs::create_directory(in_folder("folder.png"));
  EXPECT_EQ(error_of([&] { write_png(kSquare, in_folder("folder.png")); }).first, kStorage);
  EXPECT_EQ(error_of([&] { write_png(kSquare, "/dev/null"); }).first, kStorage);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(error_of([&] { write_png(kSquare, in_folder(std::string(300, 'n'))); }).first, kStorage);
  EXPECT_EQ(files(), 1);
}

// As on a full disk: half of the file can be written, then no more.
TEST_F(Png, FailureHalfwayLeavesTheOldFileAndNoOther) {
  const std::string path = in_folder("old.txt");
  write_file(path, "precious");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto [code, message] = error_of([&] { write_file(path, std::string(5000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(code, kStorage);
  EXPECT_NE(message.find("File too large"), std::string::npos) << message;
  EXPECT_EQ(contents(path), "precious");
  EXPECT_EQ(files(), 1);
}

TEST_F(Png, FilesAreReplacedAndLinksFollowed) {
  const std::string path = in_folder("f.txt");
  write_file(path, "one");
  fs::create_symlink("f.txt", in_folder("link.txt"));
  write_file(in_folder("link.txt"), "two");
  EXPECT_EQ(contents(path), "two");
  EXPECT_TRUE(fs::is_symlink(in_folder("link.txt")));
  EXPECT_EQ(files(), 2);
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  write_file("here.txt", "three");
  fs::current_path(before);
  EXPECT_EQ(contents(in_folder("here.txt")), "three");
}

TEST_F(Png, EndingOfTheNameDecides) {
  const LinePlot plot = unnamed(relu);
  save_plot(plot, in_folder("a.svg"));
  EXPECT_EQ(contents(in_folder("a.svg")), to_svg(plot));
  save_plot(plot, in_folder("b.PNG"));
  EXPECT_TRUE(contents(in_folder("b.PNG")).starts_with("\x89PNG"));
  for (const char* name : {"c.pdf", "c", "c.svg.gz", ".svg", "png"}) {
    const auto [code, message] = error_of([&] { save_plot(plot, in_folder(name)); });
    EXPECT_EQ(code, kUsage) << name;
    EXPECT_NE(message.find(".svg or .png"), std::string::npos) << message;
  }
  EXPECT_EQ(files(), 2);
}

}  // namespace
}  // namespace actforge

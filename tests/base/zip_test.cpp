#include "actforge/base/zip.h"

#include <gtest/gtest.h>

#include "actforge/base/error.h"
#include "actforge/base/random.h"
#include "tests/base/make_zip.h"
#include "tests/base/said_of.h"

namespace actforge {
namespace {

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

const std::vector<ZipPart> kParts = {{"a.json", "{}"}, {"b", std::string(5000, 'b'), true}, {"c/d", "0123456789"}};

std::string content(const std::string& archive, const std::string& name, std::size_t limit = 10000) {
  const std::vector<ZipEntry> entries = zip_entries(archive);
  const ZipEntry* entry = find_zip_entry(entries, name);
  return entry == nullptr ? "none" : zip_content(archive, *entry, limit);
}

TEST(Zip, GivesWhatIsInIt) {
  const std::string archive = make_zip(kParts);
  for (const ZipPart& part : kParts) EXPECT_EQ(content(archive, part.name), part.content) << part.name;
  EXPECT_EQ(content(archive, "e"), "none");
  EXPECT_TRUE(zip_entries(make_zip({})).empty());
}

TEST(Zip, ReplacesContentInItsPlace) {
  const std::string archive = make_zip(kParts);
  std::string changed = archive;
  const std::vector<ZipEntry> entries = zip_entries(archive);
  replace_in_zip(changed, *find_zip_entry(entries, "c/d"), "9876543210");
  EXPECT_EQ(content(changed, "c/d"), "9876543210");
  EXPECT_EQ(content(changed, "b"), kParts[1].content);
  EXPECT_EQ(changed.size(), archive.size());
  EXPECT_EQ(changed, make_zip({kParts[0], kParts[1], {"c/d", "9876543210"}}));
  EXPECT_TRUE(
      contains(said_of([&] { replace_in_zip(changed, *find_zip_entry(entries, "c/d"), "1"); }), "in its place"));
  EXPECT_TRUE(contains(said_of([&] { replace_in_zip(changed, *find_zip_entry(entries, "b"), std::string(5000, 'c')); }),
                       "compressed"));
}

TEST(Zip, TakesNoMoreMemoryThanItMay) {
  const std::string bomb = make_zip({{"bomb", std::string(std::size_t{1} << 24, '\0'), true}});
  EXPECT_LT(bomb.size(), 40000u);
  EXPECT_TRUE(contains(said_of([&] { content(bomb, "bomb", 1 << 20); }), "unpack to more than the 1048576 bytes"));
  // One that says it is small.
  std::string liar = bomb;
  const std::size_t at = zip_entries(bomb)[0].central + 24;
  liar.replace(at, 4, std::string("\x10\0\0\0", 4));
  EXPECT_TRUE(contains(said_of([&] { content(liar, "bomb", 1 << 20); }), "cannot be unpacked"));
}

TEST(Zip, RefusesWhatIsDamaged) {
  const std::string archive = make_zip(kParts);
  EXPECT_TRUE(contains(said_of([] { zip_entries(""); }), "truncated"));
  EXPECT_TRUE(contains(said_of([] { zip_entries("PK\x03\x04"); }), "truncated"));
  EXPECT_TRUE(contains(said_of([] { zip_entries(make_zip({{"a", "1"}, {"a", "2"}})); }), "'a' twice"));
  std::string changed = archive;
  changed[zip_entries(archive)[2].data] = 'x';
  EXPECT_TRUE(contains(said_of([&] { content(changed, "c/d"); }), "'c/d' was changed"));
  std::string encrypted = archive;
  encrypted[zip_entries(archive)[0].central + 8] = 1;
  EXPECT_TRUE(contains(said_of([&] { zip_entries(encrypted); }), "encrypted"));
  for (std::size_t size = 0; size < archive.size(); ++size) {
    EXPECT_FALSE(said_of([&] { zip_entries(archive.substr(0, size)); }).empty()) << size;
  }
}

TEST(Zip, AnyBytesAreReadOrRefused) {
  const std::string archive = make_zip(kParts);
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed, 0, "zip");
    std::string bytes = archive;
    for (int i = 0; i < 3; ++i) bytes[random.below(bytes.size())] = static_cast<char>(random.next());
    said_of([&] {
      for (const ZipEntry& entry : zip_entries(bytes)) {
        said_of([&] { zip_content(bytes, entry, 10000); });
        const std::string other(entry.size <= 10000 ? entry.size : 0, 'x');
        std::string copy = bytes;
        said_of([&] { replace_in_zip(copy, entry, other); });
      }
    });
  }
}

}  // namespace
}  // namespace actforge

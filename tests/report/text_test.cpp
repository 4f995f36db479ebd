#include "actforge/report/svg/text.h"

#include <gtest/gtest.h>

namespace actforge {
namespace {

const std::string kReplaced = "\xEF\xBF\xBD";

std::string cleaned(std::string_view text) { return to_utf8(readable(text)); }

TEST(Text, KeepsWellFormedUtf8OfEveryLength) {
  const std::string text = "a~ \xC2\xA0\xDF\xBF \xE0\xA0\x80 α→… 中文 \xEF\xBF\xBD \xF0\x90\x80\x80 😀 \xF4\x8F\xBF\xBD";
  EXPECT_EQ(cleaned(text), text);
  EXPECT_EQ(readable("aß中😀"), (std::u32string{U'a', U'ß', U'中', U'😀'}));
}

TEST(Text, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(cleaned("a\x80z"), "a" + kReplaced + "z");                                    // continues nothing
  EXPECT_EQ(cleaned("\xC0\xAF"), kReplaced + kReplaced);                                  // overlong '/'
  EXPECT_EQ(cleaned("\xE0\x80\xAF"), kReplaced + kReplaced + kReplaced);                  // the same, longer
  EXPECT_EQ(cleaned("\xF4\x90\x80\x80"), kReplaced + kReplaced + kReplaced + kReplaced);  // above U+10FFFF
  EXPECT_EQ(cleaned("\xE4\xB8"), kReplaced + kReplaced);                                  // cut off
  EXPECT_EQ(cleaned("\xE4<b>"), kReplaced + "<b>");                                       // swallows nothing
  EXPECT_EQ(cleaned("\xFF"), kReplaced);
}

TEST(Text, DisarmsControls) {
  EXPECT_EQ(cleaned("a\tb\nc\rd"), "a b c d");
  EXPECT_EQ(cleaned("\x1b[31mred\x07"), kReplaced + "[31mred" + kReplaced);
  EXPECT_EQ(cleaned(std::string_view("a\0b", 3)), "a" + kReplaced + "b");
  EXPECT_EQ(cleaned("\x7F"), kReplaced);
  EXPECT_EQ(cleaned("\xC2\x9B"), kReplaced);      // U+009B, the one-character form of ESC [
  EXPECT_EQ(cleaned("\xE2\x80\xAE"), kReplaced);  // U+202E turns the rest of the line around
  EXPECT_EQ(cleaned("\xE2\x80\xA8"), kReplaced);  // U+2028 breaks the line
  EXPECT_EQ(cleaned("\xED\xA0\x80"), kReplaced);  // half of a surrogate pair
  EXPECT_EQ(cleaned("\xEF\xBF\xBF"), kReplaced);  // U+FFFF, which XML forbids
}

TEST(Text, EscapesForXml) {
  EXPECT_EQ(xml_text("<a href=\"b\">&'"), "&lt;a href=&quot;b&quot;&gt;&amp;&#39;");
  EXPECT_EQ(xml_text("x\x01&amp;"), "x" + kReplaced + "&amp;amp;");
}

TEST(Text, AsciiStandsInForTheRest) { EXPECT_EQ(ascii_text("αx+ß\x1b"), "?x+??"); }

TEST(Text, CountsColumns) {
  EXPECT_EQ(terminal_columns("abc"), 3);
  EXPECT_EQ(terminal_columns("äöü"), 3);
  EXPECT_EQ(terminal_columns("中文"), 4);
  EXPECT_EQ(terminal_columns("e\xCC\x81"), 1);  // e and a combining accent
  EXPECT_EQ(terminal_columns("😀"), 2);
}

TEST(Text, CutsToColumns) {
  EXPECT_EQ(cut_to_columns("abcdef", 6, "…"), "abcdef");
  EXPECT_EQ(cut_to_columns("abcdef", 5, "…"), "abcd…");
  EXPECT_EQ(cut_to_columns("abcdef", 5, "..."), "ab...");
  EXPECT_EQ(cut_to_columns("中文中文", 6, "…"), "中文…");  // 4 + 1: the half of a wide character is no use
  EXPECT_EQ(cut_to_columns("ab   cdef", 6, "…"), "ab…");
  EXPECT_EQ(cut_to_columns("abcdef", 2, "..."), "");
  EXPECT_EQ(cut_to_columns("ae\xCC\x81zz", 3, "…"), "ae\xCC\x81…");
}

TEST(Text, CutsToWidth) {
  EXPECT_DOUBLE_EQ(text_width("mm"), 2 * text_width("m"));
  EXPECT_GT(text_width("mmm"), 3 * text_width("iii"));
  const std::string text(300, 'm');
  const std::string shown = cut_to_width(text, 20);
  EXPECT_LE(text_width(shown), 20);
  EXPECT_GT(text_width(shown), 18.5);
  EXPECT_TRUE(shown.ends_with("m…"));
  EXPECT_EQ(cut_to_width("relu(x)", text_width("relu(x)")), "relu(x)");
}

TEST(Text, LinesKeepTheirBreaks) {
  EXPECT_EQ(xml_lines("a < b\n\tc & d\r\n\x01"), "a &lt; b\n\tc &amp; d\n\uFFFD");
  EXPECT_EQ(xml_lines(""), "");
  EXPECT_EQ(xml_lines("\n"), "\n");
}

TEST(Text, JsonIsHarmlessInScripts) {
  EXPECT_EQ(json_text("</script>&\"\\\n"), "\"\\u003c/script\\u003e\\u0026\\\"\\\\ \"");
  EXPECT_EQ(json_text("\u2028\u2029é"), "\"\uFFFD\uFFFDé\"");
}

}  // namespace
}  // namespace actforge

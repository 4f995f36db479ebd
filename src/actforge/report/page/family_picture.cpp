#include "actforge/report/page/family_picture.h"

#include <algorithm>
#include <cmath>

#include "actforge/report/page/family_lanes.h"
#include "actforge/report/plots/line_style.h"
#include "actforge/report/svg/axis.h"
#include "actforge/report/svg/svg.h"
#include "actforge/report/svg/text.h"

namespace actforge {
namespace {

constexpr double kEdge = 12, kWidestLane = 18, kShareOfLanes = 0.3, kDot = 5;
constexpr double kTextSize = 12.5, kBoldness = 1.14, kStorySize = 11.5, kLine = 17, kRowGap = 11;
constexpr double kDotDown = 18;        // from the top of a row to its dot
constexpr std::size_t kMostLines = 6;  // of one text; the tooltip has the rest

struct RowText {
  std::string number = {}, score = {};
  std::vector<std::string> expression = {}, story = {};
  std::string whole = {};

  double height() const {
    // Whole pixels, so that pieces of the tree meet without a seam.
    return kDotDown + kLine * static_cast<double>(expression.size() + story.size()) + kRowGap - 9;
  }
};

// Broken after spaces, commas and opening brackets where possible.
std::vector<std::string> wrapped(const std::string& text, double room) {
  const std::u32string characters = readable(text);
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < characters.size() && lines.size() < kMostLines) {
    std::size_t end = begin, good = 0;
    for (double used = 0; end < characters.size(); ++end) {
      used += text_width(to_utf8(characters.substr(end, 1)));
      if (used > room) break;
      if (std::u32string_view(U" ,(").find(characters[end]) != std::u32string_view::npos) good = end + 1;
    }
    const bool is_last = lines.size() + 1 == kMostLines;
    if (end < characters.size() && is_last) {
      lines.push_back(cut_to_width(to_utf8(characters.substr(begin)), room));
      break;
    }
    if (end < characters.size() && good > begin) end = good;
    end = std::max(end, begin + 1);
    lines.push_back(to_utf8(characters.substr(begin, end - begin)));
    begin = end;
  }
  return lines;
}

class FamilyDrawing {
 public:
  FamilyDrawing(const std::vector<PageAncestor>& family, double width)
      : family_(family), width_(width), lanes_(lanes_of(family)) {
    const auto count = static_cast<double>(std::max<std::size_t>(lanes_.lanes, 1));
    pitch_ = std::min(kWidestLane, kShareOfLanes * width / count);
    text_left_ = kEdge + std::max(count * pitch_, 14.0) + 8;
    const std::vector<std::string> scores = score_texts();
    double widest_number = 0, widest_score = 0;
    for (std::size_t i = 0; i < family.size(); ++i) {
      texts_.push_back({.number = "#" + std::to_string(family[i].number), .score = scores[i]});
      widest_number = std::max(widest_number, kBoldness * kTextSize * text_width(texts_.back().number));
      widest_score = std::max(widest_score, kTextSize * text_width(scores[i]));
    }
    score_right_ = text_left_ + widest_number + 16 + widest_score;
    // On a narrow picture the expression has a line of its own.
    beside_ = width > 500;
    expression_left_ = beside_ ? score_right_ + 20 : text_left_;
    double top = 0;
    for (std::size_t i = 0; i < family.size(); ++i) {
      fill_text(i);
      tops_.push_back(top);
      top += texts_[i].height() + (beside_ ? 0 : kLine);
    }
    tops_.push_back(top);
  }

  std::string piece(std::size_t begin, std::size_t end) const {
    const std::string span =
        "trials " + std::to_string(family_[begin].number) + " to " + std::to_string(family_[end - 1].number);
    SvgPicture picture({.width = width_,
                        .height = tops_[end] - tops_[begin],
                        .title = "Family of trial " + std::to_string(family_.back().number) + ": " + span,
                        .top = tops_[begin],
                        .text_matters = true});
    for (std::size_t i = begin; i < end; ++i) lines(picture, i);
    for (std::size_t i = begin; i < end; ++i) row(picture, i);
    return picture.finish();
  }

 private:
  // With as many decimals as the one that needs most.
  std::vector<std::string> score_texts() const {
    int decimals = 0;
    for (const PageAncestor& ancestor : family_) {
      const std::string text = ancestor.score ? short_text(*ancestor.score, 4) : "";
      const std::size_t point = text.find('.');
      if (text.find('e') == std::string::npos && point != std::string::npos)
        decimals = std::max(decimals, static_cast<int>(text.size() - point - 1));
    }
    std::vector<std::string> texts;
    for (const PageAncestor& ancestor : family_) {
      std::string text = ancestor.score ? short_text(*ancestor.score, 4) : "–";
      if (ancestor.score && text.find('e') == std::string::npos && decimals > 0) {
        if (text.find('.') == std::string::npos) text += '.';
        text.append(static_cast<std::size_t>(decimals) - (text.size() - text.find('.') - 1), '0');
      }
      texts.push_back(typeset(text));
    }
    return texts;
  }

  void fill_text(std::size_t i) {
    const PageAncestor& ancestor = family_[i];
    std::string story = ancestor.origin;
    for (const std::string& step : ancestor.story)
      story += (story.empty() ? "" : story == ancestor.origin ? ": " : "; ") + step;
    const double room = width_ - kEdge - expression_left_;
    texts_[i].expression = wrapped(ancestor.expression, room / kTextSize);
    texts_[i].story = wrapped(story, room / kStorySize);
    texts_[i].whole = ancestor.expression + (story.empty() ? "" : " – " + story);
  }

  double x_of(std::size_t lane) const { return kEdge + pitch_ * (static_cast<double>(lane) + 0.5); }
  double dot_y(std::size_t i) const { return tops_[i] + kDotDown; }

  // Within the row alone, so that pieces of the tree fit together.
  void lines(SvgPicture& picture, std::size_t i) const {
    const FamilyRow& row = lanes_.rows[i];
    // A pixel further at the end: a browser that scales the pieces may leave a gap between them.
    const double top = tops_[i], bottom = tops_[i + 1] + 1, x = x_of(row.lane), y = dot_y(i);
    for (const std::size_t lane : row.passing) picture.line(x_of(lane), top, x_of(lane), bottom, stroke(lane));
    if (row.has_child) picture.line(x, y, x, bottom, stroke(row.lane));
    for (const std::size_t lane : row.parents) {
      const double to = x_of(lane), middle = (top + y) / 2;
      picture.path("M" + point_text(x, y) + "C" + point_text(x, middle) + " " + point_text(to, middle) + " " +
                       point_text(to, top),
                   stroke(lane));
    }
  }

  std::string stroke(std::size_t lane) const {
    return "class=\"lane\" fill=\"none\"" + attribute("stroke-width", pitch_ < 9 ? "1.4" : "2") +
           attribute("stroke", line_style(lane, 1).color);
  }

  void row(SvgPicture& picture, std::size_t i) const {
    const bool is_winner = i + 1 == family_.size();
    const double x = x_of(lanes_.rows[i].lane);
    const std::string color = attribute("stroke", line_style(lanes_.rows[i].lane, 1).color);
    const double radius = std::min(is_winner ? kDot + 1.5 : kDot, std::max(2.5, 0.45 * pitch_));
    picture.circle(x, dot_y(i), radius,
                   "class=\"dot\" stroke-width=\"2\"" + color +
                       (is_winner ? attribute("fill", line_style(lanes_.rows[i].lane, 1).color) : " fill=\"#ffffff\""));
    double y = dot_y(i) + 0.36 * kTextSize;
    const std::string size = attribute("font-size", px(kTextSize));
    picture.text(text_left_, y, texts_[i].number, "font-weight=\"bold\"" + size);
    picture.text(score_right_, y, texts_[i].score, "class=\"score\" text-anchor=\"end\"" + size);
    if (!beside_) y += kLine;
    for (const std::string& line : texts_[i].expression) {
      picture.text(expression_left_, y, line, "class=\"expression\"" + size, texts_[i].whole);
      y += kLine;
    }
    for (const std::string& line : texts_[i].story) {
      picture.text(expression_left_, y - 1, line,
                   "class=\"story\"" + attribute("font-size", px(kStorySize)) + attribute("fill", kSoftInk));
      y += kLine;
    }
  }

  const std::vector<PageAncestor>& family_;
  double width_;
  FamilyLanes lanes_;
  double pitch_ = kWidestLane;
  double text_left_ = 0, score_right_ = 0, expression_left_ = 0;
  bool beside_ = true;
  std::vector<RowText> texts_;
  std::vector<double> tops_;  // of each row, and the end of the last
};

}  // namespace

std::vector<std::string> family_pictures(const std::vector<PageAncestor>& family, FamilyPictureOptions options) {
  std::vector<std::string> pieces;
  if (family.empty()) return pieces;
  const FamilyDrawing drawing(family, options.width);
  const std::size_t step = options.rows_per_piece > 0 ? options.rows_per_piece : family.size();
  for (std::size_t i = 0; i < family.size(); i += step) {
    pieces.push_back(drawing.piece(i, std::min(i + step, family.size())));
  }
  return pieces;
}

}  // namespace actforge

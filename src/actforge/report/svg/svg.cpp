#include "actforge/report/svg/svg.h"

#include "actforge/report/svg/axis.h"
#include "actforge/report/svg/text.h"

namespace actforge {

std::string px(double value) { return fixed_text(value, 2); }

std::string point_text(double x, double y) { return px(x) + " " + px(y); }

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + xml_text(value) + "\"";
}

std::string typeset(std::string_view number) {
  std::string text;
  for (const char c : number) text += c == '-' ? std::string("−") : std::string(1, c);
  return text;
}

std::string tooltip(std::string_view text) { return "<title>" + xml_text(text) + "</title>"; }

SvgPicture::SvgPicture(const Head& head) {
  const std::string size = attribute("width", px(head.width)) + attribute("height", px(head.height));
  const std::string name = head.title + (head.description.empty() ? "" : ". " + head.description);
  svg_ = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + size +
         attribute("viewBox", point_text(0, head.top) + " " + point_text(head.width, head.height)) +
         attribute("role", head.text_matters ? "group" : "img") + attribute("aria-label", name) +
         " font-family=\"'DejaVu Sans', Verdana, 'Segoe UI', Helvetica, Arial, sans-serif\"" + attribute("fill", kInk) +
         ">\n" + tooltip(head.title) + "\n<rect class=\"paper\"" + attribute("y", px(head.top)) + size +
         " fill=\"#ffffff\"/>\n";
}

void SvgPicture::open_group(std::string_view attributes) { svg_ += "<g " + std::string(attributes) + ">\n"; }

void SvgPicture::close_group() { svg_ += "</g>\n"; }

void SvgPicture::end_element(std::string_view name, std::string_view tip) {
  svg_ += tip.empty() ? "/>\n" : ">" + tooltip(tip) + "</" + std::string(name) + ">\n";
}

void SvgPicture::line(double x1, double y1, double x2, double y2, std::string_view attributes) {
  path("M" + point_text(x1, y1) + "L" + point_text(x2, y2), attributes);
}

void SvgPicture::path(std::string_view data, std::string_view attributes, std::string_view tip) {
  if (data.empty()) return;
  svg_ += "<path " + std::string(attributes) + (attributes.empty() ? "d=\"" : " d=\"") + std::string(data) + "\"";
  end_element("path", tip);
}

void SvgPicture::rect(const Box& box, std::string_view attributes, std::string_view tip) {
  svg_ += "<rect" + attribute("x", px(box.left)) + attribute("y", px(box.top)) + attribute("width", px(box.width())) +
          attribute("height", px(box.height())) + " " + std::string(attributes);
  end_element("rect", tip);
}

void SvgPicture::circle(double x, double y, double radius, std::string_view attributes, std::string_view tip) {
  svg_ += "<circle" + attribute("cx", px(x)) + attribute("cy", px(y)) + attribute("r", px(radius)) + " " +
          std::string(attributes);
  end_element("circle", tip);
}

void SvgPicture::text(double x, double y, std::string_view content, std::string_view attributes, std::string_view tip) {
  svg_ += "<text" + attribute("x", px(x)) + attribute("y", px(y)) + " " + std::string(attributes) + ">" +
          xml_text(content) + (tip.empty() ? "" : tooltip(tip)) + "</text>\n";
}

void SvgPicture::fitted(double x, double y, std::string_view content, Fit fit, std::string_view attributes) {
  if (content.empty()) return;
  const std::string shown = cut_to_width(content, fit.room / fit.size);
  text(x, y, shown, "font-size=\"" + px(fit.size) + "\" " + std::string(attributes),
       shown == to_utf8(readable(content)) ? "" : content);
}

}  // namespace actforge

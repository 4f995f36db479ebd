#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace actforge::testing {

struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  // of this element alone
  std::vector<XmlElement> children;

  const std::string& operator[](const std::string& attribute) const { return attributes.at(attribute); }
  double number(const std::string& attribute) const { return std::stod(attributes.at(attribute)); }

  // All descendants with this name, in the order of the document.
  std::vector<const XmlElement*> all(std::string_view wanted) const {
    std::vector<const XmlElement*> found;
    for (const XmlElement& child : children) {
      if (child.name == wanted) found.push_back(&child);
      for (const XmlElement* inner : child.all(wanted)) found.push_back(inner);
    }
    return found;
  }

  const XmlElement* of_class(const std::string& wanted) const {
    for (const XmlElement& child : children) {
      const auto it = child.attributes.find("class");
      if (it != child.attributes.end() && it->second == wanted) return &child;
      if (const XmlElement* inner = child.of_class(wanted)) return inner;
    }
    return nullptr;
  }

  const XmlElement& only(std::string_view wanted) const {
    const XmlElement* found = nullptr;
    for (const XmlElement& child : children) {
      if (child.name != wanted) continue;
      if (found) throw std::runtime_error("more than one " + std::string(wanted));
      found = &child;
    }
    if (!found) throw std::runtime_error("no " + std::string(wanted));
    return *found;
  }
};

// Reads the part of XML that our documents use (elements, attributes, text, the five entities) and throws on whatever
// is not well formed.
class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : text_(text) {}

  XmlElement read() {
    XmlElement root = element();
    while (position_ < text_.size()) {
      if (!is_blank(next())) fail("text after the document");
    }
    return root;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(what + " at byte " + std::to_string(position_));
  }
  static bool is_blank(char c) { return c == ' ' || c == '\n'; }
  static bool is_name(char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '-' || c == ':';
  }
  char peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  char next() {
    if (position_ >= text_.size()) fail("the document ends too early");
    return text_[position_++];
  }
  void expect(char c) {
    if (next() != c) fail(std::string("expected ") + c);
  }
  std::string name() {
    std::string result;
    while (is_name(peek())) result += next();
    if (result.empty()) fail("a name is missing");
    return result;
  }

  std::string character() {
    const char c = next();
    if (c == '<' || c == '>' || (static_cast<unsigned char>(c) < 0x20 && c != '\n')) fail("a forbidden character");
    if (c != '&') return std::string(1, c);
    std::string entity;
    while (peek() != ';' && entity.size() < 6) entity += next();
    expect(';');
    static const std::map<std::string, std::string> known{
        {"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", "\""}, {"#39", "'"}};
    const auto it = known.find(entity);
    if (it == known.end()) fail("an unknown entity");
    return it->second;
  }

  void attributes(XmlElement& element) {
    while (is_blank(peek())) {
      while (is_blank(peek())) ++position_;
      if (!is_name(peek())) return;
      const std::string key = name();
      expect('=');
      expect('"');
      std::string value;
      while (peek() != '"') value += character();
      expect('"');
      if (!element.attributes.emplace(key, value).second) fail("the attribute " + key + " twice");
    }
  }

  XmlElement element() {
    XmlElement result;
    expect('<');
    result.name = name();
    attributes(result);
    if (peek() == '/') {
      ++position_;
      expect('>');
      return result;
    }
    expect('>');
    for (;;) {
      if (peek() != '<') {
        result.text += character();
      } else if (position_ + 1 < text_.size() && text_[position_ + 1] == '/') {
        position_ += 2;
        if (name() != result.name) fail("a closing tag that does not match " + result.name);
        expect('>');
        return result;
      } else {
        result.children.push_back(element());
      }
    }
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

inline XmlElement read_xml(const std::string& text) { return XmlReader(text).read(); }

}  // namespace actforge::testing

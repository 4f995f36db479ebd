#include "tools/actforge/common/function_writer.h"

#include <fmt/format.h>

namespace actforge::tool {
namespace {

// Expressions and lists of them hold commas and never quotation marks.
std::string in_quotes(const std::string& text) { return "\"" + text + "\""; }

}  // namespace

nlohmann::json to_json(const FunctionRow& row) {
  nlohmann::json json = {{"index", integer_json(row.index)}, {"expression", row.expression}};
  if (!row.fingerprint) return json;
  json["fingerprint"] = *row.fingerprint;
  json["equivalents"] = nlohmann::json::array();
  for (const FunctionRow& other : row.equivalents) json["equivalents"].push_back(to_json(other));
  return json;
}

FunctionWriter::FunctionWriter(const std::optional<std::string>& output, bool classes) : classes_(classes) {
  if (!output) return;
  const std::string& path = *output;
  if (path.ends_with(".csv")) {
    format_ = Format::kCsv;
  } else if (path.ends_with(".jsonl")) {
    format_ = Format::kJsonLines;
  } else {
    throw Error(ErrorCode::kUsage, "-o takes a file that ends in .csv or .jsonl, not '" + path + "'");
  }
  file_ = std::make_unique<AtomicFile>(path);
  if (format_ == Format::kCsv) {
    put(classes ? "index,expression,fingerprint,equivalent_indices,equivalents\n" : "index,expression\n");
  }
}

void FunctionWriter::put(const std::string& text) {
  if (file_) {
    file_->write(text);
  } else {
    write_output(text);
  }
}

void FunctionWriter::write(const FunctionRow& row) {
  switch (format_) {
    case Format::kText: {
      const std::size_t equal = row.equivalents.size();
      const std::string note = equal == 0 ? "" : fmt::format("  (and {} equal to it)", equal);
      put(fmt::format("{}  {}{}\n", row.index.str(), row.expression, note));
      break;
    }
    case Format::kCsv: {
      std::string line = row.index.str() + "," + in_quotes(row.expression);
      if (classes_) {
        std::string indices, expressions;
        for (const FunctionRow& other : row.equivalents) {
          indices += (indices.empty() ? "" : ";") + other.index.str();
          expressions += (expressions.empty() ? "" : ";") + other.expression;
        }
        line += "," + row.fingerprint.value() + "," + indices + "," + in_quotes(expressions);
      }
      put(line + "\n");
      break;
    }
    case Format::kJsonLines: put(to_json(row).dump() + "\n"); break;
  }
}

std::string FunctionWriter::finish_part() { return file_ ? file_->commit_part() : std::string(); }

void FunctionWriter::finish() {
  if (file_) file_->commit();
}

}  // namespace actforge::tool

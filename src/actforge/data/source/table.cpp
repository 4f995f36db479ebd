#include "actforge/data/source/table.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "actforge/base/error.h"
#include "actforge/data/data_files.h"
#include "actforge/data/source/source.h"
#include "actforge/data/source/table_columns.h"
#include "actforge/data/source/text_rows.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOptions[] = {"target", "header", "missing", "categorical", "ignore"};

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

// Rows of all parts, and the names of their columns.
struct Table {
  std::vector<TableRow> train, validation, test;
  std::vector<std::string> names;
  bool has_header = false;

  std::vector<TableRow>& rows(SplitPart part) {
    return part == SplitPart::kTrain ? train : part == SplitPart::kTest ? test : validation;
  }
};

// The one that there are most of in the first line.
char separator_of(const TableText& file) {
  const std::string_view text = file.text;
  const std::size_t begin = text.starts_with('|') ? std::min(text.find('\n'), text.size()) : 0;
  const std::string_view line = text.substr(begin, text.find('\n', begin + 1) - begin);
  char best = ',';
  for (const char c : {',', ';', '\t'}) {
    if (std::ranges::count(line, c) > std::ranges::count(line, best)) best = c;
  }
  return best;
}

// Names are no numbers, and stand above numbers, or above texts that are different.
bool looks_like_header(const std::vector<TextRow>& rows) {
  if (rows.size() < 2) return false;
  const std::vector<std::string>& first = rows[0].fields;
  for (const std::string& field : first) {
    if (is_missing(field) || table_number(field)) return false;
  }
  bool above_numbers = false, recurs = false;
  for (std::size_t column = 0; column < first.size(); ++column) {
    above_numbers |= std::all_of(rows.begin() + 1, rows.end(), [&](const TextRow& row) {
      return is_missing(row.fields[column]) || table_number(row.fields[column]);
    });
    recurs |= std::any_of(rows.begin() + 1, rows.end(),
                          [&](const TextRow& row) { return row.fields[column] == first[column]; });
  }
  return above_numbers || !recurs;
}

std::vector<std::string> column_names(const std::vector<TextRow>& rows, bool has_header, const std::string& origin) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < rows[0].fields.size(); ++i) {
    names.push_back(has_header ? rows[0].fields[i] : std::to_string(i + 1));
  }
  const std::set<std::string> different(names.begin(), names.end());
  if (different.size() != names.size()) {
    refuse(origin + ", line " + std::to_string(rows[0].line) +
           ": two columns have the same name; header=no, if these are no names");
  }
  return names;
}

void add_file(Table& table, const TableText& file, const SourceOptions& options) {
  std::vector<TextRow> rows = read_text_rows(file.text, separator_of(file), file.origin);
  if (rows.empty()) refuse(file.origin + ": there are no rows");
  if (table.names.empty()) {
    table.has_header = options.header == "auto" ? looks_like_header(rows) : options.header == "yes";
    table.names = column_names(rows, table.has_header, file.origin);
  }
  const std::string first_line = file.origin + ", line " + std::to_string(rows[0].line);
  if (rows[0].fields.size() != table.names.size()) {
    refuse(first_line + ": " + std::to_string(rows[0].fields.size()) + " columns, not " +
           std::to_string(table.names.size()) + " as the training part has");
  }
  if (table.has_header && rows[0].fields != table.names) {
    refuse(first_line + ": the names of the columns are not those of the training part");
  }
  for (std::size_t i = table.has_header ? 1 : 0; i < rows.size(); ++i) {
    table.rows(file.part).push_back({&file.origin, rows[i].line, std::move(rows[i].fields)});
  }
}

// The training part comes first: it has the names of the columns.
Table read_tables(const std::vector<TableText>& texts, const SourceOptions& options) {
  Table table;
  for (const SplitPart part : {SplitPart::kTrain, SplitPart::kValidation, SplitPart::kTest}) {
    for (const TableText& file : texts) {
      if (file.part == part) add_file(table, file, options);
    }
  }
  if (table.train.empty()) refuse(texts[0].origin + ": there are no training rows");
  return table;
}

std::size_t target_of(const Table& table, const SourceOptions& options) {
  if (!options.target.empty()) return find_column(table.names, options.target);
  for (const char* name : {"target", "label", "class", "y"}) {
    const auto found = std::ranges::find(table.names, name);
    if (found != table.names.end()) return static_cast<std::size_t>(found - table.names.begin());
  }
  return table.names.size() - 1;
}

// Missing values by the option, in the columns that are seen.
class MissingValues {
 public:
  MissingValues(const Table& table, std::size_t target, const SourceOptions& options)
      : policy_(options.missing), seen_(table.names.size(), true) {
    seen_[target] = false;
    for (std::size_t begin = 0; begin < options.ignore.size();) {
      const std::size_t end = std::min(options.ignore.find('+', begin), options.ignore.size());
      seen_[find_column(table.names, options.ignore.substr(begin, end - begin))] = false;
      begin = end + 1;
    }
  }

  void apply(std::vector<TableRow>& rows, const std::vector<std::string>& names) {
    std::erase_if(rows, [&](const TableRow& row) { return leaves_out(row, names); });
  }

  void report(std::vector<Finding>& findings) const {
    if (values_ == 0) return;
    const std::string count = counted(values_, "value") + " in " + counted(rows_, "row");
    findings.push_back({"missing", policy_ == "drop" ? count + ", which are left out"
                                                     : count + ": the mean of the column, or a category of its own"});
  }

 private:
  bool leaves_out(const TableRow& row, const std::vector<std::string>& names) {
    const std::size_t before = values_;
    for (std::size_t i = 0; i < row.fields.size(); ++i) {
      if (!seen_[i] || !is_missing(row.fields[i])) continue;
      ++values_;
      if (policy_ == "error") refuse(row.place() + ": the value of '" + names[i] + "' is missing");
    }
    if (values_ > before) ++rows_;
    return values_ > before && policy_ == "drop";
  }

  std::string policy_;
  std::vector<bool> seen_;
  std::size_t values_ = 0, rows_ = 0;
};

// The file format of C4.5 ends the rows of some files with a full stop.
std::string label_name(const std::string& text, const ClassTable& classes) {
  const std::string without = text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
  return !classes.has(text) && classes.has(without) ? without : text;
}

void check_label(const TableRow& row, std::size_t target, const std::string& name) {
  const std::string& text = row.fields[target];
  if (is_missing(text)) refuse(row.place() + ": the target '" + name + "' is missing");
  const std::optional<double> value = table_number(text);
  if (value && *value != std::floor(*value)) {
    refuse(row.place() + ": the target '" + name + "' is " + text +
           ", not a class; numbers to be predicted (regression) are not supported. target=NAME chooses another column");
  }
}

ClassTable find_classes(const std::vector<TableRow>& rows, std::size_t target, const std::string& name) {
  constexpr int kMost = 1000;
  ClassTable classes;
  for (const TableRow& row : rows) {
    check_label(row, target, name);
    classes.add(row.fields[target]);
  }
  classes.complete();
  if (classes.count() > kMost) {
    refuse(*rows[0].origin + ": the target '" + name + "' has " + std::to_string(classes.count()) +
           " different values, too many for classes; target=NAME chooses another column");
  }
  return classes;
}

std::vector<int> labels_of(const std::vector<TableRow>& rows, std::size_t target, const ClassTable& classes) {
  std::vector<int> labels;
  for (const TableRow& row : rows) {
    labels.push_back(classes.label(label_name(row.fields[target], classes), row.place()));
  }
  return labels;
}

// Before columns are looked at: what is done to them is learned from the training rows.
void move_test_rows(Table& table, std::size_t target, const ClassTable& classes, const SourceOptions& options) {
  const std::vector<bool> is_test = choose_test(labels_of(table.train, target, classes), classes.count(), options);
  std::vector<TableRow> train;
  for (std::size_t i = 0; i < is_test.size(); ++i) {
    (is_test[i] ? table.test : train).push_back(std::move(table.train[i]));
  }
  table.train = std::move(train);
  if (table.train.empty()) refuse(*table.test[0].origin + ": no rows are left to train on");
}

void encode(SourceData& data, Table& table, const std::vector<TableColumn>& columns, std::size_t target,
            const ClassTable& classes) {
  std::vector<std::uint8_t> fixed;
  for (const TableColumn& column : columns) fixed.insert(fixed.end(), column.width(), column.numeric ? 0 : 1);
  std::size_t unknown = 0;
  for (const SplitPart part : {SplitPart::kTrain, SplitPart::kValidation, SplitPart::kTest}) {
    ImageSet& set = part_of(data, part);
    set = {.shape = {.channels = static_cast<int>(fixed.size()), .height = 1, .width = 1},
           .max_value = 1,
           .classes = classes.count(),
           .pixels = {},
           .labels = labels_of(table.rows(part), target, classes),
           .values = {},
           .fixed = fixed};
    for (const TableRow& row : table.rows(part)) unknown += append_row(columns, row, set.values) ? 0 : 1;
  }
  if (unknown > 0) {
    data.findings.push_back(
        {"unknown",
         counted(unknown, "row") + " with a category that the training part does not have: no indicator is set"});
  }
}

Finding column_finding(const std::vector<TableColumn>& columns, const std::string& target) {
  std::size_t numeric = 0, categorical = 0, indicators = 0;
  for (const TableColumn& column : columns) {
    numeric += column.numeric ? 1 : 0;
    categorical += column.numeric ? 0 : 1;
    indicators += column.numeric ? 0 : column.width();
  }
  return {"columns", std::to_string(numeric) + " of numbers, " + std::to_string(categorical) + " of categories (" +
                         std::to_string(indicators) + " indicators); the target is '" + target + "'"};
}

// A name without .gz.
std::string unpacked_name(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  return name.ends_with(".gz") ? name.substr(0, name.size() - 3) : name;
}

bool is_table_name(const std::string& path) {
  const std::string ending = fs::path(unpacked_name(path)).extension().string();
  return ending == ".csv" || ending == ".tsv" || ending == ".data";
}

// Of a file in a folder: "train.csv", or "adult.data" and "adult.test" as UCI names them.
std::optional<SplitPart> part_of_file(const std::string& name) {
  const fs::path path = unpacked_name(name);
  if (path.extension() == ".data") return SplitPart::kTrain;
  if (path.extension() == ".test") return SplitPart::kTest;
  return is_table_name(name) ? part_of_name(path.stem().string()) : std::nullopt;
}

SourceFiles find_file(const std::string& path) {
  if (!fs::is_regular_file(path) || !is_table_name(path)) return {};
  return {.path = path, .files = {""}};
}

SourceFiles find_folder(const std::string& path) {
  if (!fs::is_directory(path)) return {};
  SourceFiles found{.path = path, .files = {}};
  bool has_train = false;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory() || name.starts_with('.')) continue;
    const std::optional<SplitPart> part = part_of_file(name);
    if (!part) {
      if (found.ignored++ == 0) found.first_ignored = entry.path().string();
      continue;
    }
    has_train |= part == SplitPart::kTrain;
    for (const std::string& other : found.files) {
      if (part_of_file(other) == part)
        refuse(path + ": '" + other + "' and '" + name + "' are of the same part; give one of the files");
    }
    found.files.push_back(name);
  }
  if (!has_train) return {};
  std::ranges::sort(found.files);
  return found;
}

std::string read_text(const std::string& path) {
  constexpr std::size_t kLargest = std::size_t{1} << 32;
  const std::vector<std::uint8_t> bytes = read_data_file(path, kLargest);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

SourceData read(const SourceFiles& files, const SourceOptions& options) {
  std::vector<TableText> texts;
  for (std::size_t i = 0; i < files.files.size(); ++i) {
    const std::string path = files.full(i);
    const SplitPart part =
        files.files[i].empty() ? SplitPart::kTrain : part_of_file(files.files[i]).value_or(SplitPart::kTrain);
    texts.push_back({.part = part, .origin = path, .text = read_text(path)});
  }
  return source_of_tables(texts, options);
}

}  // namespace

SourceData source_of_tables(const std::vector<TableText>& texts, const SourceOptions& options) {
  Table table = read_tables(texts, options);
  SourceData data;
  data.unit = "rows";
  const std::size_t target = target_of(table, options);
  const std::string& name = table.names[target];
  MissingValues missing(table, target, options);
  for (const SplitPart part : {SplitPart::kTrain, SplitPart::kValidation, SplitPart::kTest}) {
    missing.apply(table.rows(part), table.names);
  }
  if (table.train.empty()) refuse(texts[0].origin + ": every training row has a missing value");
  const ClassTable classes = find_classes(table.train, target, name);
  data.class_names = classes.names();
  const bool draws = table.test.empty();
  if (draws) move_test_rows(table, target, classes, options);
  const std::vector<TableColumn> columns = find_columns(table.train, table.names, target, options);
  data.findings.push_back(column_finding(columns, name));
  missing.report(data.findings);
  encode(data, table, columns, target, classes);
  if (!data.test.labels.empty() && draws) data.findings.push_back(test_finding(data.test.size(), options));
  return data;
}

extern constinit const SourceFormat kTableSource = {.name = "a table",
                                                    .looks_like = "a .csv, .tsv or .data file, packed (.gz) or not",
                                                    .options = kOptions,
                                                    .find = find_file,
                                                    .read = read};

extern constinit const SourceFormat kTableFolderSource = {
    .name = "tables",
    .looks_like = "a folder with train.csv and test.csv (and val.csv), or NAME.data and NAME.test",
    .options = kOptions,
    .find = find_folder,
    .read = read};

}  // namespace actforge

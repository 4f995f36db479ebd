#pragma once

#include <optional>
#include <string>

#include "actforge/torch/fisher/fisher.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {

// Of which network, on which images, spectra are measured; what `fisher` and `embed` share.
struct SpectrumOptions {
  std::string net, data;
  FisherOptions fisher;
  std::optional<std::string> normalise;
  std::optional<std::uint64_t> subset, validation;
  std::uint64_t seed = 0, threads = 0;
};

SpectrumTask spectrum_task(const SpectrumOptions& options, const Dataset& dataset);

// Everything but --net, --data, --seed and --threads, which each verb explains in its own words.
void add_spectrum_options(CLI::App& verb, SpectrumOptions& options);

// An option for each row of a table such as umap_fields().
template <class Target, class Field>
void add_fields(CLI::App& verb, Target& target, std::span<const Field> fields) {
  for (const Field& field : fields) {
    verb.add_option_function(
            "--" + std::string(field.name),
            [&target, field](const std::string& text) { set_field(target, field, text); }, std::string(field.help))
        ->type_name("VALUE")
        ->common(field.name == "draws")
        ->default_str(field_text(target, field));
  }
}

}  // namespace actforge::tool

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/data/dataset.h"

namespace actforge {

// Where the files of a data set may be, first choice first: $ACTFORGE_DATA/NAME, $XDG_DATA_HOME/actforge/NAME (by
// default ~/.local/share/actforge/NAME), /usr/share/datasets/NAME.
std::vector<std::string> data_folders(std::string_view name);

// The first of these folders that has every file, each as it is or with .gz at its end.
std::optional<std::string> find_data_folder(std::string_view name, std::span<const std::string_view> files);

// The paths of the files of one part, all of one folder. Throws Error (kBadInput) where they are missing.
std::vector<std::string> find_part(const Dataset& row, Part part);

// The bytes of a file, unpacked where its name ends in .gz. Throws Error: kBadInput where there are more than `limit`
// or the archive is broken, kStorage where it cannot be read.
std::vector<std::uint8_t> read_data_file(const std::string& path, std::size_t limit);

}  // namespace actforge

#pragma once

#include <string>
#include <string_view>

#include "actforge/net/zoo/zoo.h"

namespace actforge {

// A network from what a user wrote: the name of an architecture, or a file: our text or JSON form, ONNX (by its
// ending), a Keras model in JSON. Throws Error (kBadInput) that names the file. A file has its own input and classes,
// so options that say otherwise are refused.
Network find_network(const std::string& name_or_file, const NetworkOptions& options = {});

// Whether a file's name ends like that, in letters of either case: ".onnx".
bool has_ending(const std::string& path, std::string_view ending);

// Whether a file begins as zip archives do.
bool is_zip(const std::string& path);

// Whether a file is taken for ONNX.
bool is_onnx_name(const std::string& path);

}  // namespace actforge

// Reads a Keras model and says what it became, as JSON.
//   keras_driver IN [OUT DISTRIBUTION DEVIATION SHIFT]
// OUT is the model with all kernels and tables drawn so, and SHIFT added to every activation.
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "actforge/keras/file.h"
#include "actforge/net/graph/network_json.h"
#include "actforge/net/graph/network_text.h"

namespace actforge {
namespace {

bool is_drawn(WeightRole role) { return role == WeightRole::kKernel || role == WeightRole::kEmbedding; }

std::string with_all_initialisers(const KerasFile& file, const std::string& distribution, double deviation,
                                  double shift) {
  std::vector<KerasInitialiser> initialisers;
  std::map<LayerId, double> shifts;
  for (LayerId id = 0; id < file.network().layers().size(); ++id) {
    const Layer& layer = file.network().layer(id);
    for (std::size_t i = 0; i < layer.weights.size(); ++i) {
      if (is_drawn(layer.weights[i].role)) initialisers.push_back({id, i, distribution, deviation, 7});
    }
    if (layer.kind->name == "activation" && shift != 0) shifts[id] = shift;
  }
  return file.with_initialisers(initialisers, shifts);
}

int run(int argc, char** argv) {
  if (argc != 2 && argc != 6) {
    std::cerr << "usage: keras_driver IN [OUT DISTRIBUTION DEVIATION SHIFT]\n";
    return 2;
  }
  const KerasFile file = KerasFile::read(argv[1]);
  nlohmann::ordered_json notes = nlohmann::ordered_json::array();
  for (const std::string& note : file.notes()) notes.push_back(note);
  std::cout << "{\"network\":" << network_json(file.network()) << ",\"notes\":" << notes.dump()
            << ",\"text\":" << nlohmann::json(network_text(file.network())).dump() << "}\n";
  if (argc == 6) {
    std::ofstream out(argv[2], std::ios::binary);
    out << with_all_initialisers(file, argv[3], std::stod(argv[4]), std::stod(argv[5]));
    if (!out.flush()) throw std::runtime_error("cannot write " + std::string(argv[2]));
  }
  return 0;
}

}  // namespace
}  // namespace actforge

int main(int argc, char** argv) {
  try {
    return actforge::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "keras_driver: " << error.what() << '\n';
    return 3;
  }
}

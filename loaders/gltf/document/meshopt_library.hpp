#pragma once
// libmeshoptimizer, loaded when a compressed buffer view is decoded first, as libsimdjson
// (loaders/io/json/simdjson_library.hpp).

namespace vitrine::gltf {

// Loads libmeshoptimizer, if it was not. A process that may open no files later calls this before;
// decode_meshopt() does otherwise. Returns false if it is not installed.
bool load_meshopt_library();

} // namespace vitrine::gltf

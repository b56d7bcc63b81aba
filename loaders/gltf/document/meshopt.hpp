#pragma once
// Decompresses buffer views with KHR_meshopt_compression or its subset EXT_meshopt_compression.
// https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Khronos/KHR_meshopt_compression

#include <cstddef>
#include <vector>

#include "loaders/io/budget.hpp"
#include "loaders/io/json/json.hpp"

namespace vitrine::gltf {

// The parameters of a compressed buffer view.
struct MeshoptView {
    enum class Mode : std::uint8_t { attributes, triangles, indices };
    enum class Filter : std::uint8_t { none, octahedral, quaternion, exponential, color };

    std::uint64_t count = 0;  // elements
    std::uint64_t stride = 0; // bytes per element
    Mode mode = Mode::attributes;
    Filter filter = Filter::none;
};

// Returns the extension object of a buffer view, under either name; absent when the view is not compressed.
io::JsonValue meshopt_extension(io::JsonValue view);
// `extension` is the object itself. Errors: malformed, when the extension's rules on stride, count, mode and
// filter are violated.
LoadResult<MeshoptView> read_meshopt_view(io::JsonValue extension);
// Returns count * stride bytes. Errors: malformed, limit_exceeded.
LoadResult<std::vector<std::byte>> decode_meshopt(const MeshoptView& view, Bytes compressed,
                                                  io::Budget& budget, const std::string& where);

// libmeshoptimizer is loaded when a compressed buffer view is decoded first (meshopt_library.cpp), as
// libsimdjson (loaders/io/json/json.hpp).
//
// Loads it, if it was not. A process that may open no files later calls this before;
// decode_meshopt() does otherwise. Returns false if it is not installed.
bool load_meshopt_library();

} // namespace vitrine::gltf

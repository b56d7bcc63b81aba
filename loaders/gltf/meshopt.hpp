#pragma once
// EXT_meshopt_compression: the bytes of a compressed buffer view.
// https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Vendor/EXT_meshopt_compression

#include <cstddef>
#include <vector>

#include "loaders/io/budget.hpp"
#include "loaders/io/json.hpp"

namespace vitrine::gltf {

// How the extension's object says that `compressed` is to be read.
struct MeshoptView {
    enum class Mode : std::uint8_t { attributes, triangles, indices };
    enum class Filter : std::uint8_t { none, octahedral, quaternion, exponential };

    std::uint64_t count = 0;  // elements
    std::uint64_t stride = 0; // bytes of one
    Mode mode = Mode::attributes;
    Filter filter = Filter::none;
};

// `extension` is the object itself. Errors: malformed, where the extension's rules on stride, count, mode and
// filter do not hold.
LoadResult<MeshoptView> read_meshopt_view(io::JsonValue extension);
// count * stride bytes. Errors: malformed, limit_exceeded.
LoadResult<std::vector<std::byte>> decode_meshopt(const MeshoptView& view, Bytes compressed,
                                                  io::Budget& budget, const std::string& where);

} // namespace vitrine::gltf

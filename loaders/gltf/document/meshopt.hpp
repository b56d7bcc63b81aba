#pragma once
// KHR_meshopt_compression, and EXT_meshopt_compression which is a part of it: the bytes of a compressed
// buffer view. https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Khronos/KHR_meshopt_compression

#include <cstddef>
#include <vector>

#include "loaders/io/budget.hpp"
#include "loaders/io/json/json.hpp"

namespace vitrine::gltf {

// How the extension's object says that `compressed` is to be read.
struct MeshoptView {
    enum class Mode : std::uint8_t { attributes, triangles, indices };
    enum class Filter : std::uint8_t { none, octahedral, quaternion, exponential, color };

    std::uint64_t count = 0;  // elements
    std::uint64_t stride = 0; // bytes of one
    Mode mode = Mode::attributes;
    Filter filter = Filter::none;
};

// The extension's object of a buffer view, under either name. One that does not exist: the view is not
// compressed.
io::JsonValue meshopt_extension(io::JsonValue view);
// `extension` is the object itself. Errors: malformed, where the extension's rules on stride, count, mode and
// filter do not hold.
LoadResult<MeshoptView> read_meshopt_view(io::JsonValue extension);
// count * stride bytes. Errors: malformed, limit_exceeded.
LoadResult<std::vector<std::byte>> decode_meshopt(const MeshoptView& view, Bytes compressed,
                                                  io::Budget& budget, const std::string& where);

} // namespace vitrine::gltf

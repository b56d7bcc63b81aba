#pragma once
// Typed access to binary data. find_accessor() validates everything once (ranges, stride, sparse indices), so
// reading cannot fail and needs no checks per element.

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/gltf/document/document.hpp"
#include "loaders/io/huge_pages.hpp"
#include "loaders/scene/arrays/arrays.hpp"

namespace vitrine::gltf {

enum class ComponentType : std::uint16_t {
    i8 = 5120,
    u8 = 5121,
    i16 = 5122,
    u16 = 5123,
    u32 = 5125,
    f32 = 5126,
};

std::uint32_t size_of(ComponentType type);             // in bytes
std::uint32_t size_of_component(std::uint64_t number); // 0 for invalid component types
bool is_shape(std::string_view name);                  // "SCALAR", "VEC3"

struct Sparse {
    std::uint32_t count = 0;
    Bytes indices;
    ComponentType index_type = ComponentType::u32;
    Bytes values; // packed elements
};

struct Accessor {
    std::string where;
    std::uint32_t count = 0;
    std::uint32_t components = 1; // SCALAR 1, VEC3 3, MAT4 16
    ComponentType type = ComponentType::f32;
    bool normalized = false;
    bool has_view = false;    // false: zeros, except the elements set by `sparse`
    std::uint64_t stride = 0; // bytes between the starts of consecutive elements
    Bytes bytes;              // from the first element to the end of the last
    std::optional<Sparse> sparse;
};

// Errors: malformed, out_of_range; never truncated: a short buffer is reported as out_of_range.
LoadResult<Accessor> find_accessor(Document& document, std::uint32_t index);
// Finds the accessor of a member with its index ("POSITION": 3). Cached, because a file may refer to one
// costly accessor a million times.
LoadResult<Accessor> find_accessor(Document& document, io::JsonValue index);

std::vector<std::uint32_t> sparse_indices(const Sparse& sparse);
// Reads count * components floats; normalized integers become -1 .. 1 or 0 .. 1.
void read_floats(const Accessor& accessor, float* out);
std::vector<float> read_floats(const Accessor& accessor);
// Reads count * components integers; values beyond 32 unsigned bits become 2^32 - 1, which is not a valid
// index.
void read_integers(const Accessor& accessor, std::uint32_t* out);
std::vector<std::uint32_t> read_integers(const Accessor& accessor);

// Returns the elements in place when they have the memory layout of T; null otherwise. Avoids zero-filling an
// array before it is written, which takes half of the time for large meshes.
template <class T>
const T* in_place(const Accessor& accessor, ComponentType type)
{
    const bool aligned = reinterpret_cast<std::uintptr_t>(accessor.bytes.data()) % alignof(T) == 0;
    const bool same =
        accessor.type == type && accessor.has_view && !accessor.sparse && accessor.stride == sizeof(T);
    return aligned && same ? reinterpret_cast<const T*>(accessor.bytes.data()) : nullptr;
}

template <class T>
std::vector<T> copy_large(const T* values, std::size_t count)
{
    std::vector<T> out;
    io::reserve_large(out, count);
    out.assign(values, values + count);
    return out;
}

// One glm vector per element. Precondition: accessor.components == Vector::length().
template <class Vector>
scene::Array<Vector> read_vectors(const Accessor& accessor)
{
    if (const auto* const values = in_place<Vector>(accessor, ComponentType::f32))
        return copy_large(values, accessor.count);
    scene::Array<Vector> out;
    io::resize_large(out, accessor.count);
    if (!out.empty()) read_floats(accessor, &out[0][0]);
    return out;
}

// Replaces values that are not finite by 0; returns whether there were any.
template <class Vector>
bool make_finite(scene::Array<Vector>& values)
{
    if (scene::all_finite(values)) return false;
    for (Vector& value : values)
        for (int c = 0; c < Vector::length(); ++c)
            if (!std::isfinite(value[c])) value[c] = 0.0f;
    return true;
}

} // namespace vitrine::gltf

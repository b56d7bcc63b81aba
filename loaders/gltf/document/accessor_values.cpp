#include "loaders/gltf/document/accessor.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace vitrine::gltf {
namespace {

template <class T>
T load(const std::byte* at)
{
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
}

template <class T>
float to_float_value(T value, bool normalized)
{
    const auto number = static_cast<float>(value);
    if (!normalized || std::is_same_v<T, float>) return number;
    const float scaled = number / static_cast<float>(std::numeric_limits<T>::max());
    return std::max(scaled, -1.0f);
}

template <class T>
std::uint32_t to_integer_value(T value)
{
    constexpr std::uint32_t no_index = std::numeric_limits<std::uint32_t>::max();
    if constexpr (std::is_same_v<T, float>)
        return value >= 0.0f && value < 4294967040.0f ? static_cast<std::uint32_t>(value) : no_index;
    else if constexpr (std::is_signed_v<T>)
        return value >= 0 ? static_cast<std::uint32_t>(value) : no_index;
    else
        return value;
}

// Copies elements that are `stride` bytes apart from `bytes` to `out`, packed.
template <class T, class Out, class Convert>
void copy_as(const std::byte* bytes, std::uint64_t stride, std::uint32_t count, std::uint32_t components,
             Out* out, Convert convert)
{
    for (std::uint32_t n = 0; n < count; ++n, bytes += stride, out += components)
        for (std::uint32_t c = 0; c < components; ++c)
            out[c] = convert(load<T>(bytes + c * sizeof(T)));
}

template <class T>
void floats_as(const Accessor& a, const std::byte* bytes, std::uint64_t stride, std::uint32_t count,
               float* out)
{
    if (a.normalized)
        copy_as<T>(bytes, stride, count, a.components, out, [](T v) { return to_float_value(v, true); });
    else
        copy_as<T>(bytes, stride, count, a.components, out, [](T v) { return to_float_value(v, false); });
}

void floats_from(const Accessor& a, const std::byte* bytes, std::uint64_t stride, std::uint32_t count,
                 float* out)
{
    switch (a.type) {
    case ComponentType::i8: return floats_as<std::int8_t>(a, bytes, stride, count, out);
    case ComponentType::u8: return floats_as<std::uint8_t>(a, bytes, stride, count, out);
    case ComponentType::i16: return floats_as<std::int16_t>(a, bytes, stride, count, out);
    case ComponentType::u16: return floats_as<std::uint16_t>(a, bytes, stride, count, out);
    case ComponentType::u32: return floats_as<std::uint32_t>(a, bytes, stride, count, out);
    case ComponentType::f32: break;
    }
    const std::uint64_t packed = a.components * sizeof(float);
    if (stride == packed)
        std::memcpy(out, bytes, count * packed);
    else
        floats_as<float>(a, bytes, stride, count, out);
}

template <class T>
void integers_as(const std::byte* bytes, std::uint64_t stride, std::uint32_t count, std::uint32_t components,
                 std::uint32_t* out)
{
    copy_as<T>(bytes, stride, count, components, out, [](T v) { return to_integer_value(v); });
}

void integers_from(ComponentType type, const std::byte* bytes, std::uint64_t stride, std::uint32_t count,
                   std::uint32_t components, std::uint32_t* out)
{
    switch (type) {
    case ComponentType::i8: return integers_as<std::int8_t>(bytes, stride, count, components, out);
    case ComponentType::u8: return integers_as<std::uint8_t>(bytes, stride, count, components, out);
    case ComponentType::i16: return integers_as<std::int16_t>(bytes, stride, count, components, out);
    case ComponentType::u16: return integers_as<std::uint16_t>(bytes, stride, count, components, out);
    case ComponentType::u32: return integers_as<std::uint32_t>(bytes, stride, count, components, out);
    case ComponentType::f32: return integers_as<float>(bytes, stride, count, components, out);
    }
}

} // namespace

std::vector<std::uint32_t> sparse_indices(const Sparse& sparse)
{
    std::vector<std::uint32_t> indices(sparse.count);
    if (!indices.empty())
        integers_from(sparse.index_type, sparse.indices.data(), size_of(sparse.index_type), sparse.count, 1,
                      indices.data());
    return indices;
}

void read_floats(const Accessor& accessor, float* out)
{
    if (accessor.count == 0) return;
    const std::uint64_t total = std::uint64_t{accessor.count} * accessor.components;
    if (accessor.has_view)
        floats_from(accessor, accessor.bytes.data(), accessor.stride, accessor.count, out);
    else
        std::fill_n(out, total, 0.0f);
    if (!accessor.sparse) return;
    const std::uint64_t size = std::uint64_t{accessor.components} * size_of(accessor.type);
    const std::byte* value = accessor.sparse->values.data();
    for (const std::uint32_t index : sparse_indices(*accessor.sparse)) {
        floats_from(accessor, value, size, 1, out + std::uint64_t{index} * accessor.components);
        value += size;
    }
}

std::vector<float> read_floats(const Accessor& accessor)
{
    std::vector<float> out(std::uint64_t{accessor.count} * accessor.components);
    read_floats(accessor, out.data());
    return out;
}

void read_integers(const Accessor& accessor, std::uint32_t* out)
{
    if (accessor.count == 0) return;
    const std::uint32_t components = accessor.components;
    if (accessor.has_view)
        integers_from(accessor.type, accessor.bytes.data(), accessor.stride, accessor.count, components, out);
    else
        std::fill_n(out, std::uint64_t{accessor.count} * components, 0u);
    if (!accessor.sparse) return;
    const std::uint64_t size = std::uint64_t{components} * size_of(accessor.type);
    const std::byte* value = accessor.sparse->values.data();
    for (const std::uint32_t index : sparse_indices(*accessor.sparse)) {
        integers_from(accessor.type, value, size, 1, components, out + std::uint64_t{index} * components);
        value += size;
    }
}

std::vector<std::uint32_t> read_integers(const Accessor& accessor)
{
    const auto* const values = in_place<std::uint32_t>(accessor, ComponentType::u32);
    if (values != nullptr && accessor.components == 1) return copy_large(values, accessor.count);
    std::vector<std::uint32_t> out;
    io::resize_large(out, std::uint64_t{accessor.count} * accessor.components);
    read_integers(accessor, out.data());
    return out;
}

} // namespace vitrine::gltf

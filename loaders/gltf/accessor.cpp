#include "loaders/gltf/accessor.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "loaders/gltf/fields.hpp"

namespace vitrine::gltf {
namespace {

struct Shape {
    std::string_view name;
    std::uint32_t components;
    std::uint32_t rows; // of a matrix; its columns start at multiples of four bytes
};

constexpr Shape shapes[] = {{"SCALAR", 1, 0}, {"VEC2", 2, 0}, {"VEC3", 3, 0}, {"VEC4", 4, 0},
                            {"MAT2", 4, 2},   {"MAT3", 9, 3}, {"MAT4", 16, 4}};

// 0 for what is no component type.
std::uint32_t size_of(std::uint64_t component_type)
{
    switch (component_type) {
    case 5120:
    case 5121: return 1;
    case 5122:
    case 5123: return 2;
    case 5125:
    case 5126: return 4;
    default: return 0;
    }
}

std::uint32_t element_size(const Shape& shape, std::uint32_t component_size)
{
    if (shape.rows == 0) return shape.components * component_size;
    const std::uint32_t column = (shape.rows * component_size + 3) / 4 * 4;
    return column * (shape.components / shape.rows);
}

const Shape* read_shape(Fields& fields, const io::JsonValue& value)
{
    const auto* const shape = std::ranges::find(shapes, fields.string("type"), &Shape::name);
    if (shape != std::end(shapes)) return shape;
    fields.fail(LoadErrc::malformed, value, "\"type\" is none of SCALAR, VEC2 ... MAT4");
    return nullptr;
}

ComponentType read_component_type(Fields& fields, const io::JsonValue& value)
{
    const std::uint64_t type = fields.integer("componentType");
    if (size_of(type) == 0)
        fields.fail(LoadErrc::malformed, value, fmt::format("component type {} does not exist", type));
    return static_cast<ComponentType>(type);
}

// The bytes of `count` elements in a view, from its `offset` on.
LoadResult<Bytes> elements(Bytes view, std::uint64_t offset, std::uint64_t stride, std::uint64_t size,
                           std::uint64_t count, const std::string& where)
{
    if (count == 0) return Bytes();
    const bool inside = offset <= view.size() && size <= view.size() - offset &&
                        (stride == 0 || (count - 1) <= (view.size() - offset - size) / stride);
    if (!inside)
        return fail(
            LoadErrc::out_of_range, where,
            fmt::format("{} elements of {} bytes do not fit a buffer view of {}", count, size, view.size()));
    return view.subspan(offset, stride * (count - 1) + size);
}

template <class T>
T load(const std::byte* at)
{
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
}

template <class T>
float to_float_value(T value, bool normalised)
{
    const auto number = static_cast<float>(value);
    if (!normalised || std::is_same_v<T, float>) return number;
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

// Elements from `bytes`, `stride` apart, to `out`, packed.
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
    if (a.normalised)
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

std::vector<std::uint32_t> sparse_indices(const Sparse& sparse)
{
    std::vector<std::uint32_t> indices(sparse.count);
    if (!indices.empty())
        integers_from(sparse.index_type, sparse.indices.data(), size_of(sparse.index_type), sparse.count, 1,
                      indices.data());
    return indices;
}

// The packed bytes that a sparse part ("indices" or "values") points at.
LoadResult<Bytes> sparse_bytes(Document& document, io::JsonValue part, std::uint64_t size,
                               std::uint32_t count)
{
    Fields fields(part);
    const std::uint32_t view_index = fields.index("bufferView", document.list("bufferViews").size());
    const std::uint64_t offset = fields.integer("byteOffset", 0);
    if (fields.failed()) return fields.error();
    const LoadResult<BufferView> view = document.buffer_view(view_index);
    if (!view) return std::unexpected(view.error());
    return elements(view->bytes, offset, size, size, count, part.pointer());
}

LoadResult<Sparse> find_sparse(Document& document, io::JsonValue value, std::uint32_t value_size,
                               std::uint32_t elements_count)
{
    Fields fields(value);
    const std::uint64_t count = fields.integer("count");
    if (count > elements_count)
        fields.fail(LoadErrc::out_of_range, value, "more sparse values than elements");
    for (const std::string_view part : {"indices", "values"})
        if (!value[part].exists())
            return fail(LoadErrc::malformed, value.pointer(), fmt::format("\"{}\" is missing", part));
    Fields index_fields(value["indices"]);
    const ComponentType index_type = read_component_type(index_fields, value["indices"]);
    if (index_fields.failed()) return index_fields.error();
    if (fields.failed()) return fields.error();
    Sparse sparse{static_cast<std::uint32_t>(count), {}, index_type, {}};
    const auto indices = sparse_bytes(document, value["indices"], size_of(index_type), sparse.count);
    if (!indices) return std::unexpected(indices.error());
    const auto values = sparse_bytes(document, value["values"], value_size, sparse.count);
    if (!values) return std::unexpected(values.error());
    sparse.indices = *indices;
    sparse.values = *values;
    for (const std::uint32_t index : sparse_indices(sparse))
        if (index >= elements_count)
            return fail(LoadErrc::out_of_range, value.pointer() + "/indices",
                        fmt::format("sparse index {} of {} elements", index, elements_count));
    return sparse;
}

LoadResult<void> find_view(Document& document, Fields& fields, std::uint32_t view_index, std::uint32_t size,
                           Accessor& accessor)
{
    const std::uint64_t offset = fields.integer("byteOffset", 0);
    if (fields.failed()) return fields.error();
    const LoadResult<BufferView> view = document.buffer_view(view_index);
    if (!view) return std::unexpected(view.error());
    accessor.stride = view->stride == 0 ? size : view->stride;
    if (accessor.stride < size)
        return fail(LoadErrc::malformed, accessor.where,
                    fmt::format("elements of {} bytes every {} bytes", size, accessor.stride));
    const auto bytes = elements(view->bytes, offset, accessor.stride, size, accessor.count, accessor.where);
    if (!bytes) return std::unexpected(bytes.error());
    accessor.bytes = *bytes;
    accessor.has_view = true;
    return {};
}

} // namespace

std::uint32_t size_of(ComponentType type)
{
    return size_of(static_cast<std::uint64_t>(type));
}

bool is_component_type(std::uint64_t number)
{
    return size_of(number) != 0;
}

bool is_shape(std::string_view name)
{
    return std::ranges::find(shapes, name, &Shape::name) != std::end(shapes);
}

LoadResult<Accessor> find_accessor(Document& document, std::uint32_t index)
{
    const io::JsonValue value = document.list("accessors")[index];
    Fields fields(value);
    const Shape* shape = read_shape(fields, value);
    Accessor accessor;
    accessor.where = value.pointer();
    accessor.type = read_component_type(fields, value);
    accessor.normalised = fields.boolean("normalized", false) && accessor.type != ComponentType::f32;
    const std::uint64_t count = fields.integer("count");
    const std::uint32_t view = fields.optional_index("bufferView", document.list("bufferViews").size());
    if (count >= scene::none) fields.fail(LoadErrc::limit_exceeded, value, "more than 2^32 elements");
    if (fields.failed()) return fields.error();
    accessor.count = static_cast<std::uint32_t>(count);
    accessor.components = shape->components;
    const std::uint32_t size = element_size(*shape, size_of(accessor.type));
    if (view != scene::none)
        if (auto found = find_view(document, fields, view, size, accessor); !found)
            return std::unexpected(found.error());
    if (!value["sparse"].exists()) return accessor;
    LoadResult<Sparse> sparse = find_sparse(document, value["sparse"], size, accessor.count);
    if (!sparse) return std::unexpected(sparse.error());
    accessor.sparse = *sparse;
    return accessor;
}

LoadResult<Accessor> find_accessor(Document& document, io::JsonValue index)
{
    const LoadResult<std::uint32_t> number = to_index(index, document.list("accessors").size());
    if (!number) return std::unexpected(number.error());
    return document.accessor(*number);
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

#include "loaders/gltf/document/accessor.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "loaders/gltf/document/fields.hpp"

namespace vitrine::gltf {
namespace {

struct ElementShape {
    std::string_view name;
    std::uint32_t components;
    std::uint32_t rows; // of a matrix; columns start at multiples of four bytes
};

constexpr ElementShape shapes[] = {{"SCALAR", 1, 0}, {"VEC2", 2, 0}, {"VEC3", 3, 0}, {"VEC4", 4, 0},
                                   {"MAT2", 4, 2},   {"MAT3", 9, 3}, {"MAT4", 16, 4}};

std::uint32_t element_size(const ElementShape& shape, std::uint32_t component_size)
{
    if (shape.rows == 0) return shape.components * component_size;
    const std::uint32_t column = (shape.rows * component_size + 3) / 4 * 4;
    return column * (shape.components / shape.rows);
}

const ElementShape* read_shape(Fields& fields, const io::JsonValue& value)
{
    const auto* const shape = std::ranges::find(shapes, fields.string("type"), &ElementShape::name);
    if (shape != std::end(shapes)) return shape;
    fields.fail(LoadErrc::malformed, value, "\"type\" is not one of SCALAR, VEC2 ... MAT4");
    return nullptr;
}

ComponentType read_component_type(Fields& fields, const io::JsonValue& value)
{
    const std::uint64_t type = fields.integer("componentType");
    if (size_of_component(type) == 0)
        fields.fail(LoadErrc::malformed, value, fmt::format("component type {} does not exist", type));
    return static_cast<ComponentType>(type);
}

// Returns the bytes of `count` elements in a view, starting at `offset`.
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

// Returns the packed bytes of a sparse part ("indices" or "values").
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

LoadResult<void> check_indices(Document& document, const Sparse& sparse, std::uint32_t elements_count,
                               io::JsonValue where)
{
    const std::vector<std::uint32_t> indices = sparse_indices(sparse);
    for (const std::uint32_t index : indices)
        if (index >= elements_count)
            return fail(LoadErrc::out_of_range, where.pointer(),
                        fmt::format("sparse index {} does not exist ({} elements)", index, elements_count));
    if (std::ranges::adjacent_find(indices, std::greater_equal()) != indices.end())
        document.warnings().add("invalid_accessor",
                                "sparse indices do not ascend; the last of equal indices is used",
                                where.pointer());
    return {};
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
    if (index_type != ComponentType::u8 && index_type != ComponentType::u16 &&
        index_type != ComponentType::u32)
        document.warnings().add("invalid_accessor", "sparse indices must be unsigned integers",
                                value["indices"].pointer());
    Sparse sparse{static_cast<std::uint32_t>(count), {}, index_type, {}};
    const auto indices = sparse_bytes(document, value["indices"], size_of(index_type), sparse.count);
    if (!indices) return std::unexpected(indices.error());
    const auto values = sparse_bytes(document, value["values"], value_size, sparse.count);
    if (!values) return std::unexpected(values.error());
    sparse.indices = *indices;
    sparse.values = *values;
    // Each accessor reads all of its indices, which thousands of accessors may share.
    if (auto taken = document.budget().take_indices(sparse.count, value.pointer()); !taken)
        return std::unexpected(taken.error());
    if (auto checked = check_indices(document, sparse, elements_count, value["indices"]); !checked)
        return std::unexpected(checked.error());
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
                    fmt::format("the stride ({} bytes) is smaller than an element ({} bytes)",
                                accessor.stride, size));
    const auto bytes = elements(view->bytes, offset, accessor.stride, size, accessor.count, accessor.where);
    if (!bytes) return std::unexpected(bytes.error());
    accessor.bytes = *bytes;
    accessor.has_view = true;
    return {};
}

} // namespace

std::uint32_t size_of(ComponentType type)
{
    return size_of_component(static_cast<std::uint64_t>(type));
}

std::uint32_t size_of_component(std::uint64_t number)
{
    switch (number) {
    case 5120:
    case 5121: return 1;
    case 5122:
    case 5123: return 2;
    case 5125:
    case 5126: return 4;
    default: return 0;
    }
}

bool is_shape(std::string_view name)
{
    return std::ranges::find(shapes, name, &ElementShape::name) != std::end(shapes);
}

LoadResult<Accessor> find_accessor(Document& document, std::uint32_t index)
{
    const io::JsonValue value = document.list("accessors")[index];
    Fields fields(value);
    const ElementShape* shape = read_shape(fields, value);
    Accessor accessor;
    accessor.where = value.pointer();
    accessor.type = read_component_type(fields, value);
    accessor.normalized = fields.boolean("normalized", false) && accessor.type != ComponentType::f32;
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

} // namespace vitrine::gltf

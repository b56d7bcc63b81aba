#include "loaders/gltf/meshes/index_lists.hpp"

#include <memory>
#include <new>
#include <stdexcept>

#include <draco/compression/decode.h>
#include <fmt/format.h>

#include "loaders/gltf/document/accessor.hpp"
#include "loaders/gltf/document/fields.hpp"

namespace vitrine::gltf {
namespace {

using TriangleIndices = std::vector<std::uint32_t>; // three vertices per triangle

LoadResult<std::unique_ptr<draco::Mesh>> decode(Bytes bytes, const std::string& where)
{
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    draco::Decoder decoder;
    try {
        auto mesh = decoder.DecodeMeshFromBuffer(&buffer);
        if (mesh.ok()) return std::move(mesh).value();
        return fail(LoadErrc::malformed, where,
                    fmt::format("the compressed mesh is damaged: {}", mesh.status().error_msg_string()));
    } catch (const std::bad_alloc&) { // the library allocates what the data declares
    } catch (const std::length_error&) {
    }
    return fail(LoadErrc::limit_exceeded, where,
                "the compressed mesh declares more data than fits into memory");
}

// Returns the values of `attribute`, one per vertex, in the format of `accessor`.
template <class T>
std::vector<std::byte> values_as(const draco::PointAttribute& attribute, const Accessor& accessor)
{
    std::vector<std::byte> out(std::size_t{accessor.count} * accessor.stride);
    std::vector<T> value(accessor.components);
    for (std::uint32_t n = 0; n < accessor.count; ++n) {
        attribute.ConvertValue<T>(attribute.mapped_index(draco::PointIndex(n)),
                                  static_cast<std::int8_t>(accessor.components), value.data());
        std::memcpy(out.data() + n * accessor.stride, value.data(), accessor.stride);
    }
    return out;
}

std::vector<std::byte> values_of(const draco::PointAttribute& attribute, const Accessor& accessor)
{
    switch (accessor.type) {
    case ComponentType::i8: return values_as<std::int8_t>(attribute, accessor);
    case ComponentType::u8: return values_as<std::uint8_t>(attribute, accessor);
    case ComponentType::i16: return values_as<std::int16_t>(attribute, accessor);
    case ComponentType::u16: return values_as<std::uint16_t>(attribute, accessor);
    case ComponentType::u32: return values_as<std::uint32_t>(attribute, accessor);
    case ComponentType::f32: break;
    }
    return values_as<float>(attribute, accessor);
}

// Sets the accessor of one attribute; `id` is a member of the extension's "attributes".
LoadResult<void> set_attribute(Document& document, const draco::Mesh& mesh, io::JsonValue id,
                               io::JsonValue accessor_index)
{
    const auto index = to_index(accessor_index, document.list("accessors").size());
    if (!index) return std::unexpected(index.error());
    LoadResult<Accessor> accessor = document.accessor(*index);
    if (!accessor) return std::unexpected(accessor.error());
    const auto number = to_index(id, scene::none);
    if (!number) return std::unexpected(number.error());
    const draco::PointAttribute* const attribute = mesh.GetAttributeByUniqueId(*number);
    if (attribute == nullptr)
        return fail(LoadErrc::malformed, id.pointer(),
                    fmt::format("the compressed mesh has no attribute {}", *number));
    accessor->count = mesh.num_points();
    accessor->stride = std::uint64_t{accessor->components} * size_of(accessor->type);
    accessor->sparse.reset();
    const std::uint64_t bytes = accessor->count * accessor->stride;
    if (auto taken = document.budget().take_bytes(bytes, id.pointer()); !taken) return taken;
    document.set_accessor(*index, *accessor, values_of(*attribute, *accessor));
    return {};
}

TriangleIndices corners_of(const draco::Mesh& mesh)
{
    TriangleIndices corners;
    corners.reserve(std::size_t{mesh.num_faces()} * 3);
    for (draco::FaceIndex f(0); f < mesh.num_faces(); ++f)
        for (const draco::PointIndex point : mesh.face(f))
            corners.push_back(point.value());
    return corners;
}

bool has_twin(Document& document, io::JsonValue primitive)
{
    const auto position = to_index(primitive["attributes"]["POSITION"], document.list("accessors").size())
                              .value_or(scene::none);
    return position != scene::none && document.list("accessors")[position]["bufferView"].exists();
}

} // namespace

LoadResult<std::optional<TriangleIndices>> decompress_draco(Document& document, io::JsonValue primitive)
{
    const io::JsonValue extension = primitive["extensions"]["KHR_draco_mesh_compression"];
    if (!extension.exists() || has_twin(document, primitive)) return std::optional<TriangleIndices>();
    Fields fields(extension);
    const std::uint32_t view_index = fields.index("bufferView", document.list("bufferViews").size());
    if (fields.failed()) return fields.error();
    const LoadResult<BufferView> view = document.buffer_view(view_index);
    if (!view) return std::unexpected(view.error());
    const auto mesh = decode(view->bytes, extension.pointer());
    if (!mesh) return std::unexpected(mesh.error());
    const std::uint64_t corners = std::uint64_t{(*mesh)->num_faces()} * 3;
    if (auto taken = document.budget().take_indices(corners, extension.pointer()); !taken)
        return std::unexpected(taken.error());
    for (const io::JsonValue id : extension["attributes"])
        if (const io::JsonValue accessor = primitive["attributes"][id.key()]; accessor.exists())
            if (auto set = set_attribute(document, **mesh, id, accessor); !set)
                return std::unexpected(set.error());
    return corners_of(**mesh);
}

} // namespace vitrine::gltf

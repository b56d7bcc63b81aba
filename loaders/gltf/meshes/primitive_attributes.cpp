#include "loaders/gltf/meshes/primitive_attributes.hpp"
#include "loaders/gltf/document/fields.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loaders/gltf/document/accessor.hpp"
#include "loaders/gltf/document/component_types.hpp"
#include "loaders/gltf/document/specification_checks.hpp"
#include "loaders/gltf/meshes/influences.hpp"
#include "loaders/scene/gather.hpp"
#include "loaders/scene/uv_sets.hpp"

namespace vitrine::gltf {
namespace {

glm::vec3 unit_or_zero(glm::vec3 v)
{
    const float squared = glm::dot(v, v);
    if (std::abs(squared - 1.0f) < 1e-6f) return v;
    const double length = glm::length(glm::dvec3(v));
    return length > 0.0 ? glm::vec3(glm::dvec3(v) / length) : glm::vec3(0.0f);
}

class AttributeReader {
public:
    AttributeReader(Document& document, io::JsonValue primitive, std::uint32_t vertices)
        : document_(document), attributes_(primitive["attributes"]), vertices_(vertices)
    {
    }

    // Returns the attribute with that name when it exists and matches; empty otherwise.
    template <class Vector>
    scene::Array<Vector> read(io::JsonValue index, AccessorUsage use)
    {
        if (!index.exists()) return {};
        const LoadResult<Accessor> accessor = find_accessor(document_, index);
        std::string reason;
        if (!accessor)
            reason = accessor.error().detail;
        else if (accessor->count != vertices_)
            reason = fmt::format("{} values for {} vertices", accessor->count, vertices_);
        else if (accessor->components != static_cast<std::uint32_t>(Vector::length()))
            reason = fmt::format("{} components instead of {}", accessor->components, Vector::length());
        if (!reason.empty()) {
            warn("invalid_attribute", "the attribute is ignored: " + reason, index);
            return {};
        }
        check_format(document_, *accessor, use, index);
        scene::Array<Vector> values = read_vectors<Vector>(*accessor);
        if (make_finite(values)) warn("non_finite", "numbers are not finite; they are replaced by 0", index);
        return values;
    }
    template <class Vector>
    scene::Array<Vector> read(std::string_view name, AccessorUsage use)
    {
        return read<Vector>(attributes_[name], use);
    }

    scene::Array<glm::vec2> read_uvs(std::uint32_t set)
    {
        return read<glm::vec2>(fmt::format("TEXCOORD_{}", set), AccessorUsage::texture_coordinates);
    }

    scene::Array<glm::vec4> read_colors()
    {
        const io::JsonValue index = attributes_["COLOR_0"];
        if (!index.exists()) return {};
        const LoadResult<Accessor> accessor = find_accessor(document_, index);
        if (!accessor || accessor->components != 3) return read<glm::vec4>(index, AccessorUsage::colors);
        scene::Array<glm::vec4> colors;
        colors.reserve(vertices_);
        for (const glm::vec3& color : read<glm::vec3>(index, AccessorUsage::colors))
            colors.emplace_back(color, 1.0f);
        return colors;
    }

private:
    void warn(std::string_view code, std::string message, const io::JsonValue& where)
    {
        document_.warnings().add(code, std::move(message), where.pointer());
    }

    Document& document_;
    io::JsonValue attributes_;
    std::uint32_t vertices_;
};

LoadResult<std::vector<DenseTarget>> read_targets(Document& document, AttributeReader& reader,
                                                  io::JsonValue targets, std::uint64_t vertices)
{
    std::vector<DenseTarget> out;
    if (auto checked = check_array(targets); !checked) return std::unexpected(checked.error());
    for (const io::JsonValue target : targets) {
        if (const Fields fields(target); fields.failed()) return fields.error();
        if (auto taken = document.budget().take_deltas(vertices, target.pointer()); !taken)
            return std::unexpected(taken.error());
        check_names(document, target);
        if (target["POSITION"].exists()) check_bounds(document, target["POSITION"]);
        out.push_back({reader.read<glm::vec3>(target["POSITION"], AccessorUsage::position_deltas),
                       reader.read<glm::vec3>(target["NORMAL"], AccessorUsage::directions),
                       reader.read<glm::vec3>(target["TANGENT"], AccessorUsage::directions)});
        for (const io::JsonValue attribute : target)
            if (attribute.key().starts_with("TEXCOORD_") || attribute.key().starts_with("COLOR_"))
                document.warnings().add(
                    "unsupported_morph",
                    fmt::format("morph targets of {} are not supported; they are ignored", attribute.key()),
                    attribute.pointer());
    }
    return out;
}

LoadResult<Accessor> find_positions(Document& document, io::JsonValue primitive)
{
    const io::JsonValue index = primitive["attributes"]["POSITION"];
    LoadResult<Accessor> accessor = find_accessor(document, index);
    if (!accessor) return accessor;
    if (accessor->components != 3)
        return fail(LoadErrc::malformed, index.pointer(), "positions must be VEC3");
    check_bounds(document, index);
    check_names(document, primitive["attributes"]);
    if (auto taken = document.budget().take_vertices(accessor->count, index.pointer()); !taken)
        return std::unexpected(taken.error());
    return accessor;
}

} // namespace

LoadResult<PrimitiveAttributes> read_attributes(Document& document, io::JsonValue primitive,
                                                const UvSets& uv_sets)
{
    const LoadResult<Accessor> positions = find_positions(document, primitive);
    if (!positions) return std::unexpected(positions.error());
    AttributeReader reader(document, primitive, positions->count);
    PrimitiveAttributes attributes;
    attributes.positions = reader.read<glm::vec3>("POSITION", AccessorUsage::positions);
    attributes.normals = reader.read<glm::vec3>("NORMAL", AccessorUsage::directions);
    if (!attributes.normals.empty())
        attributes.tangents = reader.read<glm::vec4>("TANGENT", AccessorUsage::directions);
    attributes.uv0 = reader.read_uvs(uv_sets[0]);
    attributes.uv1 = reader.read_uvs(uv_sets[1]);
    for (std::size_t set = scene::first_more_uvs; set < uv_sets.size(); ++set)
        attributes.more_uvs.push_back(reader.read_uvs(uv_sets[set]));
    attributes.colors = reader.read_colors();
    for (glm::vec3& normal : attributes.normals)
        normal = unit_or_zero(normal);
    for (glm::vec4& tangent : attributes.tangents)
        tangent = glm::vec4(unit_or_zero(glm::vec3(tangent)), tangent.w < 0.0f ? -1.0f : 1.0f);
    auto influences = read_influences(document, primitive["attributes"], positions->count);
    if (!influences) return std::unexpected(influences.error());
    attributes.influences = std::move(*influences);
    auto targets = read_targets(document, reader, primitive["targets"], positions->count);
    if (!targets) return std::unexpected(targets.error());
    attributes.targets = std::move(*targets);
    return attributes;
}

PrimitiveAttributes expand(const PrimitiveAttributes& attributes, const std::vector<std::uint32_t>& corners)
{
    PrimitiveAttributes out;
    out.positions = scene::gather(attributes.positions, corners);
    out.normals = scene::gather(attributes.normals, corners);
    out.tangents = scene::gather(attributes.tangents, corners);
    out.uv0 = scene::gather(attributes.uv0, corners);
    out.uv1 = scene::gather(attributes.uv1, corners);
    for (const auto& uvs : attributes.more_uvs)
        out.more_uvs.emplace_back(scene::gather(uvs, corners));
    out.colors = scene::gather(attributes.colors, corners);
    out.influences = gather(attributes.influences, corners);
    return out;
}

} // namespace vitrine::gltf

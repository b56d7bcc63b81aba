#include "loaders/gltf/nodes/nodes.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "loaders/base/utf8.hpp"
#include "loaders/gltf/document/accessor.hpp"
#include "loaders/gltf/document/component_types.hpp"
#include "loaders/gltf/document/fields.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/scene/validation/name_limits.hpp"

namespace vitrine::gltf {
namespace {

template <class Vector>
LoadResult<scene::Array<Vector>> read_attribute(Document& document, io::JsonValue index, AccessorUsage use)
{
    if (!index.exists()) return scene::Array<Vector>();
    const LoadResult<Accessor> accessor = find_accessor(document, index);
    if (!accessor) return std::unexpected(accessor.error());
    if (accessor->components != static_cast<std::uint32_t>(Vector::length()))
        return fail(LoadErrc::malformed, index.pointer(),
                    fmt::format("{} components are expected", Vector::length()));
    if (accessor->count > document.budget().limits().nodes)
        return io::limit_exceeded_error(index.pointer(), "nodes", document.budget().limits().nodes);
    check_format(document, *accessor, use, index);
    scene::Array<Vector> values = read_vectors<Vector>(*accessor);
    if (make_finite(values))
        document.warnings().add("non_finite", "numbers are not finite; they are replaced by 0",
                                index.pointer());
    return values;
}

// "_COLOR_0", linear, none below 0; instances stay white where it cannot be read.
scene::Array<glm::vec4> read_colors(Document& document, io::JsonValue index)
{
    const LoadResult<Accessor> accessor = find_accessor(document, index);
    if (!index.exists() || !accessor) return {}; // count_in() warns
    const bool is_rgb = accessor->components == 3;
    scene::Array<glm::vec4> colors;
    std::string reason;
    if (is_rgb) {
        const auto values = read_attribute<glm::vec3>(document, index, AccessorUsage::colors);
        if (!values) reason = values.error().detail;
        for (const auto& color : values.value_or(scene::Array<glm::vec3>()))
            colors.emplace_back(color, 1.0f);
    } else {
        auto values = read_attribute<glm::vec4>(document, index, AccessorUsage::colors);
        if (values)
            colors = std::move(*values);
        else
            reason = values.error().detail;
    }
    if (!reason.empty())
        document.warnings().add("invalid_attribute", "the attribute is ignored: " + reason, index.pointer());
    for (glm::vec4& color : colors)
        color = glm::max(color, 0.0f);
    return colors;
}

struct InstanceAttributes {
    scene::Array<glm::vec3> translations;
    scene::Array<glm::vec4> rotations;
    scene::Array<glm::vec3> scales;
    scene::Array<glm::vec4> colors; // do not count instances

    std::size_t count() const { return std::max({translations.size(), rotations.size(), scales.size()}); }
    glm::vec4 color_at(std::size_t n) const { return n < colors.size() ? colors[n] : glm::vec4(1.0f); }
    scene::Trs at(std::size_t n) const
    {
        scene::Trs trs;
        if (n < translations.size()) trs.translation = translations[n];
        if (n < scales.size()) trs.scale = scales[n];
        if (n >= rotations.size()) return trs;
        const glm::dvec4 q(rotations[n]);
        const double length = glm::length(q);
        if (!(length > 0.0)) return trs;
        const glm::vec4 unit(q / length);
        trs.rotation = glm::quat(unit.w, unit.x, unit.y, unit.z);
        return trs;
    }
};

LoadResult<InstanceAttributes> read_instances(Document& document, io::JsonValue attributes)
{
    auto translations =
        read_attribute<glm::vec3>(document, attributes["TRANSLATION"], AccessorUsage::vectors);
    if (!translations) return std::unexpected(translations.error());
    auto rotations =
        read_attribute<glm::vec4>(document, attributes["ROTATION"], AccessorUsage::instance_rotations);
    if (!rotations) return std::unexpected(rotations.error());
    auto scales = read_attribute<glm::vec3>(document, attributes["SCALE"], AccessorUsage::vectors);
    if (!scales) return std::unexpected(scales.error());
    return InstanceAttributes{std::move(*translations), std::move(*rotations), std::move(*scales),
                              read_colors(document, attributes["_COLOR_0"])};
}

// Returns the instance count of attributes without a transform ("_ID").
std::size_t count_in(Document& document, io::JsonValue attribute)
{
    const LoadResult<Accessor> accessor = find_accessor(document, attribute);
    if (accessor) return accessor->count;
    document.warnings().add("invalid_attribute", "the attribute is ignored: " + accessor.error().detail,
                            attribute.pointer());
    return 0;
}

// Returns the number of instances; at least one.
std::size_t count_instances(Document& document, io::JsonValue extension, const InstanceAttributes& placed)
{
    std::size_t max_count = 0;
    bool equal = true;
    for (const io::JsonValue attribute : extension["attributes"]) {
        const std::size_t count = count_in(document, attribute);
        equal &= max_count == 0 || count == max_count;
        max_count = std::max(max_count, count);
    }
    if (!equal)
        document.warnings().add("invalid_attribute",
                                "the attributes of the instances have different lengths; missing values "
                                "are the defaults",
                                extension.pointer());
    if (max_count > 0) return placed.count() > 0 ? placed.count() : max_count;
    document.warnings().add("invalid_attribute",
                            "no attribute defines the number of instances; the mesh is drawn once",
                            extension.pointer());
    return 1;
}

} // namespace

LoadResult<void> add_instances(Document& document, scene::Scene& scene)
{
    const io::JsonValue nodes = document.list("nodes");
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
        const io::JsonValue extension =
            LenientFields(nodes[n], document.warnings()).extension("EXT_mesh_gpu_instancing");
        if (!extension.exists() || scene.nodes[n].mesh == scene::none) continue;
        const LoadResult<InstanceAttributes> instances = read_instances(document, extension["attributes"]);
        if (!instances) return std::unexpected(instances.error());
        const std::size_t count = count_instances(document, extension, *instances);
        if (count > document.budget().limits().nodes - scene.nodes.size())
            return io::limit_exceeded_error(extension.pointer(), "nodes", document.budget().limits().nodes);
        scene::Node instance;
        instance.parent = n;
        instance.visible = scene.nodes[n].visible;
        instance.mesh = std::exchange(scene.nodes[n].mesh, scene::none);
        instance.skin = std::exchange(scene.nodes[n].skin, scene::none);
        instance.morph_weights = std::exchange(scene.nodes[n].morph_weights, {});
        // Copied often: truncated so that the name with a number stays within the limit.
        const std::string name(truncate_utf8(scene.nodes[n].name, scene::max_name_bytes - 16));
        for (std::size_t i = 0; i < count; ++i) {
            instance.name = fmt::format("{}[{}]", name, i);
            instance.local = instances->at(i);
            instance.color = instances->color_at(i);
            scene.nodes.push_back(instance);
        }
    }
    return {};
}

} // namespace vitrine::gltf

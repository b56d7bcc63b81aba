#include "loaders/fbx/transforms/model_transform.hpp"

#include <cmath>

namespace vitrine::fbx {
namespace {

glm::dvec3 finite_vec3(const Properties& properties, std::string_view name, const glm::dvec3& fallback)
{
    const glm::dvec3 v = properties.vec3(name, fallback);
    for (int axis = 0; axis < 3; ++axis)
        if (!(std::abs(v[axis]) < 1e30)) return fallback;
    return v;
}

void read_channels(const Document& document, std::uint32_t model, NodeTransform& t)
{
    const ChannelDefaults* defaults = document.channel_defaults(model);
    for (std::size_t property = 0; defaults != nullptr && property < defaults->size(); ++property) {
        const glm::dvec3& v = (*defaults)[property];
        for (int axis = 0; axis < 3; ++axis)
            if (!std::isnan(v[axis])) t.values[property][axis] = v[axis];
    }
}

} // namespace

NodeTransform read_transform(const Document& document, std::uint32_t model)
{
    const Properties& properties = document.object(model).properties;
    NodeTransform t;
    read_channels(document, model, t);
    for (std::size_t i = 0; i < transform_property_count; ++i)
        t.values[i] = finite_vec3(properties, transform_property_names[i], t.values[i]);
    const std::int64_t order = properties.integer("RotationOrder");
    if (order >= 0 && order <= 6) t.order = static_cast<RotationOrder>(order);
    t.rotation_space =
        properties.boolean("RotationActive", true) && !properties.boolean("RotationSpaceForLimitOnly");
    return t;
}

DoubleTrs geometric_trs(const Properties& properties)
{
    return {properties.vec3("GeometricTranslation"),
            quat_from_euler(properties.vec3("GeometricRotation"), RotationOrder::xyz),
            properties.vec3("GeometricScaling", glm::dvec3(1.0))};
}

} // namespace vitrine::fbx

#include "loaders/fbx/geometric.hpp"

namespace vitrine::fbx {

DoubleTrs geometric_trs(const Properties& properties)
{
    return {properties.vec3("GeometricTranslation"),
            quat_from_euler(properties.vec3("GeometricRotation"), RotationOrder::xyz),
            properties.vec3("GeometricScaling", glm::dvec3(1.0))};
}

} // namespace vitrine::fbx

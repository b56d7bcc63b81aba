#include "loaders/scene/missing_maps.hpp"

namespace vitrine::scene {

void apply_missing_map(Material& material, MapKind kind)
{
    MaterialExtensions& extensions = material.extensions;
    switch (kind) {
    case MapKind::metalness: material.metallic = 0.0f; return;
    case MapKind::emission: material.emissive = glm::vec3(0.0f); return;
    case MapKind::specular_color:
        extensions.specular_color = glm::min(extensions.specular_color, 1.0f);
        return;
    case MapKind::clearcoat: extensions.clearcoat = 0.0f; return;
    case MapKind::sheen: extensions.sheen = glm::vec3(0.0f); return;
    case MapKind::transmission: extensions.transmission = 0.0f; return;
    }
}

} // namespace vitrine::scene

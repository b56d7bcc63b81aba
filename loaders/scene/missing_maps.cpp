#include "loaders/scene/missing_maps.hpp"

namespace vitrine::scene {

void apply_missing_map(Material& material, MapKind kind)
{
    switch (kind) {
    case MapKind::emission: material.emissive = glm::vec3(0.0f); return;
    case MapKind::clearcoat: material.extensions.clearcoat = 0.0f; return;
    case MapKind::sheen: material.extensions.sheen = glm::vec3(0.0f); return;
    case MapKind::transmission: material.extensions.transmission = 0.0f; return;
    }
}

void apply_missing_maps(Material& material, const std::vector<Image>& images)
{
    const auto check = [&](const Texture& texture, MapKind kind) {
        if (texture.image < images.size() && images[texture.image].pixels.empty())
            apply_missing_map(material, kind);
    };
    check(material.emissive_texture, MapKind::emission);
    check(material.extensions.clearcoat_texture, MapKind::clearcoat);
    check(material.extensions.sheen_texture, MapKind::sheen);
    check(material.extensions.transmission_texture, MapKind::transmission);
}

} // namespace vitrine::scene

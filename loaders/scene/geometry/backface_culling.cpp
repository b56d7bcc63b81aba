#include "loaders/scene/geometry/backface_culling.hpp"

namespace vitrine::scene {

bool culls_back_faces(const Scene& scene, std::uint32_t material)
{
    const bool declares_sides = scene.format == "gltf" || scene.format == "glb";
    return declares_sides && (material == none || !scene.materials[material].double_sided);
}

} // namespace vitrine::scene

#include "loaders/scene/geometry/backface_culling.hpp"

namespace vitrine::scene {

bool culls_back_faces(const Scene& scene, std::uint32_t material)
{
    const bool says = scene.format == "gltf" || scene.format == "glb";
    return says && (material == none || !scene.materials[material].double_sided);
}

} // namespace vitrine::scene

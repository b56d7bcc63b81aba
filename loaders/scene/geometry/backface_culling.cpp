#include "loaders/scene/geometry/backface_culling.hpp"

#include "loaders/base/model_formats.hpp"

namespace vitrine::scene {

bool culls_back_faces(const Scene& scene, std::uint32_t material)
{
    return scene_traits(scene.format).declares_sides &&
           (material == none || !scene.materials[material].double_sided);
}

} // namespace vitrine::scene

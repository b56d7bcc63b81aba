#include "loaders/scene/variants.hpp"

#include <algorithm>
#include <cassert>

namespace vitrine::scene {

void apply_variant(Scene& scene, std::uint32_t variant)
{
    assert(variant < scene.variants.size());
    for (Mesh& mesh : scene.meshes) {
        for (Primitive& primitive : mesh.primitives) {
            const auto found =
                std::ranges::lower_bound(primitive.variants, variant, {}, &VariantMaterial::variant);
            if (found != primitive.variants.end() && found->variant == variant)
                primitive.material = found->material;
            primitive.variants.clear();
        }
    }
    scene.variants.clear();
}

} // namespace vitrine::scene

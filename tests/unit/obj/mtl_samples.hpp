#pragma once
// Small textures, and a square with one material of a library.

#include "tests/unit/obj/samples.hpp"

namespace vitrine::test {

inline const std::string red = tga(1, 1, {255, 0, 0, 255});
inline const std::string ramp = tga(2, 1, {0, 0, 0, 255, 128, 128, 128, 255});
inline const std::string black_white = tga(2, 1, {0, 0, 0, 255, 255, 255, 255, 255});

// The material of a square that uses "m" of this library.
struct LoadedMaterial {
    scene::Scene scene;
    scene::Material material;
};
inline LoadedMaterial load_material(const std::string& properties, Files files = {})
{
    files["m.mtl"] = "newmtl m\n" + properties;
    LoadedMaterial out{load_text(square + "mtllib m.mtl\nusemtl m\nf 1 2 3 4\n", std::move(files)), {}};
    EXPECT_EQ(out.scene.materials.size(), 1u);
    out.material = out.scene.materials.at(out.scene.meshes.at(0).primitives.at(0).material);
    return out;
}

} // namespace vitrine::test

// The appearance of an MTL material of which one map, of each kind in turn, cannot be used.

#include <functional>

#include "loaders/base/srgb.hpp"
#include "tests/support/broken_images.hpp"
#include "tests/unit/obj/mtl_samples.hpp"

namespace vitrine::test {
namespace {

using scene::Material;

const glm::vec4 neutral_color(linear_from_srgb(glm::vec3(0.8f)), 1.0f);

struct MapRow {
    std::string statement; // before the file
    std::string values;
    std::function<bool(const Material&)> is_neutral;
};

bool has_no_normals(const Material& m)
{
    return m.normal_texture.image == scene::none && m.base_color == neutral_color;
}

bool is_opaque(const Material& m)
{
    return m.alpha_mode == scene::AlphaMode::opaque && m.base_color == neutral_color;
}

const MapRow map_rows[]{
    {"map_Kd", "", is_opaque},
    {"map_Kd", "Kd 1 0 0\n", [](const Material& m) { return m.base_color == glm::vec4(1, 0, 0, 1); }},
    {"map_Kd", "Kd 0 0 0\n", is_opaque}, // as Maya writes it beside every map
    {"map_Kd", "Ke 1 1 1\n", [](const Material& m) { return m.emissive == glm::vec3(1.0f); }},
    {"map_Ke", "", [](const Material& m) { return m.emissive == glm::vec3(0.0f); }},
    {"map_Ke", "Ke 1 1 1\n", [](const Material& m) { return m.emissive == glm::vec3(0.0f); }},
    {"map_d", "", is_opaque},
    {"map_d", "d 0.5\n",
     [](const Material& m) { return m.base_color.w == 0.5f && m.alpha_mode == scene::AlphaMode::blend; }},
    {"map_Pr", "Pr 0.25\nPm 0.5\n",
     [](const Material& m) {
         return m.roughness == 0.25f && m.metallic == 0.5f &&
                m.metallic_roughness_texture.image == scene::none;
     }},
    {"map_Pm", "Pr 0.25\nPm 0.5\n",
     [](const Material& m) {
         return m.roughness == 0.25f && m.metallic == 0.5f &&
                m.metallic_roughness_texture.image == scene::none;
     }},
    {"map_Pm", "", [](const Material& m) { return m.metallic == 0.0f && m.roughness == 1.0f; }},
    {"norm", "", has_no_normals},
    {"map_Bump", "", has_no_normals},
    {"bump -bm 2", "", has_no_normals}};

TEST(ObjMissingMap, LeavesTheNeutralLook)
{
    for (const MapRow& row : map_rows) {
        for (const BrokenImage& image : broken_images()) {
            SCOPED_TRACE(row.values + row.statement + " " + image.file);
            const auto loaded = load_material(row.values + row.statement + " " + image.file, image.files);
            EXPECT_PRED1(row.is_neutral, loaded.material);
            expect_named(loaded.scene.warnings, image);
        }
    }
}

} // namespace
} // namespace vitrine::test

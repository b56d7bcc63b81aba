// Materials whose textures use more than two UV sets: each texture at its own.

#include <algorithm>

#include "loaders/scene/material_textures.hpp"
#include "loaders/scene/uv_sets.hpp"
#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "vk_renderer/scene/pack_scene.hpp"

namespace vitrine::test {
namespace {

constexpr std::uint32_t sets = scene::max_uv_sets;

// The texel of a texture slot at the place of a UV set.
std::array<std::uint8_t, 4> texel_at(std::size_t slot, std::uint32_t set)
{
    const auto mixed = [&](std::size_t channel) {
        return static_cast<std::uint8_t>(40 +
                                         (83 * slot + 57 * set + 131 * channel + 29 * set * channel) % 200);
    };
    // Normal maps point outward.
    if (slot == 2) return {mixed(0), mixed(1), 220, 255};
    return {mixed(0), mixed(1), mixed(2), static_cast<std::uint8_t>(slot == 0 ? 255 : mixed(3))};
}

scene::Image strip(std::size_t slot, std::uint32_t first, std::uint32_t count)
{
    scene::Image image;
    image.width = count;
    image.height = 1;
    for (std::uint32_t set = first; set < first + count; ++set)
        for (const auto channel : texel_at(slot, set))
            image.pixels.push_back(channel);
    return image;
}

scene::Material layered()
{
    scene::Material material;
    material.metallic = 0.4f;
    material.roughness = 0.6f;
    material.emissive = glm::vec3(0.2f);
    return material;
}

scene::Material with_extensions()
{
    auto material = layered();
    material.extensions = {.specular = 0.8f, .clearcoat = 1.0f, .clearcoat_roughness = 0.5f};
    material.extensions.sheen = glm::vec3(0.5f);
    material.extensions.sheen_roughness = 0.6f;
    return material;
}

// A bent quad, each of whose UV sets lies within one texel, and tangents if wanted.
scene::Scene quad_of(const scene::Material& material, bool tangents)
{
    auto scene = bent_square(material);
    auto& mesh = scene.meshes[0];
    for (std::uint32_t set = 0; set < sets; ++set)
        scene::make_uvs(mesh, set).assign(4, glm::vec2((static_cast<float>(set) + 0.5f) / sets, 0.5f));
    if (tangents) mesh.tangents.assign(4, glm::vec4(1.0f, 0.0f, 0.0f, 1.0f));
    return scene;
}

// Slot n of the material's textures at set `set_of[n]`: chosen by coordinates, or painted in one color.
scene::Scene chosen(const scene::Material& material, std::span<const std::uint32_t> set_of, bool tangents)
{
    auto scene = quad_of(material, tangents);
    const auto textures = scene::textures_of(scene.materials[0]);
    for (std::size_t slot = 0; slot < textures.size(); ++slot) {
        *textures[slot] = {.image = static_cast<std::uint32_t>(scene.images.size()),
                           .uv_set = static_cast<std::uint8_t>(set_of[slot]),
                           .nearest = true};
        scene.images.push_back(strip(slot, 0, sets));
    }
    return scene;
}

scene::Scene painted(const scene::Material& material, std::span<const std::uint32_t> set_of, bool tangents)
{
    auto scene = chosen(material, set_of, tangents);
    for (std::size_t slot = 0; slot < scene.images.size(); ++slot)
        scene.images[slot] = strip(slot, set_of[slot], 1);
    for (auto* texture : scene::textures_of(scene.materials[0]))
        texture->uv_set = 0;
    scene.meshes[0].more_uvs.clear();
    return scene;
}

class GpuUvSets : public Gpu {
protected:
    static int differences(const scene::Scene& a, const scene::Scene& b, const render::View& view)
    {
        return different_pixels(picture(share(a), view), picture(share(b), view));
    }

    // `visible`: texture slots of which another set changes the picture.
    static void expect_own_sets(const scene::Material& material, bool tangents, const render::View& view,
                                std::span<const std::size_t> visible)
    {
        std::vector<std::uint32_t> set_of(scene::textures_of(material).size());
        for (const std::uint32_t first : {0u, 3u, 6u}) {
            for (std::uint32_t slot = 0; slot < set_of.size(); ++slot)
                set_of[slot] = (first + 3 * slot) % sets;
            const auto expected = painted(material, set_of, tangents);
            EXPECT_EQ(differences(chosen(material, set_of, tangents), expected, view), 0) << first;
        }
        const auto expected = painted(material, set_of, tangents);
        for (const std::size_t slot : visible) {
            auto others = set_of;
            others[slot] = (set_of[slot] + 2) % sets;
            EXPECT_GT(differences(chosen(material, others, tangents), expected, view), 100) << slot;
        }
    }
};

constexpr std::size_t surface[] = {0, 1, 3, 4}, surface_and_normal[] = {0, 1, 2, 3, 4},
                      all_but_specular[] = {0, 1, 3, 4, 7, 9};

TEST_F(GpuUvSets, EachTextureOfASurfaceUsesItsOwn)
{
    expect_own_sets(layered(), false, front_view(), surface);
    expect_own_sets(layered(), true, front_view(), surface_and_normal);
}

TEST_F(GpuUvSets, SoDoTheTexturesOfExtensions)
{
    expect_own_sets(with_extensions(), false, front_view(), all_but_specular);
    expect_own_sets(with_extensions(), true, front_view(), all_but_specular);
}

TEST_F(GpuUvSets, SoDoesTransmission)
{
    auto material = with_extensions();
    material.extensions.transmission = 0.7f;
    constexpr std::size_t transmission[] = {0, 11};
    expect_own_sets(material, false, front_view(), transmission);
    expect_own_sets(material, true, front_view(), transmission);
}

TEST_F(GpuUvSets, SoDoMaskedSurfacesAndOtherLight)
{
    constexpr std::size_t base[] = {0};
    for (auto material : {layered(), with_extensions()}) {
        material.alpha_mode = scene::AlphaMode::mask;
        expect_own_sets(material, false, front_view(), base);
        expect_own_sets(material, true, front_view(), base);
        material.alpha_mode = scene::AlphaMode::blend;
        material.base_color.w = 0.5f;
        expect_own_sets(material, false, front_view(), base);
        material.alpha_mode = scene::AlphaMode::opaque;
        expect_own_sets(material, false, reference_view(), base);
        material.unlit = true;
        expect_own_sets(material, false, front_view(), base);
    }
}

// Each vertex has its own coordinates of each set, also behind those of another mesh.
TEST_F(GpuUvSets, VerticesOfSeveralMeshesHaveTheirOwn)
{
    const std::vector<std::uint32_t> set_of{2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5};
    auto two = chosen(layered(), set_of, false);
    auto image = std::move(two.images[0]);
    image.width = image.height = 64;
    image.pixels.clear();
    for (std::uint32_t texel = 0; texel < 64 * 64; ++texel)
        for (const auto channel : {texel % 64 * 4, texel / 64 * 4, 0u, 255u})
            image.pixels.push_back(static_cast<std::uint8_t>(channel));
    two.images[0] = std::move(image);
    two.meshes[0].more_uvs[0] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    two.meshes.insert(two.meshes.begin(), two.meshes[0]); // small, and in a corner
    two.meshes[0].more_uvs.clear();
    for (auto& position : two.meshes[0].positions)
        position = position * 0.01f - glm::vec3(0.49f);
    two.nodes[0].mesh = 1;
    two.nodes.emplace_back().mesh = 0;
    auto one = two;
    one.meshes[1].uv0 = two.meshes[1].more_uvs[0];
    one.materials[0].base_color_texture.uv_set = 0;
    EXPECT_EQ(differences(two, one, reference_view()), 0);
    EXPECT_GT(pixel(picture(share(two), reference_view()), 90, 90).r, 60);
}

TEST_F(GpuUvSets, TwoNeedNoBuffer)
{
    std::vector<std::uint32_t> set_of(12, 1);
    const auto two = render::pack(chosen(layered(), set_of, false));
    EXPECT_TRUE(two.more_uvs.empty()) << "although the mesh has more";
    EXPECT_FALSE(two.draws.at(0).more_uvs);
    set_of[4] = 3;
    const auto four = render::pack(chosen(layered(), set_of, false));
    EXPECT_EQ(four.more_uv_sets, 2u);
    EXPECT_EQ(four.more_uvs.size(), 4 * 2u);
    EXPECT_TRUE(four.draws.at(0).more_uvs);
}

TEST_F(GpuUvSets, PicksThroughHolesOfAThirdSet)
{
    scene::Material leaf;
    leaf.alpha_mode = scene::AlphaMode::mask;
    auto scene = square(leaf);
    scene.images.push_back(
        {.name = "halves", .width = 2, .height = 1, .pixels = {255, 255, 255, 0, 255, 255, 255, 255}});
    scene.materials[0].base_color_texture = {.image = 0, .uv_set = 2, .nearest = true};
    scene.meshes[0].more_uvs = {scene.meshes[0].uv0};
    scene.meshes[0].uv0.assign(4, glm::vec2(0.75f, 0.5f));
    const auto shared = share(std::move(scene));
    EXPECT_FALSE(renderer().pick(shared, front_view(), {}, 50, 64));
    EXPECT_TRUE(renderer().pick(shared, front_view(), {}, 78, 64));
}

} // namespace
} // namespace vitrine::test

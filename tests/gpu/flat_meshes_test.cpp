// Flat meshes (loaders/scene/flat_meshes.hpp) are drawn, measured and picked as their expansions, whose
// vertices have the triangles' normals.

#include <cmath>
#include <numbers>

#include "loaders/scene/flat_meshes.hpp"
#include "tests/gpu/device.hpp"
#include "tests/gpu/equality.hpp"
#include "tests/gpu/scenes.hpp"
#include "vk_renderer/mesh/lod.hpp"

namespace vitrine::test {
namespace {

using render::LightingPreset;
using render::View;

class GpuFlatMeshes : public Gpu {};

// A wavy sheet of 2 side^2 triangles in the XY plane, turned and mirrored by its node.
scene::Scene sheet(std::uint32_t side, const scene::Material& material = {}, bool mirrored = false)
{
    scene::Scene scene;
    scene.format = "gltf"; // a format with single-sided materials
    auto& mesh = scene.meshes.emplace_back();
    const auto row = side + 1;
    for (std::uint32_t v = 0; v < row * row; ++v) {
        const std::uint32_t column = v % row, line = v / row;
        const float x = static_cast<float>(column) / static_cast<float>(side);
        const float y = static_cast<float>(line) / static_cast<float>(side);
        mesh.positions.emplace_back(x - 0.5f, y, 0.06f * std::sin(9.0f * x) * std::cos(7.0f * y));
        mesh.uv0.emplace_back(x, 1.0f - y);
    }
    for (std::uint32_t y = 0; y < side; ++y)
        for (std::uint32_t x = 0; x < side; ++x) {
            const std::uint32_t a = y * row + x, b = a + 1, c = a + row, d = c + 1;
            mesh.indices.insert(mesh.indices.end(), {a, b, d, a, d, c});
        }
    mesh.primitives = {{.count = static_cast<std::uint32_t>(mesh.indices.size()), .material = 0}};
    scene.materials.push_back(material);
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    scene.nodes[0].local.rotation = glm::angleAxis(0.4f, glm::normalize(glm::vec3(0.3f, 1.0f, 0.2f)));
    scene.nodes[0].local.scale = {mirrored ? -1.5f : 1.5f, 0.8f, 1.0f};
    return scene;
}

std::uint32_t add_texels(scene::Scene& scene, std::array<std::uint8_t, 16> texels)
{
    scene.images.push_back({.width = 2, .height = 2, .pixels = {texels.begin(), texels.end()}});
    return static_cast<std::uint32_t>(scene.images.size() - 1);
}

// Plain; with a texture and a normal map; masked; blended; with a layer; glass.
std::vector<scene::Scene> sheets(bool mirrored)
{
    const auto rough = rough_material({0.7f, 0.6f, 0.5f});
    auto coated = rough;
    coated.extensions.clearcoat = 0.8f;
    auto blended = rough;
    blended.alpha_mode = scene::AlphaMode::blend;
    blended.base_color.w = 0.6f;
    std::vector<scene::Scene> all;
    for (auto material : {rough, rough, rough, blended, coated, glass_material()}) {
        material.double_sided = all.size() % 2 == 0;
        all.push_back(sheet(9, material, mirrored));
    }
    constexpr std::array<std::uint8_t, 16> colors{200, 90, 80,  255, 90, 200, 90,  255,
                                                  80,  90, 200, 255, 20, 200, 200, 0};
    constexpr std::array<std::uint8_t, 16> normals{160, 128, 240, 255, 128, 160, 240, 255,
                                                   96,  128, 240, 255, 128, 96,  240, 255};
    all[1].materials[0].base_color_texture.image = add_texels(all[1], colors);
    all[1].materials[0].normal_texture.image = add_texels(all[1], normals);
    all[2].materials[0].base_color_texture.image = add_texels(all[2], colors);
    all[2].materials[0].alpha_mode = scene::AlphaMode::mask;
    return all;
}

void expect_like_expanded(render::Renderer& renderer, const scene::Scene& flat, const View& view)
{
    const auto draw = [&](scene::Scene scene) {
        const render::ClipTime still;
        const auto shared = std::make_shared<const scene::Scene>(std::move(scene));
        return renderer.render(shared, view, {&still, 1}).at(0);
    };
    auto with_normals = scene::with_normals(flat);
    ASSERT_TRUE(with_normals);
    const auto actual = draw(flat), expected = draw(std::move(*with_normals));
    keep(actual, "flat");
    keep(expected, "flat_expanded");
    EXPECT_LE(different_pixels(actual, expected), 3); // at silhouettes
    with_normals = scene::with_normals(flat);
    for (auto& normal : with_normals->meshes[0].normals)
        normal = {0.0f, 0.0f, 1.0f};
    if (view.overlays.debug_view != render::DebugView::uv)
        EXPECT_GT(different_pixels(draw(std::move(*with_normals)), expected), 100)
            << "the normals are visible";
}

TEST_F(GpuFlatMeshes, LookLikeTheirExpansion)
{
    for (const bool mirrored : {false, true})
        for (const auto light : {LightingPreset::reference, LightingPreset::studio})
            for (const float yaw : {0.3f, 170.0f}) {
                const auto all = sheets(mirrored);
                for (std::size_t i = 0; i < all.size(); ++i) {
                    SCOPED_TRACE(testing::Message() << i << mirrored << static_cast<int>(light) << yaw);
                    View view{.width = 128, .height = 128, .light = light};
                    view.camera.yaw = yaw;
                    view.camera.orthographic = i % 2 == 1;
                    const bool culled = !all[i].materials[0].double_sided && yaw > 90.0f;
                    if (!culled) expect_like_expanded(renderer(), all[i], view);
                }
            }
}

TEST_F(GpuFlatMeshes, LookLikeTheirExpansionInDebugViewsAndOverlays)
{
    for (const bool mirrored : {false, true})
        for (const render::Overlays& overlays :
             {render::Overlays{.normals = true}, render::Overlays{.tangents = true},
              render::Overlays{.wireframe = true}, render::Overlays{.debug_view = render::DebugView::uv},
              render::Overlays{.debug_view = render::DebugView::xray}}) {
            View view{.width = 192, .height = 192, .overlays = overlays};
            view.camera.yaw = 40.0f;
            expect_like_expanded(renderer(), sheet(9, rough_material({0.7f, 0.6f, 0.5f}), mirrored), view);
        }
}

// Their own normals do not depend on the size of a model: the cross product of small edges would underflow.
TEST_F(GpuFlatMeshes, MayBeTinyOrHuge)
{
    for (const float scale : {1e-9f, 1e11f}) {
        auto scene = sheet(9, rough_material({0.7f, 0.6f, 0.5f}));
        for (auto& p : scene.meshes[0].positions)
            p *= scale;
        expect_like_expanded(renderer(), scene, {.width = 128, .height = 128});
    }
}

// As in a scan, several triangles per pixel: 320,000 in 128 x 128. Each sample shows another triangle, so
// rounding may select another one than with other vertices.
TEST_F(GpuFlatMeshes, MayHaveTrianglesSmallerThanPixels)
{
    const auto flat = sheet(400, rough_material({0.7f, 0.6f, 0.5f}));
    const View view{.width = 128, .height = 128};
    const auto actual = picture(share(flat), view),
               expected = picture(share(*scene::with_normals(flat)), view);
    EXPECT_LE(different_pixels(actual, expected), 128 * 128 / 200);
}

TEST_F(GpuFlatMeshes, AreSkinnedMeasuredAndPicked)
{
    const auto flat = sheet(9, {}, true);
    const auto one = share(flat), other = share(*scene::with_normals(flat));
    expect_equal_skinning(renderer(), one);
    EXPECT_TRUE(renderer().skin(one, {}).at(0).normals.empty());
    const auto view = front_view();
    const auto hit = renderer().pick(one, view, {}, 64, 64), same = renderer().pick(other, view, {}, 64, 64);
    ASSERT_TRUE(hit && same);
    EXPECT_EQ(hit->triangle, same->triangle);
    EXPECT_EQ(hit->normal, same->normal);
    EXPECT_EQ(hit->uv, same->uv);
}

TEST_F(GpuFlatMeshes, HaveLevelsOfDetail)
{
    const auto scene = share(sheet(160, rough_material({0.7f, 0.6f, 0.5f}))); // 51,200 triangles
    View view{.width = 256, .height = 256};
    const auto full_detail = picture(scene, view);
    view.lod = render::build_lod(*scene, 5'000);
    ASSERT_TRUE(view.lod);
    const auto lod = picture(scene, view);
    keep(lod, "flat_coarse");
    std::size_t different = 0;
    for (std::size_t i = 0; i < lod.pixels.size(); i += 4)
        different += std::abs(lod.pixels[i] - full_detail.pixels[i]) > 25 ? 1 : 0;
    EXPECT_LT(different, 256u * 256u / 100u);
    EXPECT_NE(lod.pixels, full_detail.pixels);
}

} // namespace
} // namespace vitrine::test

// A very large scene is drawn with fewer triangles while it moves, and with all of them at rest.

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "vk_renderer/mesh/lod.hpp"

namespace vitrine::render {
namespace {

class GpuLod : public test::Gpu {};

// Fraction of the pixels whose red channel differs by more than 40.
double share_that_differs(const Frame& a, const Frame& b)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.pixels.size(); i += 4)
        count += std::abs(a.pixels[i] - b.pixels[i]) > 40 ? 1 : 0;
    return static_cast<double>(count) / (static_cast<double>(a.pixels.size()) / 4.0);
}

TEST_F(GpuLod, IsSimilarWhileMovingAndExactAtRest)
{
    const auto scene = share(test::tube(1500, 20, 30, 4)); // 60 000 triangles, bent
    View view{.width = 256, .height = 256};
    const ClipTime clip_time{0, 0.7};
    const auto full_detail = picture(scene, view, clip_time);
    view.lod = build_lod(*scene, 6'000);
    ASSERT_TRUE(view.lod);
    ASSERT_LT(view.lod->indices.size(), 3u * 12'000);
    const auto lod = picture(scene, view, clip_time);
    test::keep(lod, "coarse");
    test::keep(full_detail, "whole");
    EXPECT_NE(lod.pixels, full_detail.pixels);
    EXPECT_LT(share_that_differs(lod, full_detail), 0.01);
    EXPECT_EQ(lod.bounds.min, full_detail.bounds.min); // exact despite the level of detail
    view.lod.reset();
    EXPECT_EQ(picture(scene, view, clip_time).pixels, full_detail.pixels);
}

// A wavy sheet, three quarters of which is modeled back to back.
scene::Scene painted_sheet(std::uint32_t side)
{
    scene::Mesh mesh;
    const float step = 1.0f / static_cast<float>(side);
    for (const float facing : {1.0f, -1.0f})
        for (std::uint32_t v = 0; v <= side; ++v)
            for (std::uint32_t u = 0; u <= side; ++u) {
                const float x = static_cast<float>(u) * step, y = static_cast<float>(v) * step;
                mesh.positions.emplace_back(x, y, 0.05f * std::sin(15.0f * x) * std::sin(11.0f * y));
                const glm::vec3 slope(0.75f * std::cos(15.0f * x) * std::sin(11.0f * y),
                                      0.55f * std::sin(15.0f * x) * std::cos(11.0f * y), -1.0f);
                mesh.normals.push_back(glm::normalize(slope) * -facing);
            }
    const std::uint32_t row = side + 1, backs = row * row;
    for (std::uint32_t v = 0; v < side; ++v)
        for (std::uint32_t u = 0; u < side; ++u) {
            const std::uint32_t a = v * row + u, b = a + 1, c = a + row, d = c + 1, o = backs;
            mesh.indices.insert(mesh.indices.end(), {a, b, d, a, d, c});
            if (4 * v < 3 * side)
                mesh.indices.insert(mesh.indices.end(), {o + a, o + d, o + b, o + a, o + c, o + d});
        }
    mesh.primitives.push_back({.count = static_cast<std::uint32_t>(mesh.indices.size())});
    scene::Scene scene;
    scene.format = "obj"; // a format that shows back faces
    scene.meshes.push_back(std::move(mesh));
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    return scene;
}

TEST_F(GpuLod, HasNoArtifactsOnPartlyBackToBackSurfaces)
{
    const auto scene = share(painted_sheet(180)); // 113 400 triangles
    for (const float yaw : {0.3f, 3.4f}) {        // from both sides
        View view{.width = 256, .height = 256, .camera{.yaw = yaw, .pitch = 0.2f}};
        const auto full_detail = picture(scene, view);
        view.lod = build_lod(*scene, 11'000);
        ASSERT_TRUE(view.lod);
        const auto lod = picture(scene, view);
        test::keep(lod, "coarse");
        test::keep(full_detail, "whole");
        EXPECT_LT(share_that_differs(lod, full_detail), 0.02);
    }
}

TEST_F(GpuLod, RejectsTheLodOfAnotherScene)
{
    View view{.width = 64, .height = 64};
    view.lod = std::make_shared<const LodIndices>();
    EXPECT_THROW(picture(share(test::tube(10, 8, 4, 4)), view), RenderError);
}

} // namespace
} // namespace vitrine::render

// Which sides of a surface are visible.

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::test {
namespace {

using render::LightingPreset;
using render::View;
using GpuSides = Gpu;

void add_material(scene::Scene& scene, glm::vec4 color, scene::AlphaMode mode)
{
    auto& material = scene.materials.emplace_back();
    material.base_color = color;
    material.alpha_mode = mode;
    material.alpha_cutoff = 0.25f;
    material.double_sided = true;
}

// Four positions in a row along X with a tilted plate each, so that depths are rounded. Red plates face the
// front, green ones the back; the latter are split along the other diagonal.
scene::Scene plates(scene::AlphaMode mode, const std::vector<std::uint32_t>& red,
                    const std::vector<std::uint32_t>& green)
{
    scene::Scene scene;
    scene.format = "dae";
    add_material(scene, {1.0f, 0.0f, 0.0f, 0.5f}, mode);
    add_material(scene, {0.0f, 1.0f, 0.0f, 0.5f}, mode);
    auto& mesh = scene.meshes.emplace_back();
    for (std::uint32_t vertex = 0; vertex < 32; ++vertex) {
        const std::uint32_t place = vertex / 8;
        const glm::vec2 corner((vertex + 1) / 2 % 2, vertex / 2 % 2);
        mesh.positions.emplace_back(0.5f * (static_cast<float>(place) + corner.x), 2.0f * corner.y,
                                    0.37f * corner.x - 0.71f * corner.y);
        mesh.normals.emplace_back(0.0f, 0.0f, vertex % 8 < 4 ? 1.0f : -1.0f);
    }
    for (const auto place : red)
        for (const auto i : {0u, 1u, 2u, 2u, 3u, 0u})
            mesh.indices.push_back(8 * place + i);
    const auto reds = static_cast<std::uint32_t>(mesh.indices.size());
    for (const auto place : green)
        for (const auto i : {4u, 7u, 6u, 6u, 5u, 4u})
            mesh.indices.push_back(8 * place + i);
    const auto all = static_cast<std::uint32_t>(mesh.indices.size());
    mesh.primitives = {{.count = reds, .material = 0}, {.first = reds, .count = all - reds, .material = 1}};
    scene.nodes.emplace_back().mesh = 0;
    return scene;
}

TEST_F(GpuSides, MirrorsSkinnedSurfacesByTheirJoints)
{
    auto scene = skinned_bar(); // symmetric: mirroring does not change its image
    scene.format = "gltf";
    scene.materials.emplace_back();
    for (auto& primitive : scene.meshes[0].primitives)
        primitive.material = 0;
    auto view = reference_view();
    view.camera.yaw = 20.0f;
    const auto plain = pixel(picture(share(scene), view), 64, 64);
    EXPECT_GT(plain.r, 200) << "the front, not the back face";
    auto joints = scene, node = scene;
    joints.nodes[0].local.scale.x = -1.0f;
    node.nodes[2].local.scale.x = -1.0f;
    for (auto* mirrored : {&joints, &node}) {
        const auto p = pixel(picture(share(*mirrored), view), 64, 64);
        EXPECT_TRUE(is(p, plain.r, plain.g, plain.b, 12))
            << (mirrored == &joints ? "joints " : "node ") << p.r;
    }
}

TEST_F(GpuSides, CullsBackFacesOnlyInGltf)
{
    for (const bool gltf : {false, true}) {
        scene::Scene scene;
        scene.format = gltf ? "gltf" : "obj";
        add_quad(scene, 0.0f, 1.0f, {1.0f, 0.0f, 0.0f, 1.0f});
        scene.materials[0].double_sided = false;
        auto view = reference_view();
        const auto shared = share(std::move(scene));
        EXPECT_LT(pixel(picture(shared, view), 64, 64).g, 50);
        view.camera.yaw = 180.0f;
        EXPECT_EQ(pixel(picture(shared, view), 64, 64).g > 250, gltf);
    }
}

TEST_F(GpuSides, KeepsFacesOfMirroredNodesOutward)
{
    auto scene = textured_cube();
    scene.format = "gltf";
    for (auto& material : scene.materials)
        material.double_sided = false;
    scene.nodes[0].local.scale.x = -1.0f;
    auto view = reference_view();
    view.camera.orthographic = true;
    const auto frame = picture(share(std::move(scene)), view);
    EXPECT_TRUE(shows(frame, 40, 40, 0, 255, 0)); // green and red are swapped
}

// Compares plates modeled back to back, among others that are not, with the visible sides alone.
TEST_F(GpuSides, ShowsTheFrontFaceOfEachSide)
{
    for (const auto mode : {scene::AlphaMode::opaque, scene::AlphaMode::mask, scene::AlphaMode::blend})
        for (const auto light : {LightingPreset::reference, LightingPreset::studio})
            for (const bool behind : {false, true})
                for (const bool mirrored : {false, true}) {
                    auto painted = plates(mode, {0, 1, 2, 3}, {1, 2});
                    auto seen = behind ? plates(mode, {0, 3}, {1, 2}) : plates(mode, {0, 1, 2, 3}, {});
                    if (mirrored) painted.nodes[0].local.scale.y = seen.nodes[0].local.scale.y = -1.0f;
                    auto view = reference_view();
                    view.light = light;
                    view.camera.yaw = behind ? 170.0f : 10.0f;
                    EXPECT_EQ(different_pixels(picture(share(painted), view), picture(share(seen), view)), 0)
                        << static_cast<int>(mode) << ' ' << behind << ' ' << mirrored;
                }
}

TEST_F(GpuSides, PicksTheVisibleFace)
{
    const auto shared = share(plates(scene::AlphaMode::opaque, {0, 1, 2, 3}, {1, 2}));
    for (const bool behind : {false, true}) {
        auto view = reference_view();
        view.camera.yaw = behind ? 180.0f : 0.0f;
        const auto frame = picture(shared, view);
        int checked = 0;
        for (std::uint32_t x = 2; x < 128; x += 4)
            for (std::uint32_t y = 2; y < 128; y += 4) {
                const auto p = pixel(frame, x, y);
                if (p.b > 0 || (p.r > 0 && p.g > 0)) continue; // an edge or the background
                const auto hit = renderer().pick(shared, view, {}, x, y);
                ASSERT_TRUE(hit.has_value()) << x << ' ' << y;
                EXPECT_EQ(hit->material, p.r > 0 ? 0u : 1u) << x << ' ' << y;
                ++checked;
            }
        EXPECT_GT(checked, 200);
    }
}

// The cube twice: closed, and with an inner face that makes it open.
TEST_F(GpuSides, IsUnchangedByCullingInvisibleBackFaces)
{
    auto closed = textured_cube();
    closed.format = "obj";
    auto open = closed;
    auto& mesh = open.meshes[0];
    mesh.tangents.clear();
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (std::uint32_t i = 0; i < 3; ++i) {
        const auto like = mesh.indices[i];
        mesh.positions.push_back(mesh.positions[like] * 0.1f);
        mesh.normals.push_back(mesh.normals[like]);
        if (!mesh.uv0.empty()) mesh.uv0.push_back(mesh.uv0[like]);
    }
    // At the end of its primitive, so that the ranges stay consecutive.
    mesh.indices.insert(mesh.indices.end(), {first, first + 1, first + 2});
    mesh.primitives.back().count += 3;
    for (const auto light : {LightingPreset::reference, LightingPreset::studio})
        for (const float yaw : {0.0f, 37.0f, 200.0f}) {
            View view{.width = 96, .height = 96, .light = light};
            view.camera.yaw = yaw;
            view.camera.pitch = 20.0f;
            const auto a = picture(share(closed), view), b = picture(share(open), view);
            int different = 0;
            for (std::size_t i = 0; i < a.pixels.size(); ++i)
                different += std::abs(int(a.pixels[i]) - int(b.pixels[i])) > 2 ? 1 : 0;
            // Samples at the silhouette may belong to a back face.
            EXPECT_LE(different, 24) << yaw;
        }
}

// An open tube, whose front faces may be drawn first, and the same with so many degenerate triangles that
// this would not pay off: then all faces are drawn in the order of the file.
TEST_F(GpuSides, IsUnchangedByDrawingFrontFacesFirst)
{
    constexpr std::uint32_t side = 96;
    auto open = tube(24, 20, 4, 2);
    auto in_file_order = open;
    auto& mesh = in_file_order.meshes[0];
    mesh.indices.insert(mesh.indices.end(), std::size_t{3} * (side * side + 1), 0u);
    mesh.primitives.back().count = static_cast<std::uint32_t>(mesh.indices.size());
    for (const auto mode : {scene::AlphaMode::opaque, scene::AlphaMode::mask})
        for (const auto light : {LightingPreset::reference, LightingPreset::studio})
            for (const float pitch : {-40.0f, 5.0f, 60.0f}) {
                View view{.width = side, .height = side, .light = light};
                view.camera.yaw = 30.0f;
                view.camera.pitch = pitch;
                const auto draw = [&](scene::Scene scene) {
                    add_material(scene, {0.9f, 0.6f, 0.2f, 0.8f}, mode);
                    scene.meshes[0].primitives[0].material = 0;
                    return picture(share(std::move(scene)), view, {0, 0.7});
                };
                EXPECT_EQ(draw(open).pixels, draw(in_file_order).pixels)
                    << static_cast<int>(mode) << ' ' << static_cast<int>(light) << ' ' << pitch;
            }
}

// The eye is inside the body and sees its inner walls.
TEST_F(GpuSides, ShowsBackFacesFromInside)
{
    auto cube = textured_cube();
    cube.format = "obj";
    auto view = reference_view();
    view.camera.distance = 0.1f;
    const auto frame = picture(share(cube), view);
    EXPECT_GT(pixel(frame, 64, 64).a, 0);
    int covered = 0;
    for (std::uint32_t y = 0; y < frame.height; ++y)
        for (std::uint32_t x = 0; x < frame.width; ++x)
            covered += pixel(frame, x, y).r + pixel(frame, x, y).g + pixel(frame, x, y).b < 760 ? 1 : 0;
    EXPECT_GT(covered, 1000);
}

} // namespace
} // namespace vitrine::test

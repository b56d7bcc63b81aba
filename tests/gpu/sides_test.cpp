// Which sides of a surface are seen.

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::test {
namespace {

using render::Light;
using render::View;
using GpuSides = Gpu;

TEST_F(GpuSides, SkinnedSurfacesAreMirroredByTheirJoints)
{
    auto scene = skinned_bar(); // symmetric: mirrored it looks the same
    scene.format = "gltf";
    scene.materials.emplace_back();
    for (auto& primitive : scene.meshes[0].primitives)
        primitive.material = 0;
    auto view = reference_view();
    view.camera.yaw = 20.0f;
    const auto plain = pixel(picture(share(scene), view), 64, 64);
    EXPECT_GT(plain.r, 200) << "the front, not the inside of the back";
    auto joints = scene, node = scene;
    joints.nodes[0].local.scale.x = -1.0f;
    node.nodes[2].local.scale.x = -1.0f;
    for (auto* mirrored : {&joints, &node}) {
        const auto p = pixel(picture(share(*mirrored), view), 64, 64);
        EXPECT_TRUE(is(p, plain.r, plain.g, plain.b, 12))
            << (mirrored == &joints ? "joints " : "node ") << p.r;
    }
}

TEST_F(GpuSides, OnlyGltfCulls)
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

TEST_F(GpuSides, MirroredNodesStillFaceOutward)
{
    auto scene = textured_cube();
    scene.format = "gltf";
    for (auto& material : scene.materials)
        material.double_sided = false;
    scene.nodes[0].local.scale.x = -1.0f;
    auto view = reference_view();
    view.camera.orthographic = true;
    const auto frame = picture(share(std::move(scene)), view);
    EXPECT_TRUE(shows(frame, 40, 40, 0, 255, 0)); // green and red change sides
}

// The cube twice: closed, and with a face within it that makes it open.
TEST_F(GpuSides, BacksThatNobodySeesChangeNothing)
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
    // At the end of its primitive, so that the runs stay runs.
    mesh.indices.insert(mesh.indices.end(), {first, first + 1, first + 2});
    mesh.primitives.back().count += 3;
    for (const auto light : {Light::reference, Light::studio})
        for (const float yaw : {0.0f, 37.0f, 200.0f}) {
            View view{.width = 96, .height = 96, .light = light};
            view.camera.yaw = yaw;
            view.camera.pitch = 20.0f;
            const auto a = picture(share(closed), view), b = picture(share(open), view);
            int different = 0;
            for (std::size_t i = 0; i < a.pixels.size(); ++i)
                different += std::abs(int(a.pixels[i]) - int(b.pixels[i])) > 2 ? 1 : 0;
            // Where a front ends its back begins, and a sample there may have been the back's.
            EXPECT_LE(different, 24) << yaw;
        }
}

// The eye stands in the body and sees its inner walls.
TEST_F(GpuSides, BacksAreSeenFromWithin)
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

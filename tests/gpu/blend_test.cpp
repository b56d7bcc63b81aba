// Blended surfaces: parts whose order changes with the pose, and surfaces whose alpha is 1.

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"

namespace vitrine::test {
namespace {

class GpuBlend : public Gpu {};

constexpr float apart = 0.3f;

// A red pane in front of a blue one, in one primitive. The clip swaps them within one second.
scene::Scene panes()
{
    scene::Material material;
    material.base_color = {1.0f, 1.0f, 1.0f, 0.6f};
    material.alpha_mode = scene::AlphaMode::blend;
    auto scene = square(material);
    auto& mesh = scene.meshes[0];
    for (std::size_t i = 0; i < 4; ++i)
        mesh.positions.push_back(mesh.positions[i] + glm::vec3(0.0f, 0.0f, -apart));
    for (std::size_t i = 0; i < 4; ++i)
        mesh.positions[i].z = apart;
    mesh.normals.assign(8, {0.0f, 0.0f, 1.0f});
    mesh.uv0.clear();
    mesh.colors.assign(8, glm::vec4(1.0f, 0.0f, 0.0f, 1.0f));
    std::fill(mesh.colors.begin() + 4, mesh.colors.end(), glm::vec4(0.0f, 0.0f, 1.0f, 1.0f));
    mesh.indices = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
    mesh.primitives[0].count = 12;
    scene.clips.resize(1);
    scene.clips[0].duration = 1.0;
    return scene;
}

std::vector<glm::vec3> swapped(const scene::Mesh& mesh)
{
    std::vector<glm::vec3> positions(mesh.positions.begin(), mesh.positions.end());
    for (auto& p : positions)
        p.z = -p.z;
    return positions;
}

scene::Scene morphed_panes()
{
    auto scene = panes();
    auto& mesh = scene.meshes[0];
    scene::MorphTarget swap;
    const auto after = swapped(mesh);
    for (std::uint32_t i = 0; i < 8; ++i) {
        swap.vertices.push_back(i);
        swap.position_deltas.push_back(after[i] - mesh.positions[i]);
    }
    mesh.morph_targets = {swap};
    mesh.morph_weights = {0.0f};
    scene.clips[0].channels = {
        {.node = 0, .path = scene::Path::weights, .times = {0.0f, 1.0f}, .values = {0.0f, 1.0f}}};
    return scene;
}

scene::Scene panes_of_frames()
{
    auto scene = panes();
    auto& mesh = scene.meshes[0];
    const auto after = swapped(mesh);
    mesh.frames.count = 2;
    mesh.frames.positions = mesh.positions;
    mesh.frames.positions.insert(mesh.frames.positions.end(), after.begin(), after.end());
    mesh.frames.normals.assign(16, {0.0f, 0.0f, 1.0f});
    scene.clips[0].channels = {
        {.node = 0, .path = scene::Path::vertex_frame, .times = {0.0f, 1.0f}, .values = {0.0f, 1.0f}}};
    return scene;
}

TEST_F(GpuBlend, SortsByTheCurrentPose)
{
    render::View view = reference_view();
    view.camera.orthographic = true;
    for (const auto& scene : {morphed_panes(), panes_of_frames()}) {
        const auto shared = share(scene);
        const auto first = pixel(picture(shared, view, {0, 0.0}), 64, 64);
        const auto last = pixel(picture(shared, view, {0, 1.0}), 64, 64);
        EXPECT_GT(first.r, first.b + 20) << "red is in front of blue";
        EXPECT_GT(last.b, last.r + 20) << "blue is now in front of red";
    }
}

// A red and a blue square that intersect at the center of the image.
scene::Scene crossed_squares(scene::AlphaMode mode)
{
    scene::Scene scene;
    add_quad(scene, 0.0f, 1.0f, {0.8f, 0.1f, 0.1f, 1.0f}, mode);
    add_quad(scene, 0.0f, 1.0f, {0.1f, 0.1f, 0.8f, 1.0f}, mode);
    scene.nodes[0].local.rotation = glm::angleAxis(0.6f, glm::vec3(0.0f, 1.0f, 0.0f));
    scene.nodes[1].local.rotation = glm::angleAxis(-0.6f, glm::vec3(0.0f, 1.0f, 0.0f));
    return scene;
}

TEST_F(GpuBlend, DrawsAlphaOneAsOpaque)
{
    const auto opaque = share(crossed_squares(scene::AlphaMode::opaque));
    auto blended = crossed_squares(scene::AlphaMode::blend);
    blended.images = {{.name = "white", .width = 1, .height = 1, .pixels = {255, 255, 255, 255}}};
    for (auto& material : blended.materials)
        material.base_color_texture.image = 0;
    for (auto& mesh : blended.meshes)
        mesh.colors.assign(4, glm::vec4(1.0f));
    const auto shared = share(std::move(blended));
    for (const auto light : {render::LightingPreset::studio, render::LightingPreset::reference}) {
        auto view = reference_view();
        view.light = light;
        const auto frame = picture(opaque, view);
        const auto left = pixel(frame, 44, 64), right = pixel(frame, 84, 64);
        EXPECT_GT(std::abs(left.r - right.r), 60) << "each square is in front of the other somewhere";
        EXPECT_EQ(different_pixels(picture(shared, view), frame), 0);
    }
}

TEST_F(GpuBlend, BlendsAlphaBelowOne)
{
    auto scene = crossed_squares(scene::AlphaMode::blend);
    const auto opaque = share(crossed_squares(scene::AlphaMode::opaque));
    for (auto& mesh : scene.meshes)
        mesh.colors.assign(4, glm::vec4(1.0f, 1.0f, 1.0f, 0.5f));
    const auto view = reference_view();
    EXPECT_GT(different_pixels(picture(share(std::move(scene)), view), picture(opaque, view)), 100);
}

} // namespace
} // namespace vitrine::test

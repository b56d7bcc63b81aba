// Lines and points show their material: lit if they have normals, plus emission (glTF 2.0, 3.9.7).

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"

namespace vitrine::test {
namespace {

using scene::Topology;

class GpuLinesAndPointsLight : public Gpu {};

constexpr std::uint32_t patch_edge = 128;
const glm::vec3 tilted_normal(0.6f, 0.0f, 0.8f);

// A square of one meter in the plane z = 0, covered by lines, points or triangles.
scene::Scene patch(Topology topology, const scene::Material& material, bool has_normals)
{
    auto scene = square(material);
    auto& mesh = scene.meshes[0];
    if (topology != Topology::triangles) {
        const std::uint32_t side = topology == Topology::points ? 160 : 400;
        mesh = scene::Mesh{};
        const auto at = [&](std::uint32_t i) {
            return static_cast<float>(i) / static_cast<float>(side - 1) - 0.5f;
        };
        for (std::uint32_t y = 0; y < side; ++y)
            for (std::uint32_t x = 0; x < (topology == Topology::points ? side : 2u); ++x)
                mesh.positions.emplace_back(topology == Topology::points ? at(x) : (x == 0 ? -0.5f : 0.5f),
                                            at(y), 0.0f);
        for (std::uint32_t v = 0; v < mesh.positions.size(); ++v)
            mesh.indices.push_back(v);
        mesh.uv0.assign(mesh.positions.size(), glm::vec2(0.5f));
        mesh.primitives = {{.topology = topology,
                            .count = static_cast<std::uint32_t>(mesh.indices.size()),
                            .material = 0,
                            .has_normals = has_normals}};
    }
    mesh.normals.assign(mesh.positions.size(), tilted_normal);
    return scene;
}

// A few points, drawn as discs around the center: together they cover all samples of its pixel.
scene::Scene disc(const scene::Material& material, bool has_normals)
{
    auto scene = patch(Topology::points, material, has_normals);
    auto& mesh = scene.meshes[0];
    constexpr float offset = 0.002f; // about a pixel
    constexpr std::array<glm::vec3, 5> around{glm::vec3(0.0f), glm::vec3(offset, 0.0f, 0.0f),
                                              glm::vec3(-offset, 0.0f, 0.0f), glm::vec3(0.0f, offset, 0.0f),
                                              glm::vec3(0.0f, -offset, 0.0f)};
    std::ranges::copy(around, mesh.positions.begin());
    mesh.primitives[0].count = static_cast<std::uint32_t>(around.size());
    return scene;
}

render::View view_of(render::LightingPreset light)
{
    auto view = reference_view(patch_edge);
    view.light = light;
    view.camera.orthographic = true;
    view.background = glm::vec4(0.0f, 0.0f, 0.0f, 1.0f);
    view.framing = scene::Aabb{glm::vec3(-0.1f), glm::vec3(0.1f)};
    return view;
}

int srgb(float linear)
{
    const float v = linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1.0f / 2.4f) - 0.055f;
    return static_cast<int>(std::lround(255.0f * v));
}

testing::AssertionResult shows_linear(const render::Frame& frame, glm::vec3 color)
{
    return shows(frame, patch_edge / 2, patch_edge / 2, srgb(color.x), srgb(color.y), srgb(color.z));
}

scene::Material glowing()
{
    scene::Material material;
    material.base_color = {0.2f, 0.4f, 0.1f, 1.0f};
    material.emissive = {0.0f, 0.1f, 0.3f};
    return material;
}

constexpr std::array thin{Topology::lines, Topology::points};
constexpr std::array lights{render::LightingPreset::studio, render::LightingPreset::reference};

TEST_F(GpuLinesAndPointsLight, ShowsBaseColorAndEmissionWithoutNormals)
{
    for (const auto light : lights) {
        for (const auto topology : thin)
            EXPECT_TRUE(shows_linear(picture(share(patch(topology, glowing(), false)), view_of(light)),
                                     {0.2f, 0.5f, 0.4f}));
        EXPECT_TRUE(shows_linear(picture(share(disc(glowing(), false)), view_of(light)), {0.2f, 0.5f, 0.4f}));
    }
}

TEST_F(GpuLinesAndPointsLight, LightsThemLikeSurfacesInTheStudioWithNormals)
{
    for (auto material : {glowing(), scene::Material{}}) {
        material.roughness = 0.5f;
        const auto view = view_of(render::LightingPreset::studio);
        const auto surface = pixel(picture(share(patch(Topology::triangles, material, false)), view),
                                   patch_edge / 2, patch_edge / 2);
        for (const auto topology : thin)
            EXPECT_TRUE(shows(picture(share(patch(topology, material, true)), view), patch_edge / 2,
                              patch_edge / 2, surface.r, surface.g, surface.b));
        EXPECT_TRUE(shows(picture(share(disc(material, true)), view), patch_edge / 2, patch_edge / 2,
                          surface.r, surface.g, surface.b));
    }
}

// 0.3 + 0.7 * 0.8 of the base color.
TEST_F(GpuLinesAndPointsLight, LightsThemInTheReferenceLightingWithNormals)
{
    const glm::vec3 expected = 0.86f * glm::vec3(0.2f, 0.4f, 0.1f) + glm::vec3(0.0f, 0.1f, 0.3f);
    for (const auto topology : thin)
        EXPECT_TRUE(shows_linear(
            picture(share(patch(topology, glowing(), true)), view_of(render::LightingPreset::reference)),
            expected));
    EXPECT_TRUE(shows_linear(
        picture(share(disc(glowing(), true)), view_of(render::LightingPreset::reference)), expected));
}

TEST_F(GpuLinesAndPointsLight, UsesTheEmissiveTexture)
{
    auto material = glowing();
    material.emissive_texture.image = 0;
    for (const auto light : lights)
        for (const auto topology : thin) {
            auto scene = patch(topology, material, false);
            scene.images = {{.name = "red", .width = 1, .height = 1, .pixels = {255, 0, 0, 255}}};
            EXPECT_TRUE(shows_linear(picture(share(std::move(scene)), view_of(light)), {0.2f, 0.4f, 0.1f}));
        }
    auto point = disc(material, false);
    point.images = {{.name = "blue", .width = 1, .height = 1, .pixels = {0, 0, 255, 255}}};
    EXPECT_TRUE(shows_linear(picture(share(std::move(point)), view_of(render::LightingPreset::studio)),
                             {0.2f, 0.4f, 0.4f}));
}

// KHR_materials_unlit: only the base color is shown.
TEST_F(GpuLinesAndPointsLight, ShowsOnlyTheBaseColorIfUnlit)
{
    auto material = glowing();
    material.unlit = true;
    for (const auto light : lights)
        for (const auto topology : thin)
            for (const bool has_normals : {false, true})
                EXPECT_TRUE(
                    shows_linear(picture(share(patch(topology, material, has_normals)), view_of(light)),
                                 {0.2f, 0.4f, 0.1f}));
}

// In front of the studio backdrop, plain lines and points are darkened; their emission is not.
TEST_F(GpuLinesAndPointsLight, DoesNotDarkenEmission)
{
    auto material = glowing();
    material.base_color = {0.0f, 0.0f, 0.0f, 1.0f};
    material.emissive = {0.0f, 1.0f, 0.5f};
    auto view = view_of(render::LightingPreset::studio);
    view.background = {};
    for (const auto topology : thin)
        EXPECT_TRUE(shows_linear(picture(share(patch(topology, material, false)), view), {0.0f, 1.0f, 0.5f}));
}

// Picking of lines: hit in the pixels that they cover, and in front of a surface that they are on.
class GpuLines : public Gpu {};

constexpr std::uint32_t image_edge = 256;

render::View cut_out_lines(bool orthographic)
{
    auto view = reference_view(image_edge);
    view.background = glm::vec4(0.0f);
    view.camera.orthographic = orthographic;
    view.camera.yaw = 30.0f;
    view.camera.pitch = 15.0f;
    return view;
}

// The two diagonals of a square of one meter.
scene::Scene cross()
{
    scene::Scene scene;
    add_quad(scene, 0.0f, 1.0f, {0.5f, 0.05f, 0.05f, 1.0f});
    auto& mesh = scene.meshes[0];
    mesh.indices = {0, 2, 1, 3};
    mesh.primitives[0].count = 4;
    mesh.primitives[0].topology = scene::Topology::lines;
    return scene;
}

// Maximum over a pixel and its neighbors.
std::uint8_t most_around(const render::Frame& frame, std::uint32_t x, std::uint32_t y)
{
    std::uint8_t most = 0;
    for (std::uint32_t i = 0; i < 9; ++i)
        most = std::max(most, static_cast<std::uint8_t>(pixel(frame, x + i % 3 - 1, y + i / 3 - 1).a));
    return most;
}

TEST_F(GpuLines, AreHitWhereTheyAreVisible)
{
    const auto scene = share(cross());
    for (const bool orthographic : {false, true}) {
        const auto view = cut_out_lines(orthographic);
        const auto frame = picture(scene, view);
        keep(frame, orthographic ? "lines_orthographic" : "lines");
        std::array<int, 2> hits{};
        for (std::uint32_t y = 1; y + 1 < image_edge; ++y)
            for (std::uint32_t x = 1; x + 1 < image_edge; ++x) {
                const bool drawn = pixel(frame, x, y).a > 40, far = most_around(frame, x, y) == 0;
                if (!drawn && (!far || x % 8 != 0 || y % 8 != 0)) continue;
                const auto hit = renderer().pick(scene, view, {}, x, y);
                ASSERT_EQ(hit.has_value(), drawn) << x << "," << y << " orthographic " << orthographic;
                if (hit) ++hits.at(hit->triangle);
            }
        EXPECT_GT(hits[0], 100);
        EXPECT_GT(hits[1], 100);
    }
}

TEST_F(GpuLines, AreHitInFrontOfTheirSurfaceAndNotBehindAnother)
{
    for (const bool hidden : {false, true}) {
        auto scene = cross();
        add_quad(scene, hidden ? 0.1f : 0.0f, 2.0f, {0.05f, 0.5f, 0.05f, 1.0f});
        const auto shared = share(std::move(scene));
        int lines = 0;
        for (std::uint32_t y = 64; y < 192; y += 2)
            for (std::uint32_t x = 64; x < 192; x += 2) {
                const auto hit = renderer().pick(shared, reference_view(image_edge), {}, x, y);
                ASSERT_TRUE(hit.has_value());
                lines += hit->mesh == 0 ? 1 : 0;
            }
        if (hidden)
            EXPECT_EQ(lines, 0);
        else
            EXPECT_GT(lines, 64);
    }
}

} // namespace
} // namespace vitrine::test

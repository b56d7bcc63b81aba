// Defects of scenes that the comparison with the golden images must detect.

#include <fmt/format.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "server/samples/models.hpp"
#include "tests/gpu/device.hpp"
#include "tests/pictures/golden.hpp"
#include "tests/pictures/golden_fixture.hpp"
#include "tests/pictures/injected_defects.hpp"
#include "tests/support/load_sample.hpp"

namespace vitrine::test {
namespace {

// Images that must not pass, each compared with the correct image. Defects of the finished image are planted
// into every golden image by expect_golden.
class GpuGoldenDefects : public GpuGoldens {
protected:
    static Difference against(const render::Frame& expected, const Coverage& model, scene::Scene scene,
                              const render::View& view)
    {
        return difference(expected, picture(share(std::move(scene)), view), model);
    }
    static bool passes(const Difference& d) { return passes_for("", d); }
    static inline const render::View studio = view_of("three-quarter", render::LightingPreset::studio);
};

TEST_F(GpuGoldenDefects, DetectsAMissingTexture)
{
    for (const auto& sample : samples::all_samples()) {
        auto scene = sample.make();
        if (scene.images.empty()) continue;
        const auto complete = share(scene);
        const auto expected = picture(complete, studio);
        for (auto& material : scene.materials)
            material.base_color_texture.image = scene::none;
        EXPECT_FALSE(passes(against(expected, model_in(expected, complete, studio), scene, studio)))
            << sample.name;
    }
}

TEST_F(GpuGoldenDefects, DetectsWrongNormals)
{
    for (const auto light : {render::LightingPreset::studio, render::LightingPreset::reference}) {
        auto scene = samples::make_vase();
        const auto complete = share(scene);
        const auto lit = view_of("three-quarter", light);
        const auto expected = picture(complete, lit);
        for (auto& mesh : scene.meshes)
            for (auto& normal : mesh.normals)
                normal = {normal.z, normal.y, normal.x};
        EXPECT_FALSE(passes(against(expected, model_in(expected, complete, lit), scene, lit)));
    }
}

TEST_F(GpuGoldenDefects, DetectsAMissingShadow)
{
    const auto scene = samples::make_robot();
    const auto complete = share(scene);
    const auto expected = picture(complete, studio);
    const auto model = model_in(expected, complete, studio);
    auto high = studio; // framed so that the floor is far below
    high.framing = scene::static_bounds(scene);
    const float radius = 0.5f * glm::length(high.framing->size());
    high.camera.distance = 1.05f * radius / std::sin(glm::radians(22.5f));
    EXPECT_TRUE(passes(against(expected, model, scene, high)));
    high.framing->min.y -= 2.0f * radius;
    high.framing->max.y += 2.0f * radius;
    EXPECT_FALSE(passes(against(expected, model, scene, high)));
}

TEST_F(GpuGoldenDefects, AcceptsAnotherAntialiasing)
{
    for (const auto& sample : samples::all_samples()) {
        const auto scene = share(sample.make());
        const auto expected = picture(scene, studio);
        auto moved = studio; // by a fifth of a pixel
        moved.camera.yaw += 0.1f;
        const auto apart = difference(expected, picture(scene, moved), model_in(expected, scene, studio));
        print_difference("-", "turned-" + sample.name, apart);
        EXPECT_TRUE(passes(apart)) << sample.name;
    }
}

// Every visible part: removed, moved by two pixels, recolored.
class GpuScenesWithDefects : public GpuGoldenDefects {
protected:
    struct Faulty {
        std::string what;
        render::SharedScene scene;
    };

    // Counts visible parts in tested_.
    void expect_seen(const std::string& sample, const render::SharedScene& complete,
                     const std::vector<Faulty>& faulty)
    {
        for (const char* name : {"front", "back", "left", "side", "top", "bottom", "three-quarter"})
            expect_seen_in(view_of(name, render::LightingPreset::studio), sample + "-" + name, complete,
                           faulty);
        expect_seen_in(view_of("three-quarter", render::LightingPreset::reference), sample + "-reference",
                       complete, faulty);
    }

    int tested_ = 0;

private:
    void expect_seen_in(render::View view, const std::string& name, const render::SharedScene& complete,
                        const std::vector<Faulty>& faulty)
    {
        const auto frame = picture(complete, view);
        const auto model = model_in(frame, complete, view);
        const auto expected = appearance_of(frame);
        view.framing = frame.framing.framed;
        for (const auto& [what, scene] : faulty) {
            const auto shown = appearance_of(picture(scene, view));
            if (largest_square_distance(expected, shown) < visible_distance) continue;
            ++tested_;
            const auto apart = difference(expected, shown, model);
            print_difference("scene", name + ": " + what, apart);
            EXPECT_FALSE(passes(apart)) << name << ": " << what;
        }
    }
};

void remove_triangles(scene::Scene& scene, const auto& is_removed)
{
    for (auto& mesh : scene.meshes)
        for (const auto& primitive : mesh.primitives)
            for (std::uint32_t i = primitive.first; i + 2 < primitive.first + primitive.count; i += 3)
                if (primitive.topology == scene::Topology::triangles && is_removed(mesh, primitive, i))
                    mesh.indices[i + 1] = mesh.indices[i + 2] = mesh.indices[i];
}

TEST_F(GpuScenesWithDefects, DetectsEveryMissingOrRecoloredMaterial)
{
    for (const auto& sample : samples::all_samples()) {
        const auto scene = sample.make();
        std::vector<Faulty> faulty;
        for (std::uint32_t m = 0; m < scene.materials.size(); ++m) {
            auto incomplete = scene;
            remove_triangles(incomplete, [m](const auto&, const auto& primitive, auto) {
                return primitive.material == m;
            });
            faulty.push_back({fmt::format("material {} missing", m), share(std::move(incomplete))});
            auto recolored = scene;
            recolored.materials[m].base_color *= glm::vec4(1.0f, 0.5f, 1.0f, 1.0f);
            faulty.push_back({fmt::format("material {} recolored", m), share(std::move(recolored))});
        }
        expect_seen(sample.name, share(scene), faulty);
    }
    EXPECT_GT(tested_, 150);
}

// The joint with the greatest weight of a vertex.
std::uint16_t dominant_joint_of(const scene::Influences& influences, std::uint32_t vertex)
{
    std::uint16_t joint = 0;
    float most = -1.0f;
    for (auto i = influences.first[vertex]; i < influences.first[vertex + 1]; ++i) {
        if (influences.weights[i] <= most) continue;
        most = influences.weights[i];
        joint = influences.joints[i];
    }
    return joint;
}

TEST_F(GpuScenesWithDefects, DetectsEveryMissingOrMovedLimb)
{
    const auto scene = samples::make_robot();
    const auto complete = share(scene);
    const float pixel = 2.0f * glm::length(scene::static_bounds(scene).size()) / edge; // lower bound
    std::vector<Faulty> faulty;
    for (std::uint16_t j = 0; j < scene.skins.at(0).joints.size(); ++j) {
        auto incomplete = scene;
        remove_triangles(incomplete, [j](const auto& mesh, const auto&, auto i) {
            return !mesh.influences.first.empty() && dominant_joint_of(mesh.influences, mesh.indices[i]) == j;
        });
        const auto node = scene.skins[0].joints[j];
        faulty.push_back({scene.nodes[node].name + " missing", share(std::move(incomplete))});
        auto moved = scene;
        moved.nodes[node].local.translation += glm::vec3(pixel, pixel, pixel);
        faulty.push_back({scene.nodes[node].name + " moved", share(std::move(moved))});
    }
    expect_seen("robot", complete, faulty);
    EXPECT_GT(tested_, 200);
}

} // namespace
} // namespace vitrine::test

// Compares every sample, view, lighting, overlay and format with the images in golden/, which the software
// driver rendered and a person has reviewed.
//
// After an intended change: run script/pictures --goldens, review the changed files, and commit both
// together.

#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/preview/representative_pose.hpp"
#include "server/samples/models.hpp"
#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/pictures/features.hpp"
#include "tests/pictures/golden.hpp"
#include "tests/pictures/injected_defects.hpp"
#include "tests/support/load_sample.hpp"
#include "vk_renderer/camera/best_view.hpp"
#include "vk_renderer/camera/view_parser.hpp"

namespace vitrine::test {
namespace {

constexpr std::uint32_t edge = 192;

render::View view_of(const char* name, render::LightingPreset light)
{
    return {.width = edge,
            .height = edge,
            .camera = render::find_named_view(name).value(),
            .light = light,
            .overlays = {}};
}

// A time between keys, at which the clip differs from its start; the static pose for scenes without clips.
render::ClipTime moment_between_keys(const scene::Scene& scene)
{
    if (scene.clips.empty()) return {};
    return {0, 0.37 * scene.clips[0].duration};
}

class GpuGoldens : public Gpu {
protected:
    // Coverage by the model alone in the same view, without ground and overlays.
    static Coverage model_in(const render::Frame& frame, const render::SharedScene& scene, render::View view,
                             render::ClipTime clip_time = {})
    {
        view.light = render::LightingPreset::reference;
        view.background = glm::vec4(0.0f);
        view.overlays = {};
        view.framing = frame.framing.framed;
        return coverage_of(picture(scene, view, clip_time));
    }

    static void expect_picture(const std::string& name, const render::SharedScene& scene,
                               const render::View& view, render::ClipTime clip_time = {})
    {
        const auto frame = picture(scene, view, clip_time);
        expect_golden(frame, model_in(frame, scene, view, clip_time), name);
    }
};

TEST_F(GpuGoldens, EveryViewOfEverySample)
{
    for (const auto& sample : samples::all_samples()) {
        const auto scene = share(sample.make());
        for (const char* name : {"front", "back", "left", "side", "top", "bottom", "three-quarter"}) {
            const auto golden = "views/" + sample.name + "-" + name;
            const auto clip_time = moment_between_keys(*scene);
            expect_picture(golden + "-studio", scene, view_of(name, render::LightingPreset::studio),
                           clip_time);
            expect_picture(golden + "-reference", scene, view_of(name, render::LightingPreset::reference),
                           clip_time);
        }
    }
}

// Features that no sample has, in the studio, on a transparent background, and in the reference lighting.
TEST_F(GpuGoldens, EveryFeature)
{
    for (const auto& feature : all_features()) {
        SCOPED_TRACE(feature.name);
        const auto scene = share(feature.make());
        const auto clip_time = moment_between_keys(*scene);
        const std::string golden = std::string("features/") + feature.name;
        auto view = view_of("three-quarter", render::LightingPreset::studio);
        expect_picture(golden + "-studio", scene, view, clip_time);
        view.background = glm::vec4(0.0f);
        expect_picture(golden + "-transparent", scene, view, clip_time);
        view.light = render::LightingPreset::reference;
        expect_picture(golden + "-reference", scene, view, clip_time);
    }
}

TEST_F(GpuGoldens, AutomaticViewOfEverySample)
{
    for (const auto& sample : samples::all_samples()) {
        const auto scene = share(sample.make());
        const auto representative = scene::find_representative_pose(*scene);
        const render::ClipTime clip_time{representative.clip, representative.time};
        const render::View view{.width = edge, .height = edge, .camera = {.automatic = true}};
        expect_picture("views/" + sample.name + "-auto", scene,
                       render::with_best_view(*scene, view, clip_time), clip_time);
    }
}

TEST_F(GpuGoldens, EveryOverlayOfEverySample)
{
    for (const auto& sample : samples::all_samples()) {
        const auto scene = share(sample.make());
        const auto clip_time = moment_between_keys(*scene);
        const auto plain = view_of("three-quarter", render::LightingPreset::studio);
        const auto without = picture(scene, plain, clip_time);
        const auto model = model_in(without, scene, plain, clip_time);
        for (const std::string name :
             {"wireframe", "skeleton", "names", "normals", "tangents", "bounds", "uv", "xray", "weights"}) {
            const auto golden = "overlays/" + sample.name + "-" + name;
            auto view = plain;
            view.overlays = render::parse_overlays(name).value();
            expect_picture(golden, scene, view, clip_time);
            const bool shows_joints = name == "skeleton" || name == "names"; // the vase has no joints
            if (sample.name != "vase" || !shows_joints) expect_other_than_golden(without, model, golden);
        }
    }
}

// Names as in MikuMikuDance rigs and rigs of East Asian studios.
TEST_F(GpuGoldens, JointNamesInOtherScripts)
{
    const auto font = render::default_label_font();
    if (!std::filesystem::exists(font)) GTEST_SKIP() << "no " << font << " (script/bootstrap installs it)";
    constexpr std::array names{"全ての親", "センター", "下半身", "上半身",   "首",      "頭",   "右ひざ",
                               "左足首",   "右腕.R",   "左手首", "髋关节.L", "왼쪽 팔", "ﾈｸﾀｲ", "ذراع"};
    auto robot = samples::all_samples()[0].make();
    for (std::size_t i = 0; i < robot.nodes.size(); ++i)
        robot.nodes[i].name = names[i % names.size()];
    const auto scene = share(std::move(robot));
    auto view = view_of("three-quarter", render::LightingPreset::studio);
    view.overlays = render::parse_overlays("names").value();
    const auto clip_time = moment_between_keys(*scene);
    for (const std::uint32_t side : {128u, 256u, 1200u}) {
        view.width = view.height = side;
        const auto frame = picture(scene, view, clip_time);
        keep(frame, fmt::format("names-{}", side));
        if (side == 1200) continue;
        const auto golden = fmt::format("overlays/other-scripts-{}", side);
        const auto model = model_in(frame, scene, view, clip_time);
        expect_golden(frame, model, golden);
        auto plain = view;
        plain.overlays = {};
        expect_other_than_golden(picture(scene, plain, clip_time), model, golden);
    }
}

TEST_F(GpuGoldens, NormalsOfADenseModel)
{
    const auto scene = share(dense_tube());
    for (const char* name : {"normals", "tangents"}) {
        auto view = view_of("three-quarter", render::LightingPreset::studio);
        view.overlays = render::parse_overlays(name).value();
        view.width = view.height = 256;
        expect_picture(std::string("overlays/dense-") + name, scene, view);
    }
}

TEST_F(GpuGoldens, TransparentBackgroundAndOrthographic)
{
    for (const auto& sample : samples::all_samples()) {
        const auto scene = share(sample.make());
        auto view = view_of("three-quarter", render::LightingPreset::studio);
        view.background = glm::vec4(0.0f);
        expect_picture("views/" + sample.name + "-transparent", scene, view);
        view = view_of("three-quarter", render::LightingPreset::studio);
        view.camera.orthographic = true;
        expect_picture("views/" + sample.name + "-orthographic", scene, view);
    }
}

// Formats with whole-mesh frames start with the first frame of the first clip, the others with the rest pose.
std::string shape_of(const std::string& folder, const std::string& sample)
{
    const bool frames = folder.ends_with("-md2") || folder.ends_with("-md3");
    return "formats/" + sample + (frames ? "-first-frame" : "-at-rest");
}

// From the same side of the model, for every front convention of the formats.
render::View before(const scene::Scene& scene, render::View view)
{
    const auto front = scene.file_space.front;
    view.camera.yaw += glm::degrees(std::atan2(front.x, front.z));
    return view;
}

// In the reference lighting all formats look the same; materials beyond the base color differ between
// formats.
TEST_F(GpuGoldens, EveryFormatOfEverySample)
{
    for (const auto& sample : samples::all_samples())
        for (const auto& file : samples::write_formats(sample.name, sample.make())) {
            SCOPED_TRACE(file.folder);
            auto loaded = load_sample(file);
            ASSERT_TRUE(loaded) << loaded.error().where << ": " << loaded.error().detail;
            const auto scene = share(std::move(*loaded));
            expect_picture(shape_of(file.folder, sample.name), scene,
                           before(*scene, view_of("three-quarter", render::LightingPreset::reference)));
            expect_picture("formats/" + file.folder, scene,
                           before(*scene, view_of("three-quarter", render::LightingPreset::studio)));
        }
}

// Transparent and masked materials in the formats that can store them; game formats cannot.
TEST_F(GpuGoldens, TransparencyInEveryFormat)
{
    for (const auto& feature : all_features()) {
        const std::string name = feature.name;
        if (name != "mask" && name != "glass-sphere") continue;
        for (const auto& file : samples::write_formats(name, feature.make())) {
            if (file.folder.contains("-md")) continue;
            SCOPED_TRACE(file.folder);
            auto loaded = load_sample(file);
            ASSERT_TRUE(loaded) << loaded.error().where << ": " << loaded.error().detail;
            expect_picture("features/" + file.folder, share(std::move(*loaded)),
                           view_of("three-quarter", render::LightingPreset::studio));
        }
    }
}

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
    high.framing = scene::rest_bounds(scene);
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
    const float pixel = 2.0f * glm::length(scene::rest_bounds(scene).size()) / edge; // lower bound
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

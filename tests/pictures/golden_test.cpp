// Every sample, view, light, overlay and format against the pictures in golden/: what the software driver
// drew when somebody last looked at them.
//
// When the look changes on purpose: script/pictures --goldens, look at what git says has changed, commit both
// together.

#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "loaders/scene/preview/representative_pose.hpp"
#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/pictures/features.hpp"
#include "tests/pictures/golden.hpp"
#include "tests/support/load_sample.hpp"
#include "vk_renderer/camera/best_view.hpp"
#include "vk_renderer/camera/view_parser.hpp"

namespace vitrine::test {
namespace {

constexpr std::uint32_t edge = 128;

class GpuGoldens : public Gpu {};

render::View view_of(const char* name, render::LightingPreset light)
{
    return {.width = edge,
            .height = edge,
            .camera = render::find_named_view(name).value(),
            .light = light,
            .overlays = {}};
}

// A moment between keys, where the clip has moved; of what has no clip the static pose.
render::Moment moment_between_keys(const scene::Scene& scene)
{
    if (scene.clips.empty()) return {};
    return {0, 0.37 * scene.clips[0].duration};
}

TEST_F(GpuGoldens, EveryViewOfEverySample)
{
    for (const auto& sample : samples::all_samples()) {
        const auto scene = share(sample.make());
        for (const char* name : {"front", "back", "left", "side", "top", "bottom", "three-quarter"}) {
            const auto golden = "views/" + sample.name + "-" + name;
            const auto moment = moment_between_keys(*scene);
            expect_golden(picture(scene, view_of(name, render::LightingPreset::studio), moment),
                          golden + "-studio");
            expect_golden(picture(scene, view_of(name, render::LightingPreset::reference), moment),
                          golden + "-reference");
        }
    }
}

// What no sample has, in the studio, cut out of it, and by its colors alone.
TEST_F(GpuGoldens, EveryFeature)
{
    for (const auto& feature : all_features()) {
        SCOPED_TRACE(feature.name);
        const auto scene = share(feature.make());
        const auto moment = moment_between_keys(*scene);
        const std::string golden = std::string("features/") + feature.name;
        auto view = view_of("three-quarter", render::LightingPreset::studio);
        expect_golden(picture(scene, view, moment), golden + "-studio");
        view.background = glm::vec4(0.0f);
        expect_golden(picture(scene, view, moment), golden + "-transparent");
        view.light = render::LightingPreset::reference;
        expect_golden(picture(scene, view, moment), golden + "-reference");
    }
}

TEST_F(GpuGoldens, TheViewThatIsChosenForEverySample)
{
    for (const auto& sample : samples::all_samples()) {
        const auto scene = share(sample.make());
        const auto telling = scene::find_representative_pose(*scene);
        const render::Moment moment{telling.clip, telling.time};
        const render::View view{.width = edge, .height = edge, .camera = {.automatic = true}};
        expect_golden(picture(scene, render::with_best_view(*scene, view, moment), moment),
                      "views/" + sample.name + "-auto");
    }
}

TEST_F(GpuGoldens, EveryOverlayOfEverySample)
{
    for (const auto& sample : samples::all_samples()) {
        const auto scene = share(sample.make());
        for (const char* name :
             {"wireframe", "skeleton", "names", "normals", "tangents", "bounds", "uv", "xray", "weights"}) {
            auto view = view_of("three-quarter", render::LightingPreset::studio);
            view.overlays = render::parse_overlays(name).value();
            expect_golden(picture(scene, view, moment_between_keys(*scene)),
                          "overlays/" + sample.name + "-" + name);
        }
    }
}

// As rigs of MikuMikuDance and of studios of East Asia have them.
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
    for (const std::uint32_t side : {edge, 2 * edge, 1200u}) {
        view.width = view.height = side;
        const auto frame = picture(scene, view, moment_between_keys(*scene));
        keep(frame, fmt::format("names-{}", side));
        if (side < 1200) expect_golden(frame, fmt::format("overlays/other-scripts-{}", side));
    }
}

TEST_F(GpuGoldens, NormalsOfADenseModel)
{
    const auto scene = share(dense_tube());
    for (const char* name : {"normals", "tangents"}) {
        auto view = view_of("three-quarter", render::LightingPreset::studio);
        view.overlays = render::parse_overlays(name).value();
        view.width = view.height = 2 * edge;
        expect_golden(picture(scene, view), std::string("overlays/dense-") + name);
    }
}

TEST_F(GpuGoldens, WithoutABackgroundAndWithoutPerspective)
{
    for (const auto& sample : samples::all_samples()) {
        const auto scene = share(sample.make());
        auto view = view_of("three-quarter", render::LightingPreset::studio);
        view.background = glm::vec4(0.0f);
        expect_golden(picture(scene, view), "views/" + sample.name + "-transparent");
        view = view_of("three-quarter", render::LightingPreset::studio);
        view.camera.orthographic = true;
        expect_golden(picture(scene, view), "views/" + sample.name + "-orthographic");
    }
}

// Formats of whole frames begin with the first clip's first frame, the others with the pose at rest.
std::string shape_of(const std::string& folder, const std::string& sample)
{
    const bool frames = folder.ends_with("-md2") || folder.ends_with("-md3");
    return "formats/" + sample + (frames ? "-first-frame" : "-at-rest");
}

// From the same side of the model, whichever way the format has it look.
render::View before(const scene::Scene& scene, render::View view)
{
    const auto front = scene.file_space.front;
    view.camera.yaw += glm::degrees(std::atan2(front.x, front.z));
    return view;
}

// By the colors alone all formats show the same; what shines, each says as it can.
TEST_F(GpuGoldens, EveryFormatOfEverySample)
{
    for (const auto& sample : samples::all_samples())
        for (const auto& file : samples::write_formats(sample.name, sample.make())) {
            SCOPED_TRACE(file.folder);
            auto loaded = load_sample(file);
            ASSERT_TRUE(loaded) << loaded.error().where << ": " << loaded.error().detail;
            const auto scene = share(std::move(*loaded));
            expect_golden(
                picture(scene, before(*scene, view_of("three-quarter", render::LightingPreset::reference))),
                shape_of(file.folder, sample.name));
            expect_golden(
                picture(scene, before(*scene, view_of("three-quarter", render::LightingPreset::studio))),
                "formats/" + file.folder);
        }
}

// Glass and what is cut out, in the formats that say it; those of games leave it to the game.
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
            expect_golden(
                picture(share(std::move(*loaded)), view_of("three-quarter", render::LightingPreset::studio)),
                "features/" + file.folder);
        }
    }
}

// What must not pass: each beside the picture that it should have been.
class GpuGoldenDefects : public GpuGoldens {
protected:
    static scene::Scene sample(std::string_view name)
    {
        return std::ranges::find(samples::all_samples(), name, &samples::Sample::name)->make();
    }
    static Difference against(const render::Frame& wanted, scene::Scene scene, const render::View& view)
    {
        return difference(wanted, picture(share(std::move(scene)), view));
    }
    static bool passes(const Difference& d)
    {
        std::printf("mean %.4f, 99th percentile %.4f\n", d.mean, d.percentile_99);
        return d.mean <= tolerance.mean && d.percentile_99 <= tolerance.percentile_99;
    }
    static inline const render::View studio = view_of("three-quarter", render::LightingPreset::studio);
};

TEST_F(GpuGoldenDefects, AMissingTexture)
{
    for (const char* name : {"robot", "koi", "flag", "vase", "tentacle"}) {
        auto scene = sample(name);
        if (scene.images.empty()) continue;
        const auto wanted = picture(share(scene), studio);
        for (auto& material : scene.materials)
            material.base_color_texture.image = scene::none;
        EXPECT_FALSE(passes(against(wanted, scene, studio))) << name;
    }
}

TEST_F(GpuGoldenDefects, WrongNormals)
{
    for (const auto light : {render::LightingPreset::studio, render::LightingPreset::reference}) {
        auto scene = sample("vase");
        const auto lit = view_of("three-quarter", light);
        const auto wanted = picture(share(scene), lit);
        for (auto& mesh : scene.meshes)
            for (auto& normal : mesh.normals)
                normal = {normal.z, normal.y, normal.x};
        EXPECT_FALSE(passes(against(wanted, scene, lit)));
    }
}

TEST_F(GpuGoldenDefects, ALostShadow)
{
    const auto scene = sample("robot");
    const auto wanted = picture(share(scene), studio);
    auto high = studio; // framed so that the floor lies far below
    high.framing = scene::rest_bounds(scene);
    const float radius = 0.5f * glm::length(high.framing->size());
    high.camera.distance = 1.05f * radius / std::sin(glm::radians(22.5f));
    EXPECT_TRUE(passes(against(wanted, scene, high)));
    high.framing->min.y -= 2.0f * radius;
    high.framing->max.y += 2.0f * radius;
    EXPECT_FALSE(passes(against(wanted, scene, high)));
}

TEST_F(GpuGoldenDefects, ALostOverlay)
{
    const auto scene = share(sample("robot"));
    const auto plain = picture(scene, studio);
    for (const char* name : {"wireframe", "skeleton", "normals", "bounds"}) {
        auto laid = studio;
        laid.overlays = render::parse_overlays(name).value();
        EXPECT_FALSE(passes(difference(picture(scene, laid), plain))) << name;
    }
}

TEST_F(GpuGoldenDefects, AnotherAntialiasingPasses)
{
    for (const char* name : {"robot", "koi", "flag", "vase", "tentacle"}) {
        const auto scene = sample(name);
        const auto wanted = picture(share(scene), studio);
        auto moved = studio; // a fifth of a pixel
        moved.camera.yaw += 0.15f;
        EXPECT_TRUE(passes(against(wanted, scene, moved))) << name;
    }
}

} // namespace
} // namespace vitrine::test

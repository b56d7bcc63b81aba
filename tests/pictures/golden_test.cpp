// Compares every sample, view, lighting, overlay and format with the images in golden/, which the software
// driver rendered and a person has reviewed.
//
// After an intended change: run script/pictures --goldens, review the changed files, and commit both
// together.

#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/preview/bone_geometry.hpp"
#include "loaders/scene/preview/representative_pose.hpp"
#include "server/samples/models.hpp"
#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/pictures/features.hpp"
#include "tests/pictures/golden.hpp"
#include "tests/pictures/golden_fixture.hpp"
#include "tests/support/load_sample.hpp"
#include "vk_renderer/camera/best_view.hpp"
#include "vk_renderer/camera/view_parser.hpp"

namespace vitrine::test {
namespace {

// A time between keys, at which the clip differs from its start; the static pose for scenes without clips.
render::ClipTime moment_between_keys(const scene::Scene& scene)
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
        const auto representative = scene::select_representative_pose(*scene);
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
        for (const std::string name : {"wireframe", "skeleton", "names", "normals", "tangents", "bounds",
                                       "uv", "xray", "weights", "trails", "joint_boxes"}) {
            const auto golden = "overlays/" + sample.name + "-" + name;
            auto view = plain;
            view.overlays = render::parse_overlays(name).value();
            expect_picture(golden, scene, view, clip_time);
            // The vase has no joints, and those of the flag stay where they are.
            const bool shows_joints = name == "skeleton" || name == "names" || name == "trails";
            const bool shows_motion = name == "trails";
            const bool is_same =
                (sample.name == "vase" && shows_joints) || (sample.name == "flag" && shows_motion);
            if (!is_same) expect_other_than_golden(without, model, golden, renderer().info().driver);
        }
    }
}

// A character of VRM, and a motion without a mesh, which is shown by its bones.
TEST_F(GpuGoldens, AvatarAndItsMotion)
{
    const auto avatar = share(samples::make_avatar()),
               motion = share(scene::with_bone_geometry(samples::make_avatar_motion()).value());
    for (const char* name : {"front", "three-quarter"})
        expect_picture(std::string("views/avatar-") + name, avatar,
                       view_of(name, render::LightingPreset::studio));
    auto view = view_of("three-quarter", render::LightingPreset::studio);
    view.overlays = render::parse_overlays("skeleton,trails").value();
    expect_picture("views/bow", motion, view, moment_between_keys(*motion));
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
        expect_golden(frame, model, golden, renderer().info().driver);
        auto plain = view;
        plain.overlays = {};
        expect_other_than_golden(picture(scene, plain, clip_time), model, golden, renderer().info().driver);
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

// Formats with whole-mesh frames start with the first frame of the first clip, the others with the static
// pose.
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

} // namespace
} // namespace vitrine::test

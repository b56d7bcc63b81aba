// Crowds: several instances of a scene in one image.

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"
#include "vk_renderer/base/scene_instances.hpp"

namespace vitrine::test {
namespace {

using render::ClipTime;
using render::Frame;
using render::FrameRequest;
using render::SceneInstance;
using render::View;

// The box over the motion, from an image of one model.
scene::Aabb model_box(const Frame& frame)
{
    return frame.framing.model;
}

// The width of the image is that of a place: one in the front row, so that no other is behind.
View view_of_place(const scene::Aabb& box)
{
    auto view = reference_view();
    view.camera.orthographic = true;
    view.width = static_cast<std::uint32_t>(std::floor(128.0f * box.size().x / box.size().y));
    view.camera.distance = 0.58f * box.size().y / std::tan(glm::radians(22.5f));
    return view;
}

class GpuInstances : public Gpu {
protected:
    // The instances of a crowd of `scene` at that time.
    static std::vector<SceneInstance> crowd(const render::SharedScene& scene, std::uint32_t count,
                                            double time)
    {
        return render::instances_of(*scene, {.crowd = count}, {0, time},
                                    model_box(picture(scene, reference_view(16), {0, time})));
    }
};

// One place of a crowd, seen alone, is a single model at the time of that instance.
TEST_F(GpuInstances, EachOfACrowdEqualsTheModelAtItsTimeAndPlace)
{
    const auto scene = share(tube(20, 12, 6, 4));
    const auto box = model_box(picture(scene, reference_view(16), {0, 0.0}));
    auto view = view_of_place(box);
    for (const auto& instance : crowd(scene, 2, 0.3)) {
        view.crowd = 1;
        view.camera.target = box.center();
        const auto alone = picture(scene, view, instance.clip_time);
        EXPECT_GT(different_pixels(alone, picture(scene, view, {0, 0.9})), 100) << "it moves";
        view.crowd = 2;
        view.camera.target = box.center() + instance.placement.offset;
        const auto one_of_two = picture(scene, view, {0, 0.3});
        EXPECT_LT(different_pixels(one_of_two, alone), 12) << instance.clip_time.time;
    }
}

TEST_F(GpuInstances, TrailsAreAtThePlaceOfTheFirst)
{
    const auto scene = share(tube(20, 12, 6, 4));
    const auto box = model_box(picture(scene, reference_view(16), {0, 0.0}));
    const auto instances = crowd(scene, 2, 0.3);
    auto view = view_of_place(box);
    const auto at = [&](std::uint32_t count, const SceneInstance& instance, double time) {
        view.crowd = count;
        view.camera.target = box.center() + (count > 1 ? instance.placement.offset : glm::vec3(0.0f));
        view.overlays = {};
        const auto plain = picture(scene, view, {0, time});
        view.overlays = {.trails = true};
        auto marked = picture(scene, view, {0, time});
        return std::pair(marked, different_pixels(marked, plain));
    };
    const auto [alone, trail] = at(1, instances[0], instances[0].clip_time.time);
    const auto [first, first_trail] = at(2, instances[0], 0.3);
    EXPECT_GT(trail, 30);
    EXPECT_GT(first_trail, 30);
    EXPECT_LT(different_pixels(first, alone), 24);
    EXPECT_LT(at(2, instances[1], 0.3).second, 12) << "of the second";
}

// A scene with a copy of the first node, which has no parent, at the place of each instance.
scene::Scene merged_by_hand(const scene::Scene& one, std::span<const SceneInstance> instances)
{
    auto merged = one;
    merged.nodes.clear();
    for (const auto& instance : instances) {
        auto node = one.nodes[0];
        node.local.translation += instance.placement.offset;
        merged.nodes.push_back(node);
    }
    return merged;
}

TEST_F(GpuInstances, ACrowdEqualsTheSceneMergedByHand)
{
    const auto one = textured_cube();
    auto view = reference_view();
    view.crowd = 2;
    const auto shared = share(one);
    const auto instances =
        render::instances_of(*shared, view, {}, model_box(picture(shared, reference_view())));
    auto merged = merged_by_hand(one, instances);
    const auto both = share(std::move(merged));
    const auto crowd = picture(shared, view);
    view.crowd = 1;
    const auto expected = picture(both, view);
    EXPECT_LT(different_pixels(crowd, expected), 20);
    EXPECT_NEAR(crowd.bounds.min.x, expected.bounds.min.x, 1e-5f);
    EXPECT_NEAR(crowd.bounds.max.x, expected.bounds.max.x, 1e-5f);
    EXPECT_NEAR(crowd.framing.framed.min.x, expected.framing.framed.min.x, 1e-5f);
    EXPECT_NEAR(crowd.framing.model.max.y, expected.framing.model.max.y, 1e-5f);
    // The floor darkens a model by the model's size, of which the merged scene has another; the shadows are
    // equal.
    view.light = render::LightingPreset::studio;
    const auto studio_expected = picture(both, view), studio_alone = picture(shared, view);
    view.crowd = 2;
    const auto studio = picture(shared, view);
    keep(studio, "crowd_of_cubes");
    int floor = 0, different = 0;
    for (std::uint32_t y = 0; y < view.height; ++y)
        for (std::uint32_t x = 0; x < view.width; ++x) {
            if (pixel(expected, x, y).g < 255) continue;
            const auto a = pixel(studio, x, y), b = pixel(studio_expected, x, y);
            ++floor;
            different += std::abs(a.r - b.r) > 2 ? 1 : 0;
        }
    EXPECT_GT(floor, 4000);
    EXPECT_LT(different, 20);
    EXPECT_GT(different_pixels(studio, studio_alone), 2000);
}

// Each is drawn with as many triangles as its pixels show, and its shadow is cast by some of them.
TEST_F(GpuInstances, SmallModelsLookLikeThoseOfAllTriangles)
{
    auto one = dense_tube();
    one.nodes = {scene::Node{.name = "tube", .mesh = 0}};
    one.skins.clear();
    one.clips.clear();
    one.meshes[0].influences = {};
    const auto shared = share(one);
    View view{.width = 160, .height = 160, .crowd = 24};
    const auto instances =
        render::instances_of(*shared, view, {}, model_box(picture(shared, reference_view())));
    const auto crowd = picture(shared, view);
    view.crowd = 1;
    const auto all = picture(share(merged_by_hand(one, instances)), view);
    keep(crowd, "coarse_crowd");
    keep(all, "fine_crowd");
    int strongly = 0;
    for (std::uint32_t y = 0; y < view.height; ++y)
        for (std::uint32_t x = 0; x < view.width; ++x)
            strongly += std::abs(pixel(crowd, x, y).g - pixel(all, x, y).g) > 32 ? 1 : 0;
    EXPECT_LT(strongly, 200) << "of 25,600 pixels";
}

TEST_F(GpuInstances, EqualSeparateImagesInOneBatch)
{
    const auto scene = share(tube(20, 12, 6, 4));
    std::vector<FrameRequest> requests;
    for (std::uint32_t i = 0; i < 16; ++i) {
        View view{.width = 48, .height = 40, .crowd = i % 4 == 3 ? 1 : 2 + i % 2};
        view.camera.yaw = 20.0f * static_cast<float>(i);
        if (i % 5 == 0) view.ghosts = {.before = 2, .after = 1, .step = 0.2};
        view.overlays.skeleton = i % 3 == 0;
        view.overlays.bounds = view.overlays.normals = i % 7 == 6;
        requests.push_back({scene, view, {0, i < 8 ? 0.5 : 0.7}});
    }
    std::vector<Frame> frames, alone;
    renderer().render(requests, frames);
    for (std::size_t i = 0; i < requests.size(); ++i) {
        renderer().render(std::span(requests).subspan(i, 1), alone);
        EXPECT_TRUE(frames[i].pixels == alone[0].pixels) << i;
        EXPECT_EQ(frames[i].bounds.max, alone[0].bounds.max) << i;
    }
}

TEST_F(GpuInstances, DrawsEveryKindOfScene)
{
    auto lines = tube(6, 5, 3, 2);
    lines.meshes[0].primitives[0].topology = scene::Topology::lines;
    auto glass = textured_cube();
    glass.materials[0].alpha_mode = scene::AlphaMode::blend;
    glass.materials[0].base_color.w = 0.5f;
    const std::array scenes{share(mixture()),       share(lines),
                            share(glass),           share(tube_with_positions()),
                            share(morphing_quad()), share(vertex_frame_triangle())};
    for (const auto& scene : scenes) {
        View view{.width = 64, .height = 64};
        const ClipTime clip_time{scene->clips.empty() ? scene::none : 0, 0.1};
        const auto alone = picture(scene, view, clip_time);
        view.crowd = 7;
        view.ghosts = {.before = 2, .after = 2, .step = 0.05};
        const auto crowd = picture(scene, view, clip_time);
        EXPECT_GT(different_pixels(alone, crowd), 100);
        const auto size = crowd.framing.model.size(), one = alone.framing.model.size();
        EXPECT_GT(size.x + size.z, 1.5f * (one.x + one.z));
    }
}

// Vertices, indices and textures exist once; each instance adds its skinned vertices and palette.
TEST_F(GpuInstances, TakeTheMemoryOfOneSceneAndTheirPoses)
{
    const auto scene = share(tube(100, 20, 40, 4));
    const auto vertices = scene->meshes[0].positions.size();
    View view{.width = 32, .height = 32};
    picture(scene, view, {0, 0.5});
    const auto before = renderer().memory().used;
    view.crowd = 1000;
    picture(scene, view, {0, 0.5});
    const auto added = renderer().memory().used - before;
    const auto poses = 1000 * (vertices * 16 + 41 * sizeof(scene::PaletteEntry) + 64);
    EXPECT_LT(added, poses + poses / 4 + (64u << 20)) << "blocks of 32 MiB, and a reserve of a quarter";
    EXPECT_GT(added, poses / 2);
    renderer().idle();
}

TEST_F(GpuInstances, PicksTheNearestOfACrowd)
{
    const auto scene = share(textured_cube());
    auto view = reference_view();
    view.camera.orthographic = true;
    view.camera.distance = 10.0f;
    view.crowd = 9;
    const auto instances =
        render::instances_of(*scene, view, {}, model_box(picture(scene, reference_view())));
    for (const auto& [clip_time, placement] : instances) {
        view.camera.target = placement.offset;
        const auto hit = renderer().pick(scene, view, {}, 64, 64);
        ASSERT_TRUE(hit);
        EXPECT_NEAR(hit->position.x, placement.offset.x, 0.05f);
        EXPECT_NEAR(hit->position.z, instances[0].placement.offset.z + 0.5f, 1e-4f) << "the front row";
    }
    view.camera.target =
        glm::vec3(0.5f * (instances[0].placement.offset.x + instances[1].placement.offset.x), 0.0f, 0.0f);
    EXPECT_FALSE(renderer().pick(scene, view, {}, 64, 64)) << "between two columns";
}

TEST_F(GpuInstances, RejectsTooManyWithASentence)
{
    const auto scene = share(dense_tube());
    View view{.width = 16, .height = 16, .crowd = render::max_crowd};
    try {
        picture(scene, view);
        FAIL();
    } catch (const render::RenderError& error) {
        EXPECT_TRUE(std::string(error.what()).starts_with("an image shows at most 252 instances"))
            << error.what();
    }
    view.crowd = 3;
    EXPECT_NO_THROW(picture(scene, view)) << "the renderer goes on";
}

} // namespace
} // namespace vitrine::test

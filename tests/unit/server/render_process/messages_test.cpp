// Messages between the server and a render process: every field arrives, and bytes that are no message are
// rejected.
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "server/render_process/messages.hpp"
#include "vk_renderer/mesh/lod.hpp"

namespace vitrine::render_process {
namespace {

SharedView odd_view()
{
    SharedView shared;
    shared.lod = 77;
    auto& view = shared.view;
    view.width = 123;
    view.height = 45;
    view.camera = {.yaw = 1.5f,
                   .pitch = -2.5f,
                   .distance = 3.5f,
                   .target = glm::vec3(4, 5, 6),
                   .vertical_fov = 33.0f,
                   .orthographic = true,
                   .automatic = true};
    view.light = render::LightingPreset::reference;
    view.overlays = {.wireframe = true,
                     .skeleton = false,
                     .names = true,
                     .normals = false,
                     .tangents = true,
                     .bounds = true,
                     .debug_view = render::DebugView::weights,
                     .joint = "右腕"};
    view.background = glm::vec4(0.1f, 0.2f, 0.3f, 0.4f);
    view.crowd = 77;
    view.ghosts = {.before = 3, .after = 4, .step = 0.625};
    view.framing = scene::Aabb{{-1, -2, -3}, {1, 2, 3}};
    view.origin = {1e7, -1e7, 0.125};
    return shared;
}

void expect_odd_view(const SharedView& shared)
{
    const auto expected = odd_view();
    const auto& [view, lod] = shared;
    EXPECT_EQ(lod, expected.lod);
    EXPECT_EQ(view.width, 123u);
    EXPECT_EQ(view.height, 45u);
    EXPECT_EQ(view.camera.yaw, 1.5f);
    EXPECT_EQ(view.camera.pitch, -2.5f);
    EXPECT_EQ(view.camera.distance, 3.5f);
    EXPECT_EQ(view.camera.target, glm::vec3(4, 5, 6));
    EXPECT_EQ(view.camera.vertical_fov, 33.0f);
    EXPECT_TRUE(view.camera.orthographic);
    EXPECT_TRUE(view.camera.automatic);
    EXPECT_EQ(view.light, render::LightingPreset::reference);
    EXPECT_EQ(view.overlays, expected.view.overlays);
    EXPECT_EQ(view.background, glm::vec4(0.1f, 0.2f, 0.3f, 0.4f));
    EXPECT_EQ(view.crowd, 77u);
    EXPECT_EQ(view.ghosts, expected.view.ghosts);
    ASSERT_TRUE(view.framing);
    EXPECT_EQ(view.framing->min, glm::vec3(-1, -2, -3));
    EXPECT_EQ(view.framing->max, glm::vec3(1, 2, 3));
    EXPECT_EQ(view.origin, glm::dvec3(1e7, -1e7, 0.125));
}

TEST(RenderMessages, CarryEveryFieldOfARequest)
{
    const auto pick = decode<PickCall>(encode(PickCall{5, odd_view(), {3, 0.75}, {11, 12}}));
    ASSERT_TRUE(pick);
    EXPECT_EQ(pick->scene, 5u);
    expect_odd_view(pick->view);
    EXPECT_EQ(pick->clip_time, (render::ClipTime{3, 0.75}));
    EXPECT_EQ(pick->pixel.x, 11u);
    EXPECT_EQ(pick->pixel.y, 12u);

    const auto submit = decode<Submit>(encode(Submit{9, {{1, {}, {}}, {2, odd_view(), {0, 1.0}}}}));
    ASSERT_TRUE(submit);
    EXPECT_EQ(submit->ticket, 9u);
    ASSERT_EQ(submit->images.size(), 2u);
    EXPECT_EQ(submit->images[0].scene, 1u);
    EXPECT_FALSE(submit->images[0].view.view.camera.distance);
    EXPECT_FALSE(submit->images[0].view.view.framing);
    EXPECT_EQ(submit->images[1].scene, 2u);
    expect_odd_view(submit->images[1].view);
}

scene::Clip odd_clip()
{
    scene::Clip clip{.duration = 2.5, .channels = {}};
    clip.channels.push_back({.node = 1,
                             .path = scene::Path::rotation,
                             .interpolation = scene::Interpolation::step,
                             .times = {0, 1},
                             .values = {0, 0, 0, 1, 1, 0, 0, 0},
                             .before = {scene::ExtrapolationMode::mirror, 3},
                             .after = {scene::ExtrapolationMode::slope, scene::none},
                             .is_placeholder = true});
    clip.channels.push_back({.node = 2, .times = {}, .values = {}});
    return clip;
}

PickCall call_with_layers()
{
    const scene::AnimationLayers layers{
        .layers = {{.clip = 2,
                    .bound_clip = std::make_shared<const scene::Clip>(odd_clip()),
                    .time = 0.5,
                    .speed = -2.0,
                    .repeats = false,
                    .weight = 0.25f,
                    .mode = scene::LayerMode::additive,
                    .mask = {1, 0},
                    .reference =
                        scene::LayerReference{.clip = 4,
                                              .bound_clip = std::make_shared<const scene::Clip>(odd_clip()),
                                              .time = 1.5}},
                   {.clip = 7}},
        .adjustments = {{.node = 3, .rotation = {0, 1, 0, 0}, .translation = {1, 2, 3}, .scale = {4, 5, 6}}},
        .reaches = {{.node = 4, .target = {1, 2, 3}, .pole = glm::dvec3(4, 5, 6)}, {.node = 6}},
        .key = "key"};
    return {5, {}, {3, 0.75, std::make_shared<const scene::AnimationLayers>(layers)}, {1, 2}};
}

TEST(RenderMessages, CarryLayers)
{
    const auto call = call_with_layers();
    const auto received = decode<PickCall>(encode(call));
    ASSERT_TRUE(received && received->clip_time.layers);
    EXPECT_EQ(encode(*received), encode(call));
    const auto& layers = *received->clip_time.layers;
    ASSERT_EQ(layers.layers.size(), 2u);
    EXPECT_EQ(layers.key, "key");
    const auto& first = layers.layers[0];
    EXPECT_EQ(first.time, 0.5);
    EXPECT_EQ(first.weight, 0.25f);
    EXPECT_EQ(first.mask, (std::vector<std::uint8_t>{1, 0}));
    ASSERT_TRUE(first.bound_clip);
    const auto& channel = first.bound_clip->channels.at(0);
    EXPECT_EQ(channel.values, odd_clip().channels[0].values);
    EXPECT_EQ(channel.before.repeats, 3u);
    EXPECT_TRUE(channel.is_placeholder && first.bound_clip->channels.at(1).times.empty());
    ASSERT_TRUE(first.reference && first.reference->bound_clip);
    EXPECT_EQ(first.reference->clip, 4u);
    EXPECT_EQ(first.reference->time, 1.5);
    EXPECT_FALSE(layers.layers[1].bound_clip);
    EXPECT_FALSE(layers.layers[1].reference);
    EXPECT_EQ(layers.adjustments.at(0).scale, glm::vec3(4, 5, 6));
    ASSERT_EQ(layers.reaches.size(), 2u);
    EXPECT_EQ(layers.reaches[0].target, glm::dvec3(1, 2, 3));
    EXPECT_EQ(layers.reaches[0].pole, glm::dvec3(4, 5, 6));
    EXPECT_FALSE(layers.reaches[1].pole);
}

TEST(RenderMessages, RejectLayersThatAreCut)
{
    const auto bytes = encode(call_with_layers());
    for (std::size_t length = 0; length < bytes.size(); ++length)
        EXPECT_FALSE(decode<PickCall>(std::string_view(bytes).substr(0, length)));
}

TEST(RenderMessages, CarryEveryOption)
{
    render::Options options{.device = "0000:65:00.0",
                            .validation = true,
                            .memory_bytes = 1,
                            .scene_cache_bytes = 2,
                            .antialias = false,
                            .single_use = true,
                            .texture_side = 3,
                            .device_profile = render::DeviceProfile::gpu,
                            .max_binding_bytes = 4,
                            .pipeline_cache = "/a/b",
                            .label_font = "/c",
                            .submit_timeout = std::chrono::milliseconds(5)};
    const auto start = decode<StartDevice>(encode(StartDevice{options, "/private"}));
    ASSERT_TRUE(start);
    EXPECT_EQ(start->private_folder, "/private");
    const auto& o = start->options;
    EXPECT_EQ(o.device, "0000:65:00.0");
    EXPECT_TRUE(o.validation);
    EXPECT_EQ(o.memory_bytes, 1u);
    EXPECT_EQ(o.scene_cache_bytes, 2u);
    EXPECT_FALSE(o.antialias);
    EXPECT_TRUE(o.single_use);
    EXPECT_EQ(o.texture_side, 3u);
    EXPECT_EQ(o.device_profile, render::DeviceProfile::gpu);
    EXPECT_EQ(o.max_binding_bytes, 4u);
    EXPECT_EQ(o.pipeline_cache, "/a/b");
    EXPECT_EQ(o.label_font, "/c");
    EXPECT_EQ(o.submit_timeout, std::chrono::milliseconds(5));
}

TEST(RenderMessages, CarryHits)
{
    const scene::Hit hit{.node = 1,
                         .mesh = 2,
                         .primitive = 3,
                         .triangle = 4,
                         .material = 5,
                         .joint = 6,
                         .weight = 0.5f,
                         .barycentric = {0.1f, 0.2f, 0.7f},
                         .position = {1, 2, 3},
                         .normal = {0, 0, 1},
                         .uv = {0.25f, 0.75f},
                         .distance = 9};
    const auto picked = decode<PickReply>(encode(PickReply{hit}));
    ASSERT_TRUE(picked && picked->hit);
    EXPECT_EQ(std::memcmp(&*picked->hit, &hit, sizeof hit), 0);
    EXPECT_FALSE(decode<PickReply>(encode(PickReply{}))->hit);
}

TEST(RenderMessages, CarryReplies)
{
    const FrameHead head{
        7, 8, {{1, 2, 3}, {4, 5, 6}}, {{{-1, -1, -1}, {1, 1, 1}}, {{-2, -2, -2}, {2, 2, 2}}}, 99};
    const auto frames = decode<Frames>(encode(Frames{{head, {}}, {4096, 0}, 1234}));
    ASSERT_TRUE(frames && frames->frames.size() == 2);
    EXPECT_EQ(frames->ticket_work_ns, 1234);
    EXPECT_EQ(frames->offsets, (std::vector<std::uint64_t>{4096, 0}));
    EXPECT_EQ(frames->frames[0].width, 7u);
    EXPECT_EQ(frames->frames[0].height, 8u);
    EXPECT_EQ(frames->frames[0].bounds.max, glm::vec3(4, 5, 6));
    EXPECT_EQ(frames->frames[0].framing, head.framing);
    EXPECT_EQ(frames->frames[0].render_us, 99u);
    EXPECT_TRUE(frames->frames[1].bounds.empty());

    const auto ready = decode<Ready>(encode(Ready{{"n", "d", "1.3", true, "p", "u"}}));
    ASSERT_TRUE(ready);
    EXPECT_EQ(ready->info.name + ready->info.driver + ready->info.api_version, "nd1.3");
    EXPECT_TRUE(ready->info.software);
    EXPECT_EQ(ready->info.pci_address + ready->info.uuid, "pu");
    EXPECT_EQ(decode<ExpectedTimeReply>(encode(ExpectedTimeReply{55}))->nanoseconds, 55);
    EXPECT_EQ(decode<MemoryReply>(encode(MemoryReply{{3, 4}}))->use.budget, 4u);
    EXPECT_EQ(decode<Failed>(encode(Failed{FailureKind::undrawable, "why"}))->text, "why");
}

// Of every length, and with every byte changed to some values: rejected, or another message of the same kind.
template <class Message>
void expect_robust(const Message& message)
{
    const auto bytes = encode(message);
    ASSERT_TRUE(decode<Message>(bytes));
    EXPECT_FALSE(decode<Message>(bytes + '\0')) << "unused bytes";
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(decode<Message>(std::string_view(bytes).substr(0, size))) << size;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        for (const int value : {0, 1, 2, 127, 128, 255}) {
            auto changed = bytes;
            changed[i] = static_cast<char>(value);
            if (const auto other = decode<Message>(changed))
                EXPECT_TRUE(encode(*other) == changed) << "byte " << i << " = " << value;
        }
}

TEST(RenderMessages, RejectOtherBytes)
{
    expect_robust(StartDevice{{.device = "gpu"}, "/data"});
    expect_robust(Submit{1, {{2, odd_view(), {}}, {3, {}, {1, 2.0}}}});
    expect_robust(Render{1, odd_view(), {{0, 0.0}, {0, 1.0}}});
    expect_robust(Frames{{{1, 2, {}, {}, 3}, {}}, {5, 6}, 4});
    expect_robust(PickReply{scene::Hit{}});
    expect_robust(BoundsReply{{{}, {}}});
    expect_robust(Release{{1, 2}, {3}, {}, {4}});
    expect_robust(Failed{FailureKind::other, "text"});
}

TEST(RenderMessages, RejectValuesOutsideTheirType)
{
    auto failed = encode(Failed{FailureKind::other, ""});
    failed[0] = static_cast<char>(static_cast<int>(FailureKind::other) + 1);
    EXPECT_FALSE(decode<Failed>(failed)) << "no such failure";
    auto expected_time = encode(ExpectedTimeReply{1});
    expected_time[0] = 2;
    EXPECT_FALSE(decode<ExpectedTimeReply>(expected_time)) << "neither present nor absent";
    auto log = encode(Log{"line"});
    log[7] = static_cast<char>(0x7f);
    EXPECT_FALSE(decode<Log>(log)) << "a length of 2^62";
}

TEST(RenderMessages, CarryLevelsOfDetail)
{
    const render::LodIndices lod{{0, 1, 2, 2, 1, 3}, {{}, {{{0, 3}, {3, 3}}, {}}}};
    const auto bytes = encode_lod(lod);
    const auto read = decode_lod(bytes);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->indices, lod.indices);
    ASSERT_EQ(read->primitives.size(), 2u);
    EXPECT_TRUE(read->primitives[0].empty());
    EXPECT_EQ(read->primitives[1][0].back_to_back.first, 3u);
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(decode_lod(std::string_view(bytes).substr(0, size))) << size;
}

} // namespace
} // namespace vitrine::render_process

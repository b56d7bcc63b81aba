// Texts of layers and adjusted joints, one a line after a letter: layer, turn, move, scale, reach, attach; or
// of a look and a range of frames: hide, only, detail (lod), surface (clay), frames. What is accepted fits
// the scene and has the same meaning when it is read again.

#include "loaders/scene/layers/layer_text.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "loaders/base/utf8.hpp"
#include "loaders/scene/layers/attach.hpp"
#include "loaders/scene/layers/frame_range.hpp"
#include "loaders/scene/lookup.hpp"
#include "loaders/scene/parts/levels.hpp"
#include "loaders/scene/parts/looks.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace vitrine;

// Three joints with a mixed and a constant clip.
scene::Scene small_rig()
{
    scene::Scene rig;
    rig.nodes.push_back({.name = "root"});
    rig.nodes.push_back({.name = "arm:a", .parent = 0});
    rig.nodes.push_back({.name = "hand", .parent = 1, .local = {.translation = {1, 0, 0}}});
    scene::Clip bend{.name = "bend", .duration = 1.0, .channels = {}};
    bend.channels.push_back(
        {.node = 1, .path = scene::Path::rotation, .times = {0, 1}, .values = {0, 0, 0, 1, 0, 0, 1, 0}});
    bend.channels.push_back(
        {.node = 0, .path = scene::Path::scale, .times = {0, 1}, .values = {1, 0, 1, 0, -1, 2}});
    rig.clips.push_back(std::move(bend));
    rig.clips.push_back({.name = "still", .channels = {}});
    return rig;
}

// Attaches the rig to itself; what is accepted stays valid and reads back.
void check_attachment(const scene::Scene& rig, std::string_view text)
{
    const auto place = scene::parse_attach(text);
    if (!place) return test::demand(!place.error().empty());
    const auto again = scene::parse_attach("x@" + scene::place_key(*place));
    test::demand(again && scene::place_key(*again) == scene::place_key(*place));
    scene::Scene both = rig;
    if (!scene::attach(both, rig, *place, "copy")) return;
    test::demand(both.nodes.size() == 2 * rig.nodes.size() + 1);
    test::demand(scene::validate(both).has_value());
}

// A triangle of three frames, drawn by nodes of two levels of detail, whose names come from the input too.
scene::Scene small_model(std::string_view name)
{
    scene::Scene model;
    scene::Mesh& mesh = model.meshes.emplace_back();
    mesh.name = "mesh";
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    mesh.indices = {0, 1, 2};
    mesh.primitives.push_back({.count = 3});
    mesh.frames.count = 3;
    for (int frame = 0; frame < 3; ++frame)
        for (std::size_t v = 0; v < 3; ++v) {
            mesh.frames.positions.push_back(mesh.positions[v]);
            mesh.frames.normals.push_back(mesh.normals[v]);
        }
    for (const std::string_view of : {std::string_view("tree_LOD0"), std::string_view("tree_LOD1"), name})
        model.nodes.push_back({.name = std::string(of), .mesh = 0});
    model.nodes.push_back({.name = std::string(name) + "1", .parent = 0, .mesh = 0});
    model.clips.push_back(
        {.name = "run",
         .duration = 0.1,
         .frame_rate = 10.0,
         .channels = {
             {.node = 0, .path = scene::Path::vertex_frame, .times = {0.0f, 0.1f}, .values = {0.0f, 1.0f}}}});
    scene::find_named_levels(model);
    return model;
}

void check_frame_range(const scene::Scene& model, std::string_view text)
{
    const auto found = scene::find_frame_range(model, "frames:" + std::string(text));
    test::demand(found.has_value());
    if (!*found) return test::demand(!found->error().empty());
    scene::Scene with_clip = model;
    with_clip.clips.push_back(*(*found)->bound_clip);
    test::demand(scene::validate(with_clip).has_value());
    test::demand((*scene::find_frame_range(model, (*found)->key))->key == (*found)->key);
}

void check_look(std::string_view bytes)
{
    scene::LookTexts texts;
    std::string_view frames;
    while (!bytes.empty()) {
        const auto line = bytes.substr(0, bytes.find('\n'));
        bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
        const auto text = line.substr(std::min<std::size_t>(line.size(), 1));
        if (line.starts_with('h')) texts.hide = text;
        if (line.starts_with('o')) texts.only = text;
        if (line.starts_with('d')) texts.lod = text;
        if (line.starts_with('c')) texts.surface = text;
        if (line.starts_with('f')) frames = text;
    }
    scene::Scene model = small_model(texts.hide && is_utf8(*texts.hide) ? *texts.hide : "tree");
    test::demand(scene::validate(model).has_value());
    check_frame_range(model, frames);
    const auto look = scene::find_look(model, texts);
    if (!look) return test::demand(!look.error().message.empty() && !look.error().parameter.empty());
    test::demand(scene::look_key(*look) == scene::look_key(*scene::find_look(model, texts)));
    scene::apply_look(model, *look);
    test::demand(scene::validate(model).has_value());
    test::demand(scene::level_count(model) == 1 || look->level == 0);
}

scene::AnimationTexts texts_of(std::string_view bytes)
{
    scene::AnimationTexts texts;
    while (!bytes.empty()) {
        const auto line = bytes.substr(0, bytes.find('\n'));
        bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
        if (line.empty() || std::string_view("ahodcf").contains(line.front())) continue;
        auto& list = line.front() == 't'   ? texts.turns
                     : line.front() == 'm' ? texts.moves
                     : line.front() == 's' ? texts.scales
                     : line.front() == 'r' ? texts.reaches
                                           : texts.layers;
        list.emplace_back(line.substr(1));
    }
    return texts;
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const scene::Scene rig = small_rig();
    const auto find = [](std::string_view text) -> std::expected<scene::FoundClip, std::string> {
        const auto clip = scene::find_clip(rig, text, scene::ClipLookup::exact);
        if (clip) return scene::FoundClip{.clip = *clip};
        return std::unexpected(scene::no_clip_message(rig, text));
    };
    const auto text = test::text_of(data, size);
    if (text.starts_with('a')) check_attachment(rig, std::string_view(text).substr(1));
    check_look(text);
    const auto texts = texts_of(text);
    const auto layers = scene::make_layers(rig, {.clip = 0}, texts, find);
    if (!layers) {
        test::demand(!layers.error().message.empty() && !layers.error().parameter.empty());
        return 0;
    }
    test::demand(scene::layers_fit(rig, **layers));
    test::demand(scene::make_layers(rig, {.clip = 0}, texts, find).value()->key == (*layers)->key);
    scene::Pose pose;
    for (const double time : {0.0, 0.5, 2.25}) {
        scene::sample_layers(rig, **layers, time, pose);
        test::demand(pose.model.size() == rig.nodes.size());
    }
    return 0;
}

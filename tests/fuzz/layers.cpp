// Texts of layers and adjusted joints, one a line after a letter: layer, turn, move, scale, reach, attach.
// What is accepted fits the scene and has the same meaning when it is read again.

#include "loaders/scene/layers/layer_text.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "loaders/scene/layers/attach.hpp"
#include "loaders/scene/lookup.hpp"
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

scene::AnimationTexts texts_of(std::string_view bytes)
{
    scene::AnimationTexts texts;
    while (!bytes.empty()) {
        const auto line = bytes.substr(0, bytes.find('\n'));
        bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
        if (line.empty() || line.front() == 'a') continue;
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

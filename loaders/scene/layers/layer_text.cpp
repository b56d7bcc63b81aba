#include "loaders/scene/layers/layer_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "loaders/scene/helper_nodes.hpp"
#include "loaders/scene/lookup.hpp"
#include "loaders/scene/motion/file_nodes.hpp"

namespace vitrine::scene {
namespace {

using LayerError = std::unexpected<std::string>;

std::string quoted(std::string_view text)
{
    return "'" + std::string(text) + "'";
}

// The shortest text that reads back exactly.
std::string number_text(double value)
{
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

std::string no_joint(std::string_view name)
{
    return "there is no joint " + quoted(name);
}

struct MaskJoints {
    std::vector<std::uint32_t> included, excluded;
};

std::expected<MaskJoints, std::string> find_mask_joints(const Scene& scene,
                                                        const std::vector<std::string>& names)
{
    MaskJoints joints;
    for (const std::string& name : names) {
        if (const auto joint = find_joint(scene, name)) {
            joints.included.push_back(*joint);
            continue;
        }
        const auto joint =
            name.starts_with('-') ? find_joint(scene, std::string_view(name).substr(1)) : std::nullopt;
        if (!joint) return LayerError(no_joint(name));
        joints.excluded.push_back(*joint);
    }
    return joints;
}

std::string key_of(const FoundClip& found)
{
    return found.bound_clip ? found.key : clip_id(found.clip);
}

class LayersBuilder {
public:
    LayersBuilder(const Scene& scene, const FindClip& find_clip) : scene_(scene), find_clip_(find_clip) {}

    void add_base(const FoundClip& base)
    {
        if (base.clip == none && !base.bound_clip) return;
        layers_.layers.push_back({.clip = base.clip, .bound_clip = base.bound_clip, .repeats = false});
        layers_.key = key_of(base);
    }

    std::string add_layer(std::string_view text)
    {
        if (layers_.layers.size() >= max_layers)
            return "there are more than " + std::to_string(max_layers) + " layers";
        const auto parsed = parse_layer(text);
        if (!parsed) return parsed.error();
        const auto found = find_clip_(parsed->clip);
        if (!found) return found.error();
        const auto joints = find_mask_joints(scene_, parsed->joints);
        if (!joints) return joints.error();
        PoseLayer layer{.clip = found->clip,
                        .bound_clip = found->bound_clip,
                        .time = parsed->time,
                        .speed = parsed->speed.value_or(1.0),
                        .weight = parsed->weight,
                        .mode = parsed->mode};
        if (!parsed->joints.empty()) layer.mask = mask_of(scene_, joints->included, joints->excluded);
        add_key(*found, *parsed, *joints);
        if (auto wrong = add_reference(*found, *parsed, layer); !wrong.empty()) return wrong;
        layers_.layers.push_back(std::move(layer));
        return {};
    }

    // set(adjustment, values)
    template <class Set>
    std::string add_adjustment(std::string_view kind, std::string_view text, const Set& set)
    {
        if (layers_.adjustments.size() >= max_adjustments)
            return "more than " + std::to_string(max_adjustments) + " joints are adjusted";
        const auto parsed = parse_joint_values(text);
        if (!parsed) return parsed.error();
        const auto joint = find_joint(scene_, parsed->joint);
        if (!joint) return no_joint(parsed->joint);
        JointAdjustment adjustment{.node = *joint};
        set(adjustment, parsed->values);
        layers_.adjustments.push_back(adjustment);
        layers_.key +=
            " " + std::string(kind) + "=" + std::to_string(*joint) + ":" + triple_text(parsed->values);
        return {};
    }

    std::string add_reach(std::string_view text)
    {
        if (layers_.reaches.size() >= max_reaches)
            return "more than " + std::to_string(max_reaches) + " limbs reach for a point";
        const auto parsed = parse_reach(text);
        if (!parsed) return parsed.error();
        const auto joint = find_joint(scene_, parsed->joint);
        if (!joint) return no_joint(parsed->joint);
        if (!ends_limb(scene_, *joint))
            return "the joint " + quoted(parsed->joint) + " has no two joints above it that could turn";
        layers_.reaches.push_back({*joint, parsed->target, parsed->pole});
        layers_.key += " reach=" + std::to_string(*joint) + ":" + triple_text(parsed->target);
        if (parsed->pole) layers_.key += "~" + triple_text(*parsed->pole);
        return {};
    }

    SharedLayers take() { return std::make_shared<const AnimationLayers>(std::move(layers_)); }

private:
    // A reference that is the start of the layer's own clip is the same animation as none.
    std::string add_reference(const FoundClip& own, const LayerText& text, PoseLayer& layer)
    {
        if (text.reference.empty()) return {};
        auto found = find_clip_(text.reference);
        if (!found) return std::move(found.error());
        const auto key = key_of(*found);
        LayerReference reference{.clip = found->clip, .bound_clip = std::move(found->bound_clip)};
        reference.time = std::clamp(text.reference_time, 0.0, clip_of(scene_, reference).duration);
        if (reference.time == 0.0 && key == key_of(own)) return {};
        layers_.key += "=" + key + "@" + number_text(reference.time);
        layer.reference = std::move(reference);
        return {};
    }

    void add_key(const FoundClip& found, const LayerText& text, const MaskJoints& joints)
    {
        std::string& key = layers_.key;
        key += " " + key_of(found);
        if (text.time) key += "@" + number_text(*text.time);
        if (text.speed) key += "@x" + number_text(*text.speed);
        key += "*" + number_text(double{text.weight});
        for (const auto joint : joints.included)
            key += "~" + std::to_string(joint);
        for (const auto joint : joints.excluded)
            key += "~-" + std::to_string(joint);
        if (text.mode == LayerMode::additive) key += "!add";
    }

    const Scene& scene_;
    const FindClip& find_clip_;
    AnimationLayers layers_;
};

} // namespace

std::string triple_text(const glm::dvec3& values)
{
    return number_text(values.x) + "," + number_text(values.y) + "," + number_text(values.z);
}

std::expected<SharedLayers, AnimationTextError>
make_layers(const Scene& scene, const FoundClip& base, const AnimationTexts& texts, const FindClip& find_clip)
{
    LayersBuilder builder(scene, find_clip);
    builder.add_base(base);
    for (const std::string& text : texts.layers)
        if (auto wrong = builder.add_layer(text); !wrong.empty())
            return std::unexpected(AnimationTextError{"layer", std::move(wrong)});
    const auto adjust = [&](std::string_view kind, const std::vector<std::string>& all,
                            const auto& set) -> std::optional<AnimationTextError> {
        for (const std::string& text : all)
            if (auto wrong = builder.add_adjustment(kind, text, set); !wrong.empty())
                return AnimationTextError{kind, std::move(wrong)};
        return std::nullopt;
    };
    using Triple = const glm::dvec3&;
    if (auto error = adjust("turn", texts.turns, [](JointAdjustment& joint, Triple values) {
            joint.rotation = rotation_of_degrees(values);
        }))
        return std::unexpected(std::move(*error));
    if (auto error = adjust("move", texts.moves,
                            [](JointAdjustment& joint, Triple values) { joint.translation = values; }))
        return std::unexpected(std::move(*error));
    if (auto error = adjust("scale", texts.scales,
                            [](JointAdjustment& joint, Triple values) { joint.scale = values; }))
        return std::unexpected(std::move(*error));
    for (const std::string& text : texts.reaches)
        if (auto wrong = builder.add_reach(text); !wrong.empty())
            return std::unexpected(AnimationTextError{"reach", std::move(wrong)});
    return builder.take();
}

std::vector<std::uint8_t> mask_of(const Scene& scene, const std::vector<std::uint32_t>& joints,
                                  const std::vector<std::uint32_t>& excluded)
{
    const auto parents = file_parents(scene);
    std::vector<std::uint8_t> mask(scene.nodes.size(), 0);
    const auto is_in = [](const std::vector<std::uint32_t>& list, std::uint32_t node) {
        return std::ranges::find(list, node) != list.end();
    };
    // Parents precede their children among the file's nodes.
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node) {
        if (is_helper(scene.nodes[node])) continue;
        const bool above = parents[node] == none ? joints.empty() : mask[parents[node]] != 0;
        mask[node] = is_in(excluded, node) ? 0 : is_in(joints, node) ? 1 : above;
    }
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node)
        mask[node] = mask[file_node(scene, node)];
    return mask;
}

} // namespace vitrine::scene

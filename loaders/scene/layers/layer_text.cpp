#include "loaders/scene/layers/layer_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "loaders/base/parse_whole.hpp"
#include "loaders/scene/helper_nodes.hpp"
#include "loaders/scene/lookup.hpp"
#include "loaders/scene/motion/file_nodes.hpp"

namespace vitrine::scene {
namespace {

using LayerError = std::unexpected<std::string>;

constexpr std::string_view layer_marks = "@*~!";
constexpr double min_speed = 1e-3;      // unless 0, so that the animation ends
constexpr double max_layer_value = 1e6; // seconds, degrees, meters, factors

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

std::optional<double> read_number(std::string_view text)
{
    const auto value = parse_whole<double>(text);
    return value && std::abs(*value) <= max_layer_value ? value : std::nullopt;
}

// Reads one part of a layer, from its mark on. Returns what is wrong, or an empty text.
class LayerParser {
public:
    explicit LayerParser(std::string_view text) : text_(text) {}

    std::expected<LayerText, std::string> parse()
    {
        auto rest = text_;
        const auto name = take_until_mark(rest);
        if (name.empty()) return LayerError("the layer " + quoted(text_) + " names no clip");
        layer_.clip = name;
        while (!rest.empty()) {
            const char mark = rest.front();
            rest.remove_prefix(1);
            const auto value = take_until_mark(rest);
            if (const auto wrong = add(mark, value); !wrong.empty())
                return LayerError("the layer " + quoted(text_) + " " + wrong);
        }
        const bool overrides = layer_.mode == LayerMode::override;
        if (overrides && !(layer_.weight >= 0.0f && layer_.weight <= 1.0f))
            return LayerError("the layer " + quoted(text_) + " needs a weight from 0 to 1, or !add");
        return std::move(layer_);
    }

private:
    static std::string_view take_until_mark(std::string_view& rest)
    {
        const auto part = rest.substr(0, rest.find_first_of(layer_marks));
        rest.remove_prefix(part.size());
        return part;
    }

    std::string add(char mark, std::string_view value)
    {
        switch (mark) {
        case '@': return add_time(value);
        case '*': return add_weight(value);
        case '~':
            if (value.empty()) return "names no joint after ~";
            layer_.joints.emplace_back(value);
            return {};
        default: break;
        }
        if (value != "add") return "may end with !add, not with " + quoted("!" + std::string(value));
        layer_.mode = LayerMode::additive;
        return {};
    }

    std::string add_time(std::string_view value)
    {
        if (layer_.time || layer_.speed) return "has two times";
        const bool is_speed = value.starts_with('x');
        const auto number = read_number(value.substr(is_speed ? 1 : 0));
        if (!number) return "needs seconds, or x and a speed, after @";
        if (is_speed && *number != 0.0 && std::abs(*number) < min_speed) return "is too slow";
        (is_speed ? layer_.speed : layer_.time) = *number;
        return {};
    }

    std::string add_weight(std::string_view value)
    {
        if (has_weight_) return "has two weights";
        const auto number = read_number(value);
        if (!number || std::abs(*number) > max_additive_weight) return "needs a weight after *";
        has_weight_ = true;
        layer_.weight = static_cast<float>(*number);
        return {};
    }

    std::string_view text_;
    LayerText layer_;
    bool has_weight_ = false;
};

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
        layers_.key += " " + std::string(kind) + "=" + std::to_string(*joint) + ":";
        for (int i = 0; i < 3; ++i)
            layers_.key += (i == 0 ? "" : ",") + number_text(parsed->values[i]);
        return {};
    }

    SharedLayers take() { return std::make_shared<const AnimationLayers>(std::move(layers_)); }

private:
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

std::expected<LayerText, std::string> parse_layer(std::string_view text)
{
    return LayerParser(text).parse();
}

std::expected<JointText, std::string> parse_joint_values(std::string_view text)
{
    const auto colon = text.rfind(':');
    const auto wrong = [&] { return LayerError(quoted(text) + " is not JOINT:x,y,z"); };
    if (colon == std::string_view::npos || colon == 0) return wrong();
    JointText joint{.joint = std::string(text.substr(0, colon))};
    auto rest = text.substr(colon + 1);
    for (int i = 0; i < 3; ++i) {
        const auto part = rest.substr(0, rest.find(','));
        const auto value = read_number(part);
        const bool is_last = part.size() == rest.size();
        if (!value || is_last != (i == 2)) return wrong();
        joint.values[i] = *value;
        rest.remove_prefix(is_last ? part.size() : part.size() + 1);
    }
    return joint;
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

#include <algorithm>
#include <cmath>
#include <utility>

#include "loaders/base/parse_whole.hpp"
#include "loaders/scene/layers/attach.hpp"
#include "loaders/scene/layers/layer_text.hpp"

namespace vitrine::scene {
namespace {

using ParseError = std::unexpected<std::string>;

constexpr std::string_view layer_marks = "@*~!";
constexpr double min_speed = 1e-3;      // unless 0, so that the animation ends
constexpr double max_layer_value = 1e6; // seconds, degrees, meters, factors

std::string in_quotes(std::string_view text)
{
    return "'" + std::string(text) + "'";
}

std::optional<double> read_number(std::string_view text)
{
    const auto value = parse_whole<double>(text);
    return value && std::abs(*value) <= max_layer_value ? value : std::nullopt;
}

// x,y,z
std::optional<glm::dvec3> read_triple(std::string_view text)
{
    glm::dvec3 values(0.0);
    for (int i = 0; i < 3; ++i) {
        const auto part = text.substr(0, text.find(','));
        const auto value = read_number(part);
        const bool is_last = part.size() == text.size();
        if (!value || is_last != (i == 2)) return std::nullopt;
        values[i] = *value;
        text.remove_prefix(is_last ? part.size() : part.size() + 1);
    }
    return values;
}

// The third of five commas.
std::size_t middle_comma(std::string_view numbers)
{
    auto at = numbers.find(',');
    for (int i = 0; i < 2; ++i)
        at = numbers.find(',', at + 1);
    return at;
}

// Reads one part of a layer, from its mark on. Returns what is wrong, or an empty text.
class LayerParser {
public:
    explicit LayerParser(std::string_view text) : text_(text) {}

    std::expected<LayerText, std::string> parse()
    {
        auto rest = text_;
        const auto name = take_until_mark(rest);
        if (name.empty()) return ParseError("the layer " + in_quotes(text_) + " names no clip");
        layer_.clip = name;
        while (!rest.empty()) {
            const char mark = rest.front();
            rest.remove_prefix(1);
            const auto value = take_until_mark(rest);
            auto wrong = add(mark, value);
            if (wrong.empty() && mark == '!' && !layer_.reference.empty()) wrong = add_reference_time(rest);
            if (!wrong.empty()) return ParseError("the layer " + in_quotes(text_) + " " + wrong);
        }
        const bool overrides = layer_.mode == LayerMode::override;
        if (overrides && !(layer_.weight >= 0.0f && layer_.weight <= 1.0f))
            return ParseError("the layer " + in_quotes(text_) + " needs a weight from 0 to 1, or !add");
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
        return add_mode(value);
    }

    // add or add=REFERENCE
    std::string add_mode(std::string_view value)
    {
        constexpr std::string_view word = "add";
        const auto equals = value.find('=');
        if (value.substr(0, equals) != word)
            return "may end with !add or !add=CLIP, not with " + in_quotes("!" + std::string(value));
        if (std::exchange(layer_.mode, LayerMode::additive) == LayerMode::additive) return "has two modes";
        if (equals == std::string_view::npos) return {};
        layer_.reference = value.substr(equals + 1);
        return layer_.reference.empty() ? "names no clip after !add=" : "";
    }

    // The time right after a reference is the reference's.
    std::string add_reference_time(std::string_view& rest)
    {
        if (!rest.starts_with('@')) return {};
        rest.remove_prefix(1);
        const auto number = read_number(take_until_mark(rest));
        if (!number) return "needs seconds after the @ of its reference";
        layer_.reference_time = *number;
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

} // namespace

std::expected<LayerText, std::string> parse_layer(std::string_view text)
{
    return LayerParser(text).parse();
}

std::expected<JointText, std::string> parse_joint_values(std::string_view text)
{
    const auto colon = text.rfind(':');
    const bool has_name = colon != std::string_view::npos && colon > 0;
    const auto values = has_name ? read_triple(text.substr(colon + 1)) : std::nullopt;
    if (!values) return ParseError(in_quotes(text) + " is not JOINT:x,y,z");
    return JointText{std::string(text.substr(0, colon)), *values};
}

std::expected<ReachText, std::string> parse_reach(std::string_view text)
{
    const auto wrong = [&] {
        return ParseError(in_quotes(text) + " is not JOINT:x,y,z or JOINT:x,y,z~x,y,z");
    };
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0) return wrong();
    const auto points = text.substr(colon + 1);
    const auto tilde = points.find('~');
    const auto target = read_triple(points.substr(0, tilde));
    if (!target) return wrong();
    ReachText reach{.joint = std::string(text.substr(0, colon)), .target = *target};
    if (tilde == std::string_view::npos) return reach;
    reach.pole = read_triple(points.substr(tilde + 1));
    if (!reach.pole) return wrong();
    return reach;
}

std::expected<AttachText, std::string> parse_attach(std::string_view text)
{
    const auto wrong = [&] {
        return ParseError(in_quotes(text) + " is not ASSET@JOINT, with :x,y,z or :x,y,z,rx,ry,rz after it");
    };
    const auto at = text.rfind('@');
    if (at == std::string_view::npos || at == 0 || at + 1 == text.size()) return wrong();
    AttachText place{.asset = std::string(text.substr(0, at)), .joint = std::string(text.substr(at + 1))};
    const auto colon = place.joint.rfind(':');
    const std::string_view numbers =
        colon == std::string::npos ? std::string_view() : std::string_view(place.joint).substr(colon + 1);
    const auto commas = std::ranges::count(numbers, ',');
    if (commas == 0) return place; // a name may contain ':'
    const auto half = commas == 5 ? middle_comma(numbers) : std::string_view::npos;
    const auto offset = read_triple(numbers.substr(0, half));
    const auto degrees = half == std::string_view::npos ? std::optional(glm::dvec3(0.0))
                                                        : read_triple(numbers.substr(half + 1));
    if (!offset || !degrees || colon == 0) return wrong();
    place.offset = *offset;
    place.degrees = *degrees;
    place.joint.resize(colon);
    return place;
}

} // namespace vitrine::scene

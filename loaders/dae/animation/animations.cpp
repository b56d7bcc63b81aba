#include "loaders/dae/animation/animations.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "loaders/dae/animation/animation_target.hpp"
#include "loaders/dae/animation/driven_keys.hpp"
#include "loaders/dae/curves/curve_reader.hpp"
#include "loaders/dae/document/asset.hpp"
#include "loaders/dae/document/authoring_tool.hpp"
#include "loaders/dae/document/numbers.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::dae {
namespace {

constexpr std::size_t max_channel_bindings = 4096;

// Returns whether an element contains weights of a morph; animated arrays of a geometry, skin or animation
// are not supported.
bool holds_weights(io::XmlNode element)
{
    if (!element.is("source") && !element.is("float_array")) return false;
    for (io::XmlNode at = element.parent(); at.exists(); at = at.parent())
        if (at.is("geometry") || at.is("skin") || at.is("animation")) return false;
    return true;
}

void set_range(const std::vector<SamplerCurve>& curves, ClipRange& clip)
{
    bool any = false;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        if (!clip.plays[i]) continue;
        clip.start = any ? std::min(clip.start, curves[i].first()) : curves[i].first();
        clip.end = any ? std::max(clip.end, curves[i].last()) : curves[i].last();
        any = true;
    }
}

class AnimationsReader {
public:
    AnimationsReader(io::XmlNode root, Documents& documents, Sources& sources, io::Budget& budget)
        : root_(root), documents_(documents), sources_(sources), budget_(budget),
          curve_reader_(writes_relative_tangents(programs_of(root)), documents, sources, budget)
    {
    }

    LoadResult<Animations> read(const std::string& name)
    {
        for (io::XmlNode l = root_.child("library_animations"); l.exists();
             l = l.next("library_animations")) {
            if (auto done = read_below(l); !done) return std::unexpected(done.error());
            sources_.clear();
            curve_reader_.clear();
        }
        if (auto done = resolve_driven_curves(driven_, out_, documents_, budget_); !done)
            return std::unexpected(done.error());
        channels_below_[root_.key()] = {0, curve_at_.size()};
        if (auto done = read_clips(); !done) return std::unexpected(done.error());
        add_rest(name);
        return std::move(out_);
    }

private:
    // Animations may be nested. The depth of XML is limited.
    LoadResult<void> read_below(io::XmlNode parent)
    {
        const std::size_t first = curve_at_.size();
        for (const io::XmlNode child : parent) {
            if (child.is("animation"))
                if (auto done = read_below(child); !done) return done;
            if (child.is("channel"))
                if (auto done = read_channel(child); !done) return done;
        }
        channels_below_[parent.key()] = {first, curve_at_.size()};
        return {};
    }

    LoadResult<void> read_channel(io::XmlNode channel)
    {
        AnimationTarget target = parse_target(channel.attribute("target"));
        const io::XmlNode element = find_target(target, channel, documents_);
        const auto kind = element_kind(element.name());
        const bool weights = holds_weights(element);
        const bool shown = kind || weights;
        if (!shown) {
            // Targets of program-specific animations (visibility) often have no element.
            const bool known = element.exists() || documents_.find_id(channel, target.id).exists();
            const std::string what = io::shown(channel.attribute("target"));
            documents_.warn("unsupported_animation",
                            known
                                ? fmt::format("the animation of {} is not supported; it is ignored", what)
                                : fmt::format("an animation's target {} does not exist; it is ignored", what),
                            channel);
            if (!known) return {};
        }
        auto curve = read_curve(documents_.find(channel, channel.attribute("source")));
        if (!curve) return std::unexpected(curve.error());
        if (*curve == scene::none) return {};
        curve_at_.push_back(*curve);
        if (!shown) return {}; // its keys still contribute to a clip
        weights ? move_weights(target, element, *curve, channel)
                : move_element(target, element, *kind, *curve, channel);
        return {};
    }

    LoadResult<std::uint32_t> read_curve(io::XmlNode sampler)
    {
        const auto [known, is_new] = curves_.try_emplace(sampler.key(), scene::none);
        if (!is_new || !sampler.is("sampler")) return known->second;
        auto curve = curve_reader_.read(sampler);
        if (!curve) return std::unexpected(curve.error());
        if (curve->keys() == 0) {
            documents_.warn("empty_curve", "a curve has no keys; it is ignored", sampler);
            return known->second;
        }
        known->second = static_cast<std::uint32_t>(out_.curves.size());
        out_.curves.push_back(std::move(*curve));
        if (std::string driver = curve_reader_.driver_of(sampler); !driver.empty())
            driven_.push_back({known->second, sampler, std::move(driver)});
        return known->second;
    }

    // Limits the curves of one element; a hostile file may animate one element by a million curves.
    bool has_room(const std::vector<ChannelBinding>& channel_bindings, io::XmlNode element)
    {
        if (channel_bindings.size() < max_channel_bindings) return true;
        documents_.warn(
            "invalid_channel",
            fmt::format("an element has more than {} curves; the excess is ignored", max_channel_bindings),
            element);
        return false;
    }

    void selects_nothing(io::XmlNode channel)
    {
        documents_.warn(
            "invalid_channel",
            fmt::format("{} selects nothing of its element", io::shown(channel.attribute("target"))),
            channel);
    }

    // Returns the index of a single weight, or nullopt for all.
    std::optional<std::uint32_t> find_weight(const AnimationTarget& target, io::XmlNode element)
    {
        const auto index = static_cast<std::uint32_t>(target.indices[0]);
        const io::XmlNode source = element.is("source") ? element : element.parent();
        const io::XmlNode accessor = sources_.accessor_of(source);
        const auto weight = element.is("source") ? index : find_element(accessor, index);
        const std::uint64_t count = number_attribute(accessor, "count", scene::none);
        return weight && *weight < count ? weight : std::nullopt;
    }

    void move_weights(const AnimationTarget& target, io::XmlNode element, std::uint32_t curve,
                      io::XmlNode channel)
    {
        const bool all = target.indices[0] < 0;
        const auto weight = all ? 0u : find_weight(target, element);
        if (target.is_malformed || !weight) return selects_nothing(channel);
        const io::XmlNode array = sources_.array_of(element);
        std::vector<ChannelBinding>& channel_bindings = out_.by_element[array.key()];
        if (has_room(channel_bindings, array))
            channel_bindings.push_back(
                {.curve = curve, .first = *weight, .count = all ? out_.curves[curve].dimensions : 1});
    }

    void move_element(const AnimationTarget& target, io::XmlNode element, TransformKind kind,
                      std::uint32_t curve, io::XmlNode channel)
    {
        const Selection selection = select(target, kind, out_.curves[curve].dimensions);
        if (selection.count == 0) return selects_nothing(channel);
        std::vector<ChannelBinding>& channel_bindings = out_.by_element[element.key()];
        if (!has_room(channel_bindings, element)) return;
        const AssetSpace outer = documents_.space_of(element),
                         inner = documents_.space_of(channel, element, outer);
        if (inner == outer || kind != TransformKind::translate) {
            channel_bindings.push_back({.curve = curve, .first = selection.first, .count = selection.count});
            return;
        }
        // The axes are a signed permutation: each coordinate maps to one of the element's.
        const glm::dmat4 to_element = between(outer, inner);
        for (std::uint32_t i = 0; i < selection.count; ++i)
            for (glm::length_t row = 0; row < 3; ++row)
                if (const double f = to_element[static_cast<glm::length_t>(selection.first + i)][row];
                    f != 0.0)
                    channel_bindings.push_back({.curve = curve,
                                                .first = static_cast<std::uint32_t>(row),
                                                .count = 1,
                                                .first_dimension = i,
                                                .factor = f});
    }

    LoadResult<void> read_clips()
    {
        for (io::XmlNode l = root_.child("library_animation_clips"); l.exists();
             l = l.next("library_animation_clips"))
            for (io::XmlNode c = l.child("animation_clip"); c.exists(); c = c.next("animation_clip")) {
                if (out_.clips.size() >= budget_.limits().clips)
                    return io::limit_exceeded_error(documents_.where(c), "clips", budget_.limits().clips);
                if (auto taken = documents_.at(c, budget_.take_keys(curve_at_.size(), {})); !taken)
                    return taken;
                read_clip(c);
            }
        return {};
    }

    void read_clip(io::XmlNode node)
    {
        ClipRange clip;
        clip.name = io::to_utf8(node.has_attribute("name") ? node.attribute("name") : node.attribute("id"));
        if (clip.name.empty()) clip.name = fmt::format("clip {}", out_.clips.size() + 1);
        clip.plays.assign(out_.curves.size(), false);
        std::vector<Channels> played;
        for (io::XmlNode i = node.child("instance_animation"); i.exists(); i = i.next("instance_animation"))
            if (const auto known = channels_below_.find(documents_.find(i, i.attribute("url")).key());
                known != channels_below_.end())
                played.push_back(known->second);
        std::ranges::sort(played, {}, &Channels::first);
        std::size_t done = 0; // an animation may be named twice, or together with its children
        for (const Channels& channels : played)
            for (done = std::max(done, channels.first); done < channels.end; ++done)
                clip.plays[curve_at_[done]] = true;
        set_range(out_.curves, clip);
        // 0 when missing (the schema's default), whatever the time of the first key
        double value = 0.0;
        clip.start = NumberReader(node.attribute("start")).next(value) ? value : 0.0;
        // A missing end, or 0 as some programs write it, means the end of the animations.
        const bool has_end = NumberReader(node.attribute("end")).next(value) && value != 0.0;
        if (has_end && value > clip.start)
            clip.end = value;
        else if (has_end && value < clip.start)
            documents_.warn("invalid_clip", "a clip ends before it starts; it ends with its animations",
                            node);
        clip.end = std::max(clip.start, clip.end);
        if (std::ranges::find(clip.plays, true) != clip.plays.end())
            out_.clips.push_back(std::move(clip));
        else
            documents_.warn("invalid_clip", "a clip has no animations; it is ignored", node);
    }

    // Adds a clip with the curves that no clip plays.
    void add_rest(const std::string& name)
    {
        ClipRange rest{.name = name, .plays = std::vector<bool>(out_.curves.size(), true)};
        for (const ClipRange& clip : out_.clips)
            for (std::size_t i = 0; i < clip.plays.size(); ++i)
                if (clip.plays[i]) rest.plays[i] = false;
        if (std::ranges::find(rest.plays, true) == rest.plays.end()) return;
        set_range(out_.curves, rest);
        out_.clips.push_back(std::move(rest));
    }

    io::XmlNode root_;
    Documents& documents_;
    Sources& sources_;
    io::Budget& budget_;
    CurveReader curve_reader_;
    Animations out_;
    std::vector<DrivenCurve> driven_;
    // The channels of an animation and its children are consecutive.
    struct Channels {
        std::size_t first = 0, end = 0;
    };

    std::unordered_map<const void*, std::uint32_t> curves_;    // by sampler
    std::vector<std::uint32_t> curve_at_;                      // by channel, in document order
    std::unordered_map<const void*, Channels> channels_below_; // by animation, library or root
};

} // namespace

void Animations::clamp_ends()
{
    for (SamplerCurve& curve : curves)
        curve.before = curve.after = InfinityBehavior::constant;
}

void Animations::join_clips(const std::string& name)
{
    if (curves.empty()) return;
    ClipRange whole{.name = name, .plays = std::vector<bool>(curves.size(), true)};
    set_range(curves, whole);
    clips = {std::move(whole)};
}

LoadResult<Animations> read_animations(io::XmlNode root, const std::string& name, Documents& documents,
                                       Sources& sources, io::Budget& budget)
{
    return AnimationsReader(root, documents, sources, budget).read(name);
}

} // namespace vitrine::dae

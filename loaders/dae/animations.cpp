#include "loaders/dae/animations.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include <fmt/format.h>

#include "loaders/dae/asset.hpp"
#include "loaders/dae/numbers.hpp"
#include "loaders/dae/target.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/text_reader.hpp"

namespace vitrine::dae {
namespace {

// A matrix has 16 numbers; a curve over all weights of a morph has one a target.
constexpr std::uint32_t most_dimensions = 4096;
constexpr std::size_t most_movers = 4096;

// None: no word of the format, as the TCB of some programs.
std::optional<KeyKind> key_kind(std::string_view name)
{
    if (name == "LINEAR") return KeyKind::linear;
    if (name == "BEZIER") return KeyKind::bezier;
    if (name == "STEP" || name == "STEP_NEXT") return KeyKind::step;
    if (name == "HERMITE") return KeyKind::hermite;
    if (name == "CARDINAL") return KeyKind::cardinal;
    if (name == "BSPLINE") return KeyKind::bspline;
    return std::nullopt;
}

class CurveReader {
public:
    CurveReader(io::XmlNode sampler, Documents& documents, Sources& sources, io::Budget& budget)
        : sampler_(sampler), documents_(documents), sources_(sources), budget_(budget)
    {
    }

    // Without keys: nothing usable.
    LoadResult<Curve> read()
    {
        const auto input = floats("INPUT"), output = floats("OUTPUT");
        if (!input) return std::unexpected(input.error());
        if (!output) return std::unexpected(output.error());
        const std::uint32_t keys = std::min(input->count(), output->count());
        curve_.dimensions = std::min(output->components(), most_dimensions);
        if (keys == 0 || curve_.dimensions == 0) return Curve{};
        const std::uint64_t size = std::uint64_t{keys} * curve_.dimensions;
        if (auto taken = documents_.at(sampler_, budget_.take_keys(5 * size, {})); !taken)
            return std::unexpected(taken.error());
        const std::vector<std::uint32_t> order = order_of(*input, keys);
        for (const std::uint32_t key : order) {
            const double time{input->at(key, 0)};
            if (!curve_.times.empty() && curve_.times.back() == time)
                curve_.jumps.push_back(curve_.times.size());
            curve_.times.push_back(time);
            for (std::uint32_t d = 0; d < curve_.dimensions; ++d)
                curve_.values.push_back(double{output->at(key, d)});
        }
        read_kinds(order);
        if (auto read = read_tangents(order); !read) return std::unexpected(read.error());
        return std::move(curve_);
    }

private:
    io::XmlNode source(std::string_view semantic)
    {
        for (io::XmlNode in = sampler_.child("input"); in.exists(); in = in.next("input"))
            if (in.attribute("semantic") == semantic) return documents_.find(in, in.attribute("source"));
        return {};
    }
    LoadResult<FloatSource> floats(std::string_view semantic)
    {
        const io::XmlNode node = source(semantic);
        return node.exists() ? sources_.floats(node) : LoadResult<FloatSource>(FloatSource{});
    }

    // By time; of keys at one time the first and the last count, which make a jump.
    static std::vector<std::uint32_t> order_of(const FloatSource& input, std::uint32_t keys)
    {
        std::vector<std::uint32_t> order(keys);
        std::iota(order.begin(), order.end(), 0u);
        std::ranges::sort(order, {}, [&](std::uint32_t key) { return std::pair(input.at(key, 0), key); });
        std::vector<std::uint32_t> kept;
        const auto at_last = [&](std::size_t from_end, std::uint32_t key) {
            return kept.size() >= from_end && input.at(kept[kept.size() - from_end], 0) == input.at(key, 0);
        };
        for (const std::uint32_t key : order) {
            if (at_last(2, key)) kept.pop_back();
            kept.push_back(key);
        }
        return kept;
    }

    void read_kinds(const std::vector<std::uint32_t>& order)
    {
        const std::vector<std::string_view> names = sources_.names(source("INTERPOLATION"));
        std::string_view unknown;
        for (const std::uint32_t key : order) {
            const auto name = names.empty() ? "LINEAR" : names[std::min<std::size_t>(key, names.size() - 1)];
            const auto kind = key_kind(name);
            if (!kind && unknown.empty()) unknown = name;
            curve_.kinds.push_back(kind.value_or(KeyKind::linear));
        }
        if (!unknown.empty())
            documents_.warn(
                "unknown_interpolation",
                fmt::format("the interpolation {} is not known; LINEAR stands for it", io::shown(unknown)),
                sampler_);
    }

    // A value a dimension, or a point a dimension, or one time for all dimensions' values.
    LoadResult<void> read_tangents(const std::vector<std::uint32_t>& order)
    {
        const bool wanted = std::ranges::any_of(
            curve_.kinds, [](KeyKind kind) { return kind == KeyKind::bezier || kind == KeyKind::hermite; });
        if (!wanted) return {};
        const auto in = floats("IN_TANGENT"), out = floats("OUT_TANGENT");
        if (!in) return std::unexpected(in.error());
        if (!out) return std::unexpected(out.error());
        const std::uint32_t d = curve_.dimensions, width = out->components();
        const bool usable = in->components() == width && in->count() > order.back() &&
                            out->count() > order.back() && (width == d || width == 2 * d || width == d + 1);
        if (!usable) {
            documents_.warn("missing_tangents", "a curve without usable tangents is taken as linear",
                            sampler_);
            return {};
        }
        curve_.tangents = width == d ? Curve::Tangents::values : Curve::Tangents::points;
        for (const std::uint32_t key : order)
            for (std::uint32_t i = 0; i < d; ++i) {
                add_tangent(*in, key, i, curve_.in);
                add_tangent(*out, key, i, curve_.out);
            }
        return {};
    }

    void add_tangent(const FloatSource& from, std::uint32_t key, std::uint32_t i,
                     std::vector<double>& to) const
    {
        const bool shared_time = from.components() == curve_.dimensions + 1;
        if (curve_.tangents == Curve::Tangents::values) return to.push_back(double{from.at(key, i)});
        to.push_back(double{from.at(key, shared_time ? 0 : 2 * i)});
        to.push_back(double{from.at(key, shared_time ? i + 1 : 2 * i + 1)});
    }

    io::XmlNode sampler_;
    Documents& documents_;
    Sources& sources_;
    io::Budget& budget_;
    Curve curve_;
};

class AnimationsReader {
public:
    AnimationsReader(io::XmlNode root, Documents& documents, Sources& sources, io::Budget& budget)
        : root_(root), documents_(documents), sources_(sources), budget_(budget)
    {
    }

    LoadResult<Animations> read(const std::string& name)
    {
        for (io::XmlNode l = root_.child("library_animations"); l.exists();
             l = l.next("library_animations")) {
            if (auto done = read_below(l); !done) return std::unexpected(done.error());
            sources_.clear();
        }
        if (auto done = read_clips(); !done) return std::unexpected(done.error());
        add_rest(name);
        return std::move(out_);
    }

private:
    // Animations may hold animations. The depth of XML is limited.
    LoadResult<void> read_below(io::XmlNode parent)
    {
        for (const io::XmlNode child : parent) {
            if (child.is("animation"))
                if (auto done = read_below(child); !done) return done;
            if (child.is("channel"))
                if (auto done = read_channel(child); !done) return done;
        }
        return {};
    }

    LoadResult<void> read_channel(io::XmlNode channel)
    {
        const Target target = parse_target(channel.attribute("target"));
        const io::XmlNode element = find_target(target, channel, documents_);
        const auto kind = element_kind(element.name());
        const bool weights = element.is("source") || element.is("float_array");
        const bool shown = kind || weights;
        if (!shown) {
            // What programs animate in ways of their own (visibility) often has no element.
            const bool known = element.exists() || documents_.find_id(channel, target.id).exists();
            const std::string what = io::shown(channel.attribute("target"));
            documents_.warn("unsupported_animation",
                            known ? fmt::format("{} is animated, which is not shown", what)
                                  : fmt::format("nothing has the name {}, which is animated", what),
                            channel);
            if (!known) return {};
        }
        auto curve = curve_of(documents_.find(channel, channel.attribute("source")));
        if (!curve) return std::unexpected(curve.error());
        if (*curve == scene::none) return {};
        curve_at_.emplace_back(channel.parent(), *curve);
        if (!shown) return {}; // its keys still make a clip
        weights ? move_weights(target, sources_.array_of(element), *curve)
                : move_element(target, element, *kind, *curve, channel);
        return {};
    }

    LoadResult<std::uint32_t> curve_of(io::XmlNode sampler)
    {
        const auto [known, is_new] = curves_.try_emplace(sampler.key(), scene::none);
        if (!is_new || !sampler.is("sampler")) return known->second;
        auto curve = CurveReader(sampler, documents_, sources_, budget_).read();
        if (!curve) return std::unexpected(curve.error());
        if (curve->keys() == 0) {
            documents_.warn("empty_curve", "a curve without keys is left out", sampler);
            return known->second;
        }
        known->second = static_cast<std::uint32_t>(out_.curves.size());
        out_.curves.push_back(std::move(*curve));
        return known->second;
    }

    // A hostile file moves one element by a million curves.
    bool has_room(const std::vector<Mover>& movers, io::XmlNode element)
    {
        if (movers.size() < most_movers) return true;
        documents_.warn(
            "invalid_channel",
            fmt::format("of the curves that move one element all beyond {} are left out", most_movers),
            element);
        return false;
    }

    void move_weights(const Target& target, io::XmlNode array, std::uint32_t curve)
    {
        const std::uint32_t dimensions = out_.curves[curve].dimensions;
        const int index = target.indices[0];
        std::vector<Mover>& movers = out_.by_element[array.key()];
        if (has_room(movers, array))
            movers.push_back({.curve = curve,
                              .first = index < 0 ? 0 : static_cast<std::uint32_t>(index),
                              .count = index < 0 ? dimensions : 1});
    }

    void move_element(const Target& target, io::XmlNode element, ElementKind kind, std::uint32_t curve,
                      io::XmlNode channel)
    {
        const Selection selection = select(target, kind, out_.curves[curve].dimensions);
        if (selection.count == 0) {
            documents_.warn(
                "invalid_channel",
                fmt::format("{} selects nothing of its element", io::shown(channel.attribute("target"))),
                channel);
            return;
        }
        std::vector<Mover>& movers = out_.by_element[element.key()];
        if (!has_room(movers, element)) return;
        const Space outer = space_of(element), inner = space_of(channel, element, outer);
        if (inner == outer || kind != ElementKind::translate) {
            movers.push_back({.curve = curve, .first = selection.first, .count = selection.count});
            return;
        }
        // The axes are a signed permutation: each coordinate becomes one of the element's.
        const glm::dmat4 to_element = between(outer, inner);
        for (std::uint32_t i = 0; i < selection.count; ++i)
            for (glm::length_t row = 0; row < 3; ++row)
                if (const double f = to_element[static_cast<glm::length_t>(selection.first + i)][row];
                    f != 0.0)
                    movers.push_back({.curve = curve,
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
                    return io::over_limit(documents_.where(c), "clips", budget_.limits().clips);
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
        std::unordered_set<const void*> animations;
        for (io::XmlNode i = node.child("instance_animation"); i.exists(); i = i.next("instance_animation"))
            animations.insert(documents_.find(i, i.attribute("url")).key());
        for (const auto& [animation, curve] : curve_at_)
            for (io::XmlNode at = animation; at.exists(); at = at.parent())
                if (animations.contains(at.key())) clip.plays[curve] = true;
        set_range(clip);
        double value = 0.0;
        if (NumberReader(node.attribute("start")).next(value)) clip.start = value;
        // No end, or 0 as some write it, is that of the animations.
        if (NumberReader(node.attribute("end")).next(value) && value > clip.start) clip.end = value;
        clip.end = std::max(clip.start, clip.end);
        if (std::ranges::find(clip.plays, true) != clip.plays.end()) out_.clips.push_back(std::move(clip));
    }

    void set_range(ClipRange& clip) const
    {
        bool any = false;
        for (std::size_t i = 0; i < out_.curves.size(); ++i) {
            if (!clip.plays[i]) continue;
            const Curve& curve = out_.curves[i];
            clip.start = any ? std::min(clip.start, curve.first()) : curve.first();
            clip.end = any ? std::max(clip.end, curve.last()) : curve.last();
            any = true;
        }
    }

    // Curves that no clip plays.
    void add_rest(const std::string& name)
    {
        ClipRange rest{.name = name, .plays = std::vector<bool>(out_.curves.size(), true)};
        for (const ClipRange& clip : out_.clips)
            for (std::size_t i = 0; i < clip.plays.size(); ++i)
                if (clip.plays[i]) rest.plays[i] = false;
        if (std::ranges::find(rest.plays, true) == rest.plays.end()) return;
        set_range(rest);
        out_.clips.push_back(std::move(rest));
    }

    io::XmlNode root_;
    Documents& documents_;
    Sources& sources_;
    io::Budget& budget_;
    Animations out_;
    std::unordered_map<const void*, std::uint32_t> curves_;       // by sampler
    std::vector<std::pair<io::XmlNode, std::uint32_t>> curve_at_; // the animation that holds each channel
};

} // namespace

LoadResult<Animations> read_animations(io::XmlNode root, const std::string& name, Documents& documents,
                                       Sources& sources, io::Budget& budget)
{
    return AnimationsReader(root, documents, sources, budget).read(name);
}

} // namespace vitrine::dae

#include "loaders/dae/clips/clip_builder.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/dae/clips/weight_track.hpp"
#include "loaders/dae/curves/channel_writer.hpp"
#include "loaders/scene/motion/frame_rate.hpp"

namespace vitrine::dae {
namespace {

constexpr double rotation_slack = 1e-4; // tolerance in radians
constexpr double relative_slack = 1e-5; // tolerance, relative to the largest translation or scale
constexpr double weight_slack = 1e-4;
constexpr double rounding = 2e-6;
constexpr double max_degrees = 90.0; // maximum rotation between two keys
constexpr std::uint32_t max_pieces = 1024;
constexpr std::size_t typical_weight_count = 1024; // upper limit for one mesh of typical files

double angle_between(const glm::dquat& a, const glm::dquat& b)
{
    const glm::dquat d = glm::conjugate(a) * b;
    return 2.0 * std::atan2(glm::length(glm::dvec3(d.x, d.y, d.z)), std::abs(d.w));
}

double largest(const glm::dvec3& v)
{
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

// Returns angle_between(a, b) <= most without computing the angle, because it runs for every sample.
bool within_angle(const glm::dquat& a, const glm::dquat& b, double tangent_of_half)
{
    const glm::dquat d = glm::conjugate(a) * b;
    return glm::length(glm::dvec3(d.x, d.y, d.z)) <= tangent_of_half * std::abs(d.w);
}

glm::dquat slerp(const glm::dquat& a, glm::dquat b, double t)
{
    if (glm::dot(a, b) < 0.0) b = -b;
    return glm::normalize(glm::slerp(a, b, t));
}

// Returns whether two instances of one <node>, possibly below other axes or units, have the same animation.
bool move_alike(const NodeInstance& a, const NodeInstance& b, const scene::Scene& scene)
{
    const auto same_element = [](const Element& x, const Element& y) {
        return x.kind == y.kind && x.values == y.values && x.channel_bindings == y.channel_bindings;
    };
    if (a.shape->segments.size() != b.shape->segments.size() ||
        (a.shape != b.shape && !std::ranges::equal(a.shape->elements, b.shape->elements, same_element)))
        return false;
    for (std::size_t r = 0; r < a.shape->segments.size(); ++r) {
        const scene::Node &x = scene.nodes[a.first_link + r], &y = scene.nodes[b.first_link + r];
        const scene::Trs &p = x.local, &q = y.local;
        if (x.matrix || y.matrix || p.translation != q.translation || p.rotation != q.rotation ||
            p.scale != q.scale)
            return false;
    }
    return true;
}

bool morph_alike(const MorphedNode& a, const MorphedNode& b)
{
    const auto same = [](const MorphWeights& x, const MorphWeights& y) {
        return x.array == y.array && x.first == y.first && x.count == y.count && x.share == y.share;
    };
    return std::ranges::equal(a.weights, b.weights, same);
}

} // namespace

ClipBuilder::ClipBuilder(const Animations& animations, const ClipRange& range, Sampling& sampling,
                         io::Budget& budget, const scene::Scene& scene)
    : animations_(animations), range_(range), sampling_(sampling), budget_(budget), scene_(scene)
{
    clip_.name = range.name;
    clip_.start_time = range.start;
    clip_.duration = range.end - range.start;
}

LoadResult<void> ClipBuilder::add(const NodeInstance& instance)
{
    const auto known = instance_channels_.find(instance.dom.key());
    if (known != instance_channels_.end() && move_alike(*known->second.instance, instance, scene_)) {
        const InstanceChannels<NodeInstance> made = known->second;
        for (std::size_t i = made.first; i < made.first + made.count; ++i) {
            const std::uint32_t link = clip_.channels[i].node - made.instance->first_link;
            if (auto copied = copy(i, instance.first_link + link); !copied) return copied;
        }
        return {};
    }
    InstanceChannels<NodeInstance> made{.instance = &instance, .first = clip_.channels.size()};
    const NodeShape& shape = *instance.shape;
    for (std::size_t r = 0; r < shape.segments.size(); ++r) {
        if (!shape.segments[r].moves) continue;
        SegmentTrack motion(shape.segments[r], shape.elements, animations_, range_);
        if (!motion.moves()) continue;
        const auto node = static_cast<std::uint32_t>(instance.first_link + r);
        if (auto added = add_segment(motion, node); !added) return added;
    }
    made.count = clip_.channels.size() - made.first;
    instance_channels_.insert_or_assign(instance.dom.key(), made);
    return {};
}

LoadResult<void> ClipBuilder::add(const MorphedNode& morphed)
{
    const std::uint32_t mesh = scene_.nodes[morphed.node].mesh;
    const auto known = instance_weights_.find(mesh);
    if (known != instance_weights_.end() && morph_alike(*known->second.instance, morphed))
        return known->second.count == 0 ? LoadResult<void>() : copy(known->second.first, morphed.node);
    InstanceChannels<MorphedNode> made{.instance = &morphed, .first = clip_.channels.size()};
    if (auto added = add_weights(morphed); !added) return added;
    made.count = clip_.channels.size() - made.first;
    instance_weights_.insert_or_assign(mesh, made);
    return {};
}

LoadResult<void> ClipBuilder::copy(std::size_t channel, std::uint32_t node)
{
    scene::Channel copied = clip_.channels[channel];
    if (auto taken = budget_.take_keys(copied.times.size() + copied.values.size(), {}); !taken) return taken;
    copied.node = node;
    clip_.channels.push_back(std::move(copied));
    return {};
}

LoadResult<void> ClipBuilder::add_weights(const MorphedNode& morphed)
{
    WeightMotion motion(morphed, animations_, range_);
    if (!motion.moves()) return {};
    const scene::Mesh& mesh = scene_.meshes[scene_.nodes[morphed.node].mesh];
    if (mesh.morph_targets.empty()) return {};
    const std::vector<double> rest(mesh.morph_weights.begin(), mesh.morph_weights.end());
    if (auto taken = take_extended(motion); !taken) return taken;
    using Weights = std::vector<double>;
    const auto at = [&](double time, Side side) {
        Weights weights = rest;
        motion.apply(time, side, weights);
        return weights;
    };
    const auto differ = [](const Weights& a, const Weights& b) { return a != b; };
    const auto fits = [](const Weights& a, const Weights& b, double t, const Weights& value) {
        for (std::size_t i = 0; i < value.size(); ++i)
            if (std::abs((1.0 - t) * a[i] + t * b[i] - value[i]) > weight_slack) return false;
        return true;
    };
    const auto pieces = [](double, double) { return 1u; };
    CurveSampler<Weights, decltype(at), decltype(differ), decltype(fits), decltype(pieces)> sampler(
        at, differ, fits, pieces, motion.is_straight() || motion.only_steps(), room(rest.size()),
        1 + rest.size() / typical_weight_count, sampling_);
    ChannelWriter writer(morphed.node, scene::Path::weights, motion.only_steps(), range_.start);
    writer.set_extrapolation(motion.ends());
    auto keys = sampler.run(motion.times());
    if (sampling_.exhausted()) return {};
    if (needs_pose_time_key(motion)) {
        Weights weights = rest;
        motion.apply_beyond(*animations_.pose_time, weights);
        add_pose_time_key(weights, keys);
    }
    if (auto taken = budget_.take_keys((keys.size() + 1) * rest.size(), {}); !taken) return taken;
    for (const auto& [time, weights] : keys)
        writer.add(time, weights);
    clip_.channels.push_back(writer.take());
    return {};
}

bool ClipBuilder::rest()
{
    const auto node = std::ranges::find_if(scene_.nodes, [](const scene::Node& n) { return !n.matrix; });
    if (node == scene_.nodes.end()) return false;
    const glm::vec3& t = node->local.translation;
    ChannelWriter writer(static_cast<std::uint32_t>(node - scene_.nodes.begin()), scene::Path::translation,
                         false, range_.start);
    writer.add(range_.start, {t.x, t.y, t.z});
    clip_.channels.push_back(writer.take());
    return true;
}

LoadResult<scene::Clip> ClipBuilder::take()
{
    std::vector<scene::Channel> keys;
    for (std::size_t i = 0; i < animations_.curves.size(); ++i) {
        if (!range_.plays[i]) continue;
        const std::vector<double>& all = animations_.curves[i].times;
        const auto first = std::ranges::lower_bound(all, range_.start);
        const auto end = std::ranges::upper_bound(first, all.end(), range_.end);
        // Keys without effect count too; a hostile file has many clips with many of them.
        if (auto taken = budget_.take_keys(1 + static_cast<std::uint64_t>(end - first), {}); !taken)
            return std::unexpected(taken.error());
        if (first == end) continue;
        std::vector<float>& times = keys.emplace_back().times;
        for (auto time = first; time != end; ++time) {
            const auto t = static_cast<float>(*time - range_.start);
            const bool again = !times.empty() && times.back() == t; // a jump is not a frame of its own
            if (!again) times.push_back(t);
        }
    }
    clip_.frame_rate = scene::estimate_frame_rate(keys);
    clip_.frames = scene::count_frames(clip_);
    return std::move(clip_);
}

// Keys repeated inside the clip are more than the file has.
template <class Motion>
LoadResult<void> ClipBuilder::take_extended(const Motion& motion)
{
    if (!motion.is_extended()) return {};
    sampling_.set_ends_with_clip();
    if (!motion.is_complete()) sampling_.set_coarse();
    return budget_.take_keys(motion.times().size(), {});
}

template <class Motion>
bool ClipBuilder::needs_pose_time_key(const Motion& motion) const
{
    const std::optional<double>& pose_time = animations_.pose_time;
    return pose_time && !motion.ends() && (*pose_time < range_.start || *pose_time > range_.end);
}

template <class Value>
void ClipBuilder::add_pose_time_key(const Value& value, std::vector<Sampled<Value>>& keys) const
{
    const double pose_time = *animations_.pose_time;
    keys.insert(pose_time < range_.start ? keys.begin() : keys.end(), {pose_time, value});
}

LoadResult<void> ClipBuilder::add_segment(SegmentTrack& motion, std::uint32_t node)
{
    if (auto taken = take_extended(motion); !taken) return taken;
    // The cost of a typical node is covered by its keys.
    if (const std::uint64_t parts = motion.parts(); parts > SegmentTrack::typical_part_count)
        if (auto taken = budget_.take_keys(16 * parts * motion.times().size(), {}); !taken) return taken;
    double translation_size = 0.0, size = 0.0;
    for (const double time : motion.times()) {
        const DoubleTrs trs = motion.at(time, Side::after);
        translation_size = std::max(translation_size, largest(trs.translation));
        size = std::max(size, largest(trs.scale));
    }
    const bool steps = motion.only_steps();
    const double half_slack = std::tan(0.5 * rotation_slack);
    const auto at = [&](double time, Side side) { return motion.at(time, side); };
    // A real jump, not a rounding difference between the two sides of one value.
    const auto differ = [&](const DoubleTrs& a, const DoubleTrs& b) {
        return largest(a.translation - b.translation) > rounding * translation_size ||
               largest(a.scale - b.scale) > rounding * size ||
               angle_between(a.rotation, b.rotation) > rounding;
    };
    const auto fits = [&](const DoubleTrs& a, const DoubleTrs& b, double t, const DoubleTrs& value) {
        return largest(glm::mix(a.translation, b.translation, t) - value.translation) <=
                   relative_slack * translation_size &&
               largest(glm::mix(a.scale, b.scale, t) - value.scale) <= relative_slack * size &&
               within_angle(slerp(a.rotation, b.rotation, t), value.rotation, half_slack);
    };
    const auto pieces = [&](double from, double to) {
        const double count = steps ? 1.0 : std::ceil(motion.turning(from, to) / max_degrees - 1e-9);
        return static_cast<std::uint32_t>(std::clamp(count, 1.0, double{max_pieces}));
    };
    CurveSampler<DoubleTrs, decltype(at), decltype(differ), decltype(fits), decltype(pieces)> sampler(
        at, differ, fits, pieces, motion.is_straight() || steps, room(10),
        1 + motion.parts() / SegmentTrack::typical_part_count, sampling_);
    auto keys = sampler.run(motion.times());
    if (sampling_.exhausted()) return {}; // keys are incomplete or missing
    if (needs_pose_time_key(motion)) add_pose_time_key(motion.beyond(*animations_.pose_time), keys);
    if (auto taken = budget_.take_keys(keys.size() * 10, {}); !taken) return taken;
    write(keys, node, motion);
    return {};
}

// Constant properties get no channel; when everything is constant, the translation represents the existing
// keys.
void ClipBuilder::write(const std::vector<Sampled<DoubleTrs>>& keys, std::uint32_t node,
                        const SegmentTrack& motion)
{
    const bool steps = motion.only_steps();
    ChannelWriter t(node, scene::Path::translation, steps, range_.start);
    ChannelWriter r(node, scene::Path::rotation, steps, range_.start);
    ChannelWriter s(node, scene::Path::scale, steps, range_.start);
    for (ChannelWriter* writer : {&t, &r, &s})
        writer->set_extrapolation(motion.ends());
    for (const auto& [time, trs] : keys) {
        const glm::dquat q = glm::normalize(trs.rotation);
        t.add(time, {trs.translation.x, trs.translation.y, trs.translation.z});
        r.add(time, {q.x, q.y, q.z, q.w});
        s.add(time, {trs.scale.x, trs.scale.y, trs.scale.z});
    }
    const scene::Trs& rest = scene_.nodes[node].local;
    const bool turns =
        !r.is_constant_at({rest.rotation.x, rest.rotation.y, rest.rotation.z, rest.rotation.w});
    const bool scales = !s.is_constant_at({rest.scale.x, rest.scale.y, rest.scale.z});
    const bool goes = !t.is_constant_at({rest.translation.x, rest.translation.y, rest.translation.z});
    if (goes || (!turns && !scales)) clip_.channels.push_back(t.take());
    if (turns) clip_.channels.push_back(r.take());
    if (scales) clip_.channels.push_back(s.take());
}

} // namespace vitrine::dae

#include "loaders/dae/clips.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loaders/dae/channel_writer.hpp"
#include "loaders/dae/run_motion.hpp"
#include "loaders/dae/sampler.hpp"
#include "loaders/dae/weight_motion.hpp"
#include "loaders/scene/frame_rate.hpp"

namespace vitrine::dae {
namespace {

constexpr double rotation_slack = 1e-4; // radians
constexpr double relative_slack = 1e-5; // of the largest translation, scale
constexpr double weight_slack = 1e-4;
constexpr double rounding = 2e-6;
constexpr double most_degrees = 90.0; // that one pair of keys turns
constexpr std::uint32_t most_pieces = 1024;

double angle_between(const glm::dquat& a, const glm::dquat& b)
{
    const glm::dquat d = glm::conjugate(a) * b;
    return 2.0 * std::atan2(glm::length(glm::dvec3(d.x, d.y, d.z)), std::abs(d.w));
}

double largest(const glm::dvec3& v)
{
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

// angle_between(a, b) <= most, without its angle: this is asked for every value that is sampled.
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

class ClipBuilder {
public:
    ClipBuilder(const Animations& animations, const ClipRange& range, Sampling& sampling, io::Budget& budget,
                const scene::Scene& scene)
        : animations_(animations), range_(range), sampling_(sampling), budget_(budget), scene_(scene)
    {
        clip_.name = range.name;
        clip_.start_time = range.start;
        clip_.duration = range.end - range.start;
    }

    LoadResult<void> add(const NodeInstance& instance)
    {
        for (std::size_t r = 0; r < instance.runs.size(); ++r) {
            if (!instance.runs[r].moves) continue;
            RunMotion motion(instance.runs[r], instance.elements, animations_, range_);
            if (!motion.moves()) continue;
            const auto node = static_cast<std::uint32_t>(instance.first_link + r);
            if (auto added = add_run(motion, node); !added) return added;
        }
        return {};
    }

    LoadResult<void> add(const MorphedNode& morphed)
    {
        const WeightMotion motion(morphed, animations_, range_);
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
            sampling_);
        ChannelWriter writer(morphed.node, scene::Path::weights, motion.only_steps(), range_.start);
        writer.go_on(motion.ends());
        const auto keys = sampler.run(motion.times());
        if (sampling_.exhausted()) return {};
        if (auto taken = budget_.take_keys((keys.size() + 1) * rest.size(), {}); !taken) return taken;
        for (const auto& [time, weights] : keys)
            writer.add(time, weights);
        clip_.channels.push_back(writer.take());
        return {};
    }

    // A clip whose keys move nothing that is shown (colours, lights) is a clip all the same: a key at rest
    // says so. False: there is no node to rest.
    bool rest()
    {
        const auto node = std::ranges::find_if(scene_.nodes, [](const scene::Node& n) { return !n.matrix; });
        if (node == scene_.nodes.end()) return false;
        const glm::vec3& t = node->local.translation;
        ChannelWriter writer(static_cast<std::uint32_t>(node - scene_.nodes.begin()),
                             scene::Path::translation, false, range_.start);
        writer.add(range_.start, {t.x, t.y, t.z});
        clip_.channels.push_back(writer.take());
        return true;
    }

    bool empty() const { return clip_.channels.empty(); }
    // The file's own keys tell its frames.
    scene::Clip take()
    {
        std::vector<scene::Channel> keys;
        for (std::size_t i = 0; i < animations_.curves.size(); ++i) {
            if (!range_.plays[i]) continue;
            std::vector<float>& times = keys.emplace_back().times;
            for (const double time : animations_.curves[i].times) {
                const auto t = static_cast<float>(time - range_.start);
                const bool again = !times.empty() && times.back() == t; // a jump is no frame of its own
                if (time >= range_.start && time <= range_.end && !again) times.push_back(t);
            }
        }
        clip_.frame_rate = scene::guess_frame_rate(keys);
        clip_.frames = scene::count_frames(clip_);
        return std::move(clip_);
    }

private:
    // Keys that the limit leaves room for, one more than it allows.
    std::uint64_t room(std::uint64_t size) const { return budget_.limits().key_values / size + 2; }

    // Keys that come again inside the clip are more than the file has.
    template <class Motion>
    LoadResult<void> take_extended(const Motion& motion)
    {
        if (!motion.is_extended()) return {};
        sampling_.set_ends_with_clip();
        if (!motion.is_complete()) sampling_.set_coarse();
        return budget_.take_keys(motion.times().size(), {});
    }

    LoadResult<void> add_run(RunMotion& motion, std::uint32_t node)
    {
        if (auto taken = take_extended(motion); !taken) return taken;
        double way = 0.0, size = 0.0;
        for (const double time : motion.times()) {
            const DTrs trs = motion.at(time, Side::after);
            way = std::max(way, largest(trs.translation));
            size = std::max(size, largest(trs.scale));
        }
        const bool steps = motion.only_steps();
        const double half_slack = std::tan(0.5 * rotation_slack);
        const auto at = [&](double time, Side side) { return motion.at(time, side); };
        // A jump, and not what rounding makes of one value reached from two sides.
        const auto differ = [&](const DTrs& a, const DTrs& b) {
            return largest(a.translation - b.translation) > rounding * way ||
                   largest(a.scale - b.scale) > rounding * size ||
                   angle_between(a.rotation, b.rotation) > rounding;
        };
        const auto fits = [&](const DTrs& a, const DTrs& b, double t, const DTrs& value) {
            return largest(glm::mix(a.translation, b.translation, t) - value.translation) <=
                       relative_slack * way &&
                   largest(glm::mix(a.scale, b.scale, t) - value.scale) <= relative_slack * size &&
                   within_angle(slerp(a.rotation, b.rotation, t), value.rotation, half_slack);
        };
        const auto pieces = [&](double from, double to) {
            const double count = steps ? 1.0 : std::ceil(motion.turning(from, to) / most_degrees - 1e-9);
            return static_cast<std::uint32_t>(std::clamp(count, 1.0, double{most_pieces}));
        };
        CurveSampler<DTrs, decltype(at), decltype(differ), decltype(fits), decltype(pieces)> sampler(
            at, differ, fits, pieces, motion.is_straight() || steps, room(10), sampling_);
        const auto keys = sampler.run(motion.times());
        if (sampling_.exhausted()) return {}; // some are missing, or all of them
        if (auto taken = budget_.take_keys(keys.size() * 10, {}); !taken) return taken;
        write(keys, node, motion);
        return {};
    }

    // Properties that rest have no channel; where nothing moves at all, the translation tells that there were
    // keys.
    void write(const std::vector<Sampled<DTrs>>& keys, std::uint32_t node, const RunMotion& motion)
    {
        const bool steps = motion.only_steps();
        ChannelWriter t(node, scene::Path::translation, steps, range_.start);
        ChannelWriter r(node, scene::Path::rotation, steps, range_.start);
        ChannelWriter s(node, scene::Path::scale, steps, range_.start);
        for (ChannelWriter* writer : {&t, &r, &s})
            writer->go_on(motion.ends());
        for (const auto& [time, trs] : keys) {
            const glm::dquat q = glm::normalize(trs.rotation);
            t.add(time, {trs.translation.x, trs.translation.y, trs.translation.z});
            r.add(time, {q.x, q.y, q.z, q.w});
            s.add(time, {trs.scale.x, trs.scale.y, trs.scale.z});
        }
        const scene::Trs& rest = scene_.nodes[node].local;
        const bool turns = !r.holds({rest.rotation.x, rest.rotation.y, rest.rotation.z, rest.rotation.w});
        const bool scales = !s.holds({rest.scale.x, rest.scale.y, rest.scale.z});
        const bool goes = !t.holds({rest.translation.x, rest.translation.y, rest.translation.z});
        if (goes || (!turns && !scales)) clip_.channels.push_back(t.take());
        if (turns) clip_.channels.push_back(r.take());
        if (scales) clip_.channels.push_back(s.take());
    }

    const Animations& animations_;
    const ClipRange& range_;
    Sampling& sampling_;
    io::Budget& budget_;
    const scene::Scene& scene_;
    scene::Clip clip_;
};

using Instances = std::vector<const NodeInstance*>;

Instances list_moving(const NodeTree& tree)
{
    Instances moving;
    for (const NodeInstance& instance : tree.instances())
        if (std::ranges::any_of(instance.runs, &Run::moves)) moving.push_back(&instance);
    return moving;
}

std::uint64_t count_keys(const Animations& animations)
{
    std::uint64_t keys = 0;
    for (const Curve& curve : animations.curves)
        keys += curve.keys();
    return keys;
}

// Between keys of the file, of all that is sampled for clips.
std::uint64_t count_intervals(const Animations& animations, const Instances& moving,
                              const std::vector<MorphedNode>& morphed)
{
    constexpr std::uint64_t enough = 1u << 26; // more than anything can afford: repetitions have no end
    std::uint64_t intervals = 0;
    for (const ClipRange& range : animations.clips) {
        for (const NodeInstance* instance : moving)
            for (const Run& run : instance->runs)
                if (run.moves)
                    intervals += RunMotion(run, instance->elements, animations, range).times().size();
        for (const MorphedNode& node : morphed)
            intervals += WeightMotion(node, animations, range).times().size();
        if (intervals > enough) break;
    }
    return intervals;
}

// Once the sampling is exhausted what comes is of no use.
LoadResult<std::vector<scene::Clip>> make_clips(const Animations& animations, const Instances& moving,
                                                const std::vector<MorphedNode>& morphed, Sampling& sampling,
                                                io::Budget budget, const scene::Scene& scene)
{
    std::vector<scene::Clip> clips;
    for (const ClipRange& range : animations.clips) {
        // Looking costs time too, and a hostile file has many clips of many nodes.
        if (auto taken = budget.take_keys(16 * moving.size(), {}); !taken)
            return std::unexpected(taken.error());
        ClipBuilder builder(animations, range, sampling, budget, scene);
        for (const NodeInstance* instance : moving) {
            if (sampling.exhausted()) return clips;
            if (auto added = builder.add(*instance); !added) return std::unexpected(added.error());
        }
        for (const MorphedNode& node : morphed) {
            if (sampling.exhausted()) return clips;
            if (auto added = builder.add(node); !added) return std::unexpected(added.error());
        }
        if (!builder.empty() || builder.rest()) clips.push_back(builder.take());
    }
    return clips;
}

} // namespace

LoadResult<void> add_clips(const Animations& animations, const NodeTree& tree,
                           const std::vector<MorphedNode>& morphed, const io::Budget& budget,
                           io::WarningLog& warnings, scene::Scene& scene)
{
    const Instances moving = list_moving(tree);
    Sampling sampling(count_keys(animations));
    auto clips = make_clips(animations, moving, morphed, sampling, budget, scene);
    if (clips && sampling.exhausted()) {
        // Every clip looks at every node that moves, twice: in counting and in sampling.
        io::Budget looks = budget;
        if (auto taken = looks.take_keys(64 * moving.size() * animations.clips.size(), {}); !taken)
            return taken;
        clips->clear();
        sampling.make_even(count_intervals(animations, moving, morphed));
        clips = make_clips(animations, moving, morphed, sampling, budget, scene);
    }
    if (!clips) return std::unexpected(clips.error());
    if (sampling.coarse())
        warnings.add(
            "animation_coarse",
            "the motion is too intricate to be kept exactly: between its keys it is taken at even steps",
            "library_animations");
    if (clips->size() < animations.clips.size())
        warnings.add("empty_clip",
                     fmt::format("{} clips move nothing that is shown, and are left out",
                                 animations.clips.size() - clips->size()),
                     "library_animations");
    if (sampling.ends_with_clip())
        warnings.add("extrapolation_sampled",
                     "what some curves do outside their keys is kept as far as their clip reaches; beyond it "
                     "the motion stands still",
                     "library_animations");
    scene.clips = std::move(*clips);
    return {};
}

} // namespace vitrine::dae

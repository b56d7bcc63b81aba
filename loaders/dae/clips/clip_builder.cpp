#include "loaders/dae/clips/clips.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/dae/clips/channel_writer.hpp"
#include "loaders/dae/clips/tracks.hpp"
#include "loaders/scene/motion/frame_rate.hpp"

namespace vitrine::dae {
namespace {

// Returns whether two instances of one <node>, possibly below other axes or units, have the same animation.
bool move_alike(const NodeInstance& a, const NodeInstance& b, const scene::Scene& scene)
{
    const auto same_element = [](const TransformElement& x, const TransformElement& y) {
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
        return x.array == y.array && x.first == y.first && x.count == y.count && x.factor == y.factor;
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
        auto& times = keys.emplace_back().times;
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

} // namespace vitrine::dae

#include "loaders/scene/layers/bake_motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "loaders/base/stop.hpp"
#include "loaders/scene/motion/frame_rate.hpp"

namespace vitrine::scene {
namespace {

// Frames of the motion, and their times in seconds from its start.
struct BakedTimes {
    double duration = 0.0;
    double rate = 0.0;
    std::size_t count = 1;

    double of(std::size_t frame) const
    {
        return frame > 0 && frame + 1 == count ? duration : static_cast<double>(frame) / rate;
    }
};

// Keys are floats, and durations are sums of rounded times: the frame before the last one is so early that
// both times differ as floats.
void choose_frames(BakedTimes& times)
{
    if (!(times.duration > 0.0)) return;
    const auto end = static_cast<float>(times.duration);
    const double spacing = static_cast<double>(end) - static_cast<double>(std::nextafter(end, 0.0f));
    times.rate = std::min(times.rate, 0.25 / spacing);
    const double min_last_step = std::max(1e-3, 2.0 * spacing * times.rate); // of a frame
    const double frames = std::ceil(times.duration * times.rate - min_last_step);
    times.count = 1 + static_cast<std::size_t>(std::clamp(frames, 1.0, double{max_baked_values}));
}

BakedTimes times_of(const Scene& scene, const AnimationLayers& layers)
{
    BakedTimes times{.duration = duration_of(scene, layers), .rate = 30.0};
    for (const PoseLayer& layer : layers.layers) {
        if (layer.time || layer.speed == 0.0) continue;
        times.rate = frame_rate_or_default(clip_of(scene, layer));
        break;
    }
    choose_frames(times);
    return times;
}

// The values of one property over all frames.
struct RecordedTrack {
    std::uint32_t node;
    Path path;
    std::size_t size; // floats of a frame
    std::vector<float> values;

    bool is_constant() const
    {
        for (std::size_t i = size; i < values.size(); ++i)
            if (values[i] != values[i - size]) return false;
        return true;
    }
};

float frame_of(const FrameBlend& blend)
{
    if (blend.over_weight > 0.5f)
        return static_cast<float>(blend.over_fraction < 0.5f ? blend.over_from : blend.over_to);
    return static_cast<float>(blend.fraction < 0.5f ? blend.from : blend.to);
}

void append_transform(const Trs& local, std::span<RecordedTrack> three)
{
    const auto& [t, r, s] = local;
    three[0].values.insert(three[0].values.end(), {t.x, t.y, t.z});
    three[1].values.insert(three[1].values.end(), {r.x, r.y, r.z, r.w});
    three[2].values.insert(three[2].values.end(), {s.x, s.y, s.z});
}

class MotionRecorder {
public:
    MotionRecorder(Scene& scene, const BakedTimes& times) : scene_(scene), times_(times) {}

    void record(const AnimationLayers& layers)
    {
        LayerSampler sampler;
        Pose pose;
        for (std::size_t frame = 0; frame < times_.count; ++frame) {
            check_stop();
            sampler.sample(scene_, layers, times_.of(frame), pose);
            for (const NodeMatrix& changed : pose.matrices)
                pose.local[changed.node] = decompose(changed.matrix);
            if (frame == 0) add_tracks(pose);
            append(pose);
        }
    }

    // Moves what was recorded into the scene.
    void store()
    {
        Clip clip{.name = "layers",
                  .duration = times_.duration,
                  .frame_rate = times_.rate,
                  .frames = static_cast<std::uint32_t>(times_.count),
                  .channels = {}};
        for (RecordedTrack& track : tracks_)
            if (!set_static(track)) clip.channels.push_back(channel_of(track));
        scene_.clips.clear();
        if (!clip.channels.empty()) scene_.clips.push_back(std::move(clip));
    }

private:
    // Nodes whose matrix no layer changes keep it. A matrix is changed in all frames or in none.
    void add_tracks(const Pose& pose)
    {
        for (const NodeMatrix& changed : pose.matrices)
            scene_.nodes[changed.node].matrix.reset();
        for (std::uint32_t node = 0; node < scene_.nodes.size(); ++node) {
            if (!scene_.nodes[node].matrix) {
                tracks_.push_back({node, Path::translation, 3, {}});
                tracks_.push_back({node, Path::rotation, 4, {}});
                tracks_.push_back({node, Path::scale, 3, {}});
            }
            const auto weights = pose.first_weight[node + 1] - pose.first_weight[node];
            if (weights > 0) tracks_.push_back({node, Path::weights, weights, {}});
            const auto mesh = scene_.nodes[node].mesh;
            if (mesh != none && scene_.meshes[mesh].frames.count > 0)
                tracks_.push_back({node, Path::vertex_frame, 1, {}});
        }
    }

    void append(const Pose& pose)
    {
        for (std::size_t i = 0; i < tracks_.size(); ++i) {
            RecordedTrack& track = tracks_[i];
            if (track.path == Path::translation) {
                append_transform(pose.local[track.node], std::span(tracks_).subspan(i, 3));
            } else if (track.path == Path::weights) {
                const auto first = pose.morph_weights.begin() + pose.first_weight[track.node];
                track.values.insert(track.values.end(), first,
                                    first + static_cast<std::ptrdiff_t>(track.size));
            } else if (track.path == Path::vertex_frame) {
                track.values.push_back(frame_of(pose.vertex_frame[track.node]));
            }
        }
    }

    // Returns false for values that the static pose cannot have.
    bool set_static(const RecordedTrack& track)
    {
        if (!track.is_constant()) return false;
        Node& node = scene_.nodes[track.node];
        const auto& v = track.values;
        switch (track.path) {
        case Path::translation: node.local.translation = {v[0], v[1], v[2]}; return true;
        case Path::rotation: node.local.rotation = glm::quat(v[3], v[0], v[1], v[2]); return true;
        case Path::scale: node.local.scale = {v[0], v[1], v[2]}; return true;
        case Path::weights:
            node.morph_weights.assign(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(track.size));
            return true;
        case Path::vertex_frame: break;
        }
        return v[0] == 0.0f; // the static pose shows frame 0
    }

    Channel channel_of(RecordedTrack& track) const
    {
        Channel channel{.node = track.node, .path = track.path};
        const bool constant = track.is_constant();
        std::vector<float> times;
        for (std::size_t frame = 0; frame < (constant ? 1 : times_.count); ++frame)
            times.push_back(static_cast<float>(times_.of(frame)));
        if (constant) track.values.resize(track.size);
        channel.times = std::move(times);
        channel.values = std::move(track.values);
        return channel;
    }

    Scene& scene_;
    const BakedTimes times_;
    std::vector<RecordedTrack> tracks_;
};

} // namespace

std::expected<void, std::string> bake_motion(Scene& scene, const AnimationLayers& layers)
{
    const auto times = times_of(scene, layers);
    std::size_t values = scene.nodes.size();
    for (const Node& node : scene.nodes)
        if (node.mesh != none) values += scene.meshes[node.mesh].morph_targets.size();
    if (times.count > max_baked_values / std::max<std::size_t>(values, 1))
        return std::unexpected("the motion has " + std::to_string(times.count) +
                               " frames, too many for a model of this size");
    MotionRecorder recorder(scene, times);
    recorder.record(layers);
    recorder.store();
    return {};
}

} // namespace vitrine::scene

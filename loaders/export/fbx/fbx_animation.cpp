#include "loaders/export/fbx/fbx_objects.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "loaders/scene/motion/frame_rate.hpp"
#include "loaders/scene/motion/node_sampler.hpp"

namespace vitrine::exporting {
namespace {

constexpr double ticks_per_second = 46'186'158'000.0;
constexpr double degrees = 180.0 / std::numbers::pi;
// Keys between two frames, because Euler angles interpolate linearly where slerp follows an arc.
constexpr int keys_per_frame = 8;

std::int64_t ticks(double seconds)
{
    return std::llround(seconds * ticks_per_second);
}

// Returns the equivalent angles closest to the previous ones.
glm::dvec3 nearest(glm::dvec3 angles, const glm::dvec3& before)
{
    const auto wrap = [&](glm::dvec3 a) {
        for (glm::length_t c = 0; c < 3; ++c)
            a[c] += 360.0 * std::round((before[c] - a[c]) / 360.0);
        return a;
    };
    const glm::dvec3 one = wrap(angles), other = wrap({angles.x + 180.0, 180.0 - angles.y, angles.z + 180.0});
    return glm::distance(one, before) <= glm::distance(other, before) ? one : other;
}

class ClipWriter {
public:
    ClipWriter(const scene::Scene& scene, std::uint32_t clip, FbxObjects& objects)
        : scene_(scene), clip_(scene.clips[clip]), index_(clip), objects_(objects)
    {
    }

    void run(const FbxIds& ids)
    {
        write_stack();
        sample_times();
        for (const scene::Channel& channel : clip_.channels) {
            if (channel.path == scene::Path::weights)
                write_weights(channel.node, ids.channels[channel.node]);
            else if (channel.path != scene::Path::vertex_frame)
                write_transform(channel.node, channel.path, ids.models[channel.node]);
        }
    }

private:
    void write_stack()
    {
        std::int64_t stack = 0;
        FbxElement& element = objects_.add("AnimationStack", "AnimStack::" + clip_.name, "", stack);
        FbxElement& properties = element.add("Properties70");
        const std::int64_t start = ticks(clip_.start_time), stop = ticks(clip_.start_time + clip_.duration);
        properties.property("LocalStart", "KTime", "Time", "", {start});
        properties.property("LocalStop", "KTime", "Time", "", {stop});
        properties.property("ReferenceStart", "KTime", "Time", "", {start});
        properties.property("ReferenceStop", "KTime", "Time", "", {stop});
        objects_.add("AnimationLayer", "AnimLayer::BaseLayer", "", layer_);
        objects_.connect(layer_, stack);
    }

    // Samples evenly over the clip, and at every key.
    void sample_times()
    {
        const double rate = scene::frame_rate_or_default(clip_);
        const auto steps = static_cast<int>(std::min(std::ceil(clip_.duration * rate) * keys_per_frame, 1e6));
        for (int i = 0; i <= steps; ++i)
            times_.push_back(steps > 0 ? clip_.duration * i / steps : 0.0);
        for (const scene::Channel& channel : clip_.channels)
            for (const float time : channel.times)
                times_.push_back(std::clamp(double{time}, 0.0, clip_.duration));
        std::ranges::sort(times_);
        const auto same = [](double a, double b) { return b - a < 1e-6; };
        times_.erase(std::ranges::unique(times_, same).begin(), times_.end());
    }

    void write_curve(const std::vector<double>& values, std::int64_t node, std::string_view component)
    {
        std::int64_t id = 0;
        FbxElement& curve = objects_.add("AnimationCurve", "AnimCurve::", "", id);
        std::vector<std::int64_t> key_times;
        std::vector<float> key_values;
        for (std::size_t i = 0; i < times_.size(); ++i) {
            const bool in_line =
                i > 0 && i + 1 < times_.size() && values[i] == values[i - 1] && values[i] == values[i + 1];
            if (in_line) continue;
            key_times.push_back(ticks(clip_.start_time + times_[i]));
            key_values.push_back(static_cast<float>(values[i]));
        }
        const auto count = static_cast<std::int32_t>(key_times.size());
        curve.add("Default", {values.front()});
        curve.add("KeyVer", {std::int32_t{4008}});
        curve.add("KeyTime", {std::move(key_times)});
        curve.add("KeyValueFloat", {std::move(key_values)});
        curve.add("KeyAttrFlags", {std::vector<std::int32_t>{4}}); // linear
        curve.add("KeyAttrDataFloat", {std::vector<float>(4, 0.0f)});
        curve.add("KeyAttrRefCount", {std::vector<std::int32_t>{count}});
        objects_.connect(id, node, component);
    }

    std::int64_t write_node(std::string_view name, std::int64_t target, std::string_view property)
    {
        std::int64_t id = 0;
        objects_.add("AnimationCurveNode", "AnimCurveNode::" + std::string(name), "", id);
        objects_.connect(id, layer_);
        objects_.connect(id, target, property);
        return id;
    }

    static glm::dvec3 value_of(const scene::Trs& local, scene::Path path)
    {
        if (path == scene::Path::translation) return local.translation;
        return path == scene::Path::scale ? glm::dvec3(local.scale) : fbx_euler(local.rotation);
    }

    void write_transform(std::uint32_t node, scene::Path path, std::int64_t model)
    {
        std::array<std::vector<double>, 3> values;
        glm::dvec3 before = value_of(scene_.nodes[node].local, path);
        const scene::NodeSampler sampler(scene_, index_, node);
        for (const double time : times_) {
            glm::dvec3 value = value_of(sampler.local_at(time), path);
            if (path == scene::Path::rotation) value = nearest(value, before);
            before = value;
            for (std::size_t c = 0; c < 3; ++c)
                values[c].push_back(value[static_cast<glm::length_t>(c)]);
        }
        const bool moves = path == scene::Path::translation, turns = path == scene::Path::rotation;
        const std::int64_t curve_node = write_node(moves   ? "T"
                                                   : turns ? "R"
                                                           : "S",
                                                   model,
                                                   moves   ? "Lcl Translation"
                                                   : turns ? "Lcl Rotation"
                                                           : "Lcl Scaling");
        constexpr std::array<std::string_view, 3> components{"d|X", "d|Y", "d|Z"};
        for (std::size_t c = 0; c < 3; ++c)
            write_curve(values[c], curve_node, components[c]);
    }

    void write_weights(std::uint32_t node, const std::vector<std::int64_t>& channels)
    {
        std::vector<std::vector<double>> values(channels.size());
        scene::NodeSampler sampler(scene_, index_, node);
        for (const double time : times_) {
            const auto weights = sampler.weights_at(time);
            for (std::size_t t = 0; t < channels.size(); ++t)
                values[t].push_back(100.0 * double{weights[t]});
        }
        for (std::size_t t = 0; t < channels.size(); ++t)
            write_curve(values[t], write_node("DeformPercent", channels[t], "DeformPercent"),
                        "d|DeformPercent");
    }

    const scene::Scene& scene_;
    const scene::Clip& clip_;
    std::uint32_t index_;
    FbxObjects& objects_;
    std::int64_t layer_ = 0;
    std::vector<double> times_;
};

} // namespace

glm::dvec3 fbx_euler(const glm::quat& rotation)
{
    const glm::dmat3 m = glm::mat3_cast(glm::normalize(glm::dquat(rotation)));
    const double sine = std::clamp(-m[0][2], -1.0, 1.0);
    if (std::abs(sine) > 0.9999999) // x and z rotate about one axis: x gets the whole angle
        return {degrees * std::atan2(-m[2][1], m[1][1]), degrees * std::asin(sine), 0.0};
    return {degrees * std::atan2(m[1][2], m[2][2]), degrees * std::asin(sine),
            degrees * std::atan2(m[0][1], m[0][0])};
}

void write_fbx_clips(const scene::Scene& scene, const FbxIds& ids, FbxObjects& objects)
{
    for (std::uint32_t clip = 0; clip < scene.clips.size(); ++clip)
        ClipWriter(scene, clip, objects).run(ids);
}

} // namespace vitrine::exporting

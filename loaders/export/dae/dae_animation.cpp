#include "loaders/export/dae/dae_libraries.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/base/sort_unique.hpp"
#include "loaders/export/dae/dae_text.hpp"
#include "loaders/scene/motion/node_sampler.hpp"
#include "loaders/scene/motion/pose.hpp"

namespace vitrine::exporting {
namespace {

constexpr double samples_per_second = 120.0; // for cubic keys

class ClipWriter {
public:
    ClipWriter(const scene::Scene& scene, DaeText& out) : scene_(scene), out_(out) {}

    void write_animations()
    {
        for (std::uint32_t c = 0; c < scene_.clips.size(); ++c)
            for (std::uint32_t n = 0; n < scene_.nodes.size(); ++n) {
                bool steps = true;
                if (const auto times = key_times(scene_.clips[c], n, false, steps); !times.empty())
                    write_motion(c, n, times, steps);
                if (const auto times = key_times(scene_.clips[c], n, true, steps); !times.empty())
                    write_morphing(c, n, times, steps);
            }
    }

    void write_clips()
    {
        for (std::uint32_t c = 0; c < scene_.clips.size(); ++c) {
            const scene::Clip& clip = scene_.clips[c];
            out_.line("<animation_clip id=\"clip-{}\" name=\"{}\" start=\"{}\" end=\"{}\">", c,
                      escaped(clip.name), clip.start_time, clip.start_time + clip.duration);
            for (const auto& [owner, id] : animations_)
                if (owner == c) out_.line("<instance_animation url=\"#{}\"/>", id);
            out_.line("</animation_clip>");
        }
    }

private:
    // Returns times on the file's time line at which a clip's channels of these paths have keys; for cubic
    // channels at additional times.
    std::vector<float> key_times(const scene::Clip& clip, std::uint32_t node, bool weights, bool& steps) const
    {
        std::vector<float> times;
        steps = true;
        for (const scene::Channel& channel : clip.channels) {
            if (channel.node != node || (channel.path == scene::Path::weights) != weights) continue;
            times.insert(times.end(), channel.times.begin(), channel.times.end());
            steps &= channel.interpolation == scene::Interpolation::step;
            if (channel.interpolation != scene::Interpolation::cubic) continue;
            const double first = channel.times.front();
            const auto samples = static_cast<std::size_t>(
                std::ceil((double{channel.times.back()} - first) * samples_per_second));
            for (std::size_t i = 0; i < samples; ++i)
                times.push_back(static_cast<float>(first + static_cast<double>(i) / samples_per_second));
        }
        sort_unique(times);
        return times;
    }

    void write_sampler(const std::string& id, std::uint32_t clip, std::vector<float> times, bool steps,
                       const std::vector<float>& values, std::size_t width, const std::string& target)
    {
        const auto start = static_cast<float>(scene_.clips[clip].start_time);
        for (float& t : times)
            t += start;
        out_.line("<animation id=\"{}\">", id);
        out_.source(id + "-times", times, 1, "TIME");
        out_.source(id + "-values", values, width, width == 1 ? "MORPH_WEIGHT" : "TRANSFORM",
                    width == 1 ? "float" : "float4x4");
        out_.words(id + "-kinds", std::vector<std::string>(times.size(), steps ? "STEP" : "LINEAR"),
                   "Name_array", "INTERPOLATION");
        out_.line("<sampler id=\"{0}-sampler\"><input semantic=\"INPUT\" source=\"#{0}-times\"/>"
                  "<input semantic=\"OUTPUT\" source=\"#{0}-values\"/>"
                  "<input semantic=\"INTERPOLATION\" source=\"#{0}-kinds\"/></sampler>"
                  "<channel source=\"#{0}-sampler\" target=\"{1}\"/></animation>",
                  id, target);
    }

    void write_motion(std::uint32_t clip, std::uint32_t node, const std::vector<float>& times, bool steps)
    {
        std::vector<float> rows;
        const scene::NodeSampler sampler(scene_, clip, node);
        for (const float time : times)
            append_rows(scene::to_matrix(sampler.local_at(double{time})), rows);
        const std::string id = fmt::format("clip-{}-node-{}", clip, node);
        write_sampler(id, clip, times, steps, rows, 16, fmt::format("node-{}/transform", node));
        animations_.emplace_back(clip, id);
    }

    void write_morphing(std::uint32_t clip, std::uint32_t node, const std::vector<float>& times, bool steps)
    {
        scene::NodeSampler sampler(scene_, clip, node);
        const std::size_t targets = scene_.meshes[scene_.nodes[node].mesh].morph_targets.size();
        for (std::size_t t = 0; t < targets; ++t) {
            std::vector<float> values;
            for (const float time : times)
                values.push_back(sampler.weights_at(double{time})[t]);
            const std::string id = fmt::format("clip-{}-node-{}-weight-{}", clip, node, t);
            write_sampler(id, clip, times, steps, values, 1,
                          fmt::format("{}-weights-array({})", dae_morph_id(node), t));
            animations_.emplace_back(clip, id);
        }
    }

    const scene::Scene& scene_;
    DaeText& out_;
    std::vector<std::pair<std::uint32_t, std::string>> animations_; // clip, id
};

} // namespace

void write_dae_animations(const scene::Scene& scene, DaeText& out)
{
    ClipWriter writer(scene, out);
    out.section("library_animations", [&] { writer.write_animations(); });
    out.section("library_animation_clips", [&] { writer.write_clips(); });
}

} // namespace vitrine::exporting

#include "tests/bench/pose/clips.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <utility>

#include "loaders/fbx/fbx.hpp"
#include "loaders/gltf/gltf.hpp"
#include "loaders/md5/md5.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine::bench {
namespace {

constexpr std::uint32_t joints = 80;
constexpr std::uint32_t joints_per_chain = 10;
constexpr int keys = 60;
constexpr double duration = 4.0;

class ChainBuilder {
public:
    explicit ChainBuilder(const ChainOptions& options) : options_(options) {}

    scene::Scene build()
    {
        scene_.clips.push_back({.name = "clip", .duration = duration});
        scene::Skin skin;
        for (std::uint32_t j = 0; j < joints; ++j) {
            scene::Node& node = scene_.nodes.emplace_back();
            node.parent = j == 0 ? scene::none : j % joints_per_chain == 0 ? 0 : j - 1;
            for (const auto path : {scene::Path::translation, scene::Path::rotation, scene::Path::scale})
                scene_.clips[0].channels.push_back(track(j, path));
            skin.joints.push_back(j);
            skin.inverse_bind.emplace_back(1.0f);
        }
        scene_.skins.push_back(skin);
        scene_.meshes.emplace_back();
        scene_.nodes.push_back({.mesh = 0, .skin = 0});
        return std::move(scene_);
    }

private:
    double number(double low, double high)
    {
        return std::uniform_real_distribution<double>(low, high)(random_);
    }
    float jitter() { return options_.own_times ? static_cast<float>(number(-0.4, 0.4)) : 0.0f; }

    scene::Channel track(std::uint32_t node, scene::Path path)
    {
        const bool cubic = number(0.0, 1.0) < options_.cubic_share;
        scene::Channel channel{.node = node,
                               .path = path,
                               .interpolation =
                                   cubic ? scene::Interpolation::cubic : scene::Interpolation::linear};
        const double phase = number(0.0, 6.0), speed = number(1.0, 4.0);
        for (int k = 0; k < keys; ++k) {
            const float at = static_cast<float>(k) + (k > 0 && k + 1 < keys ? jitter() : 0.0f);
            channel.times.push_back(at * static_cast<float>(duration / (keys - 1)));
            add_key(channel, phase + speed * double{channel.times.back()});
        }
        return channel;
    }

    void add_key(scene::Channel& channel, double angle)
    {
        const auto wave = static_cast<float>(std::sin(angle));
        std::vector<float> value{0.02f * wave, 0.1f, 0.01f};
        if (channel.path == scene::Path::scale) value = {1.0f + 0.02f * wave, 1.0f, 1.0f};
        if (channel.path == scene::Path::rotation) {
            const glm::quat q = glm::normalize(glm::quat(1.0f, 0.6f * wave, 0.1f, 0.3f * wave));
            value = {q.x, q.y, q.z, q.w};
        }
        const std::vector<float> tangent(value.size(), 0.1f * wave);
        const bool cubic = channel.interpolation == scene::Interpolation::cubic;
        if (cubic) channel.values.insert(channel.values.end(), tangent.begin(), tangent.end());
        channel.values.insert(channel.values.end(), value.begin(), value.end());
        if (cubic) channel.values.insert(channel.values.end(), tangent.begin(), tangent.end());
    }

    ChainOptions options_;
    std::mt19937 random_{7};
    scene::Scene scene_;
};

LoadResult<scene::Scene> load(const std::filesystem::path& path)
{
    auto source = test::MemorySource::folder_of(path);
    if (path.extension() == ".fbx") return load_fbx(source, {});
    if (path.extension() == ".md5mesh") return load_md5(source, {});
    return load_gltf(source, {});
}

} // namespace

PosedClip chain_clip(std::string name, const ChainOptions& options)
{
    return {std::move(name), ChainBuilder(options).build()};
}

PosedClip longest_clip(const std::string& path)
{
    auto loaded = load(std::filesystem::absolute(path));
    if (!loaded) throw std::runtime_error(path + ": " + loaded.error().detail);
    if (loaded->clips.empty()) throw std::runtime_error(path + ": has no clip");
    PosedClip out{std::filesystem::path(path).filename().string(), *std::move(loaded)};
    const auto& clips = out.scene.clips;
    const auto longest = std::ranges::max_element(clips, {}, &scene::Clip::duration);
    out.clip = static_cast<std::uint32_t>(longest - clips.begin());
    return out;
}

} // namespace vitrine::bench

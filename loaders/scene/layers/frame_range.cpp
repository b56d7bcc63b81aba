#include "loaders/scene/layers/frame_range.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "loaders/base/parse_whole.hpp"
#include "loaders/scene/motion/frame_rate.hpp"

namespace vitrine::scene {
namespace {

struct FrameNumbers {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};

std::optional<FrameNumbers> parse_range(std::string_view text, std::uint32_t count)
{
    if (text == "all") return FrameNumbers{0, count - 1};
    const auto dash = text.find('-');
    if (dash == text.npos) return std::nullopt;
    const auto first = parse_whole<std::uint32_t>(text.substr(0, dash));
    const auto last = parse_whole<std::uint32_t>(text.substr(dash + 1));
    if (!first || !last) return std::nullopt;
    return FrameNumbers{*first, *last};
}

// A key per frame, for a node whose mesh may have fewer frames: it holds its last one.
Channel make_channel(std::uint32_t node, const FrameNumbers& range, double rate, std::uint32_t available)
{
    Channel channel{.node = node, .path = Path::vertex_frame, .times = {}, .values = {}};
    const bool backward = range.last < range.first;
    const auto count = (backward ? range.first - range.last : range.last - range.first) + 1;
    for (std::uint32_t key = 0; key < count; ++key) {
        const auto frame = backward ? range.first - key : range.first + key;
        channel.times.push_back(static_cast<float>(key / rate));
        channel.values.push_back(static_cast<float>(std::min(frame, available - 1)));
    }
    return channel;
}

Clip make_clip(const Scene& scene, const FrameNumbers& range, std::string name)
{
    const double rate = frame_rate_or_default(scene.clips.front());
    const auto [low, high] = std::minmax(range.first, range.last);
    Clip clip{.name = std::move(name),
              .start_time = low / rate,
              .duration = (high - low) / rate,
              .frame_rate = rate,
              .frames = high - low + 1,
              .channels = {}};
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node) {
        const auto mesh = scene.nodes[node].mesh;
        const auto available = mesh == none ? 0 : scene.meshes[mesh].frames.count;
        if (available > 0) clip.channels.push_back(make_channel(node, range, rate, available));
    }
    return clip;
}

} // namespace

std::uint32_t count_file_frames(const Scene& scene)
{
    const bool by_frames_alone = std::ranges::all_of(scene.clips, [](const Clip& clip) {
        return std::ranges::all_of(clip.channels,
                                   [](const Channel& channel) { return channel.path == Path::vertex_frame; });
    });
    if (scene.clips.empty() || !by_frames_alone) return 0;
    std::uint32_t count = 0;
    for (const Mesh& mesh : scene.meshes)
        count = std::max(count, mesh.frames.count);
    return count;
}

namespace {

std::expected<FrameNumbers, std::string> read_range(std::string_view text, std::uint32_t count)
{
    if (count == 0)
        return std::unexpected(std::string("only models that are animated by whole-mesh frames, such as MD2, "
                                           "have ranges of the file's frames"));
    const auto range = parse_range(text.substr(frame_range_prefix.size()), count);
    if (!range) return std::unexpected(std::string("a range of frames is frames:A-B or frames:all"));
    if (std::max(range->first, range->last) >= count)
        return std::unexpected("the file has the frames 0 to " + std::to_string(count - 1));
    return *range;
}

} // namespace

std::optional<std::string> find_frame_range_fault(std::string_view text, std::uint32_t count)
{
    const auto range = read_range(text, count);
    return range ? std::nullopt : std::optional(range.error());
}

std::optional<std::expected<FoundClip, std::string>> find_frame_range(const Scene& scene,
                                                                      std::string_view text)
{
    if (!text.starts_with(frame_range_prefix)) return std::nullopt;
    const auto range = read_range(text, count_file_frames(scene));
    if (!range) return std::unexpected(range.error());
    auto key =
        std::string(frame_range_prefix) + std::to_string(range->first) + "-" + std::to_string(range->last);
    auto clip = std::make_shared<const Clip>(make_clip(scene, *range, key));
    return FoundClip{.bound_clip = std::move(clip), .key = std::move(key)};
}

} // namespace vitrine::scene

#include "server/services/catalog/append_user_clips.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "loaders/scene/layers/frame_range.hpp"
#include "loaders/scene/motion/cut_clip.hpp"
#include "loaders/scene/motion/frame_rate.hpp"

namespace vitrine::server {
namespace {

// A range of the file's frames, whatever clips they belong to; empty if there are no such frames any more.
scene::Clip cut_file_frames(const scene::Scene& scene, const UserClip& user)
{
    const auto range = scene::find_frame_range(scene, "frames:" + std::to_string(user.first_frame) + "-" +
                                                          std::to_string(user.last_frame));
    if (!range || !*range) return {};
    const auto& frames = *(*range)->bound_clip;
    auto cut =
        scene::cut_clip(frames, 0.0, frames.duration, user.frame_rate / scene::frame_rate_or_default(frames));
    cut.start_time = frames.start_time;
    return cut;
}

scene::Clip make_clip(const scene::Scene& scene, std::size_t file_clips, const UserClip& user)
{
    scene::Clip cut;
    const auto first = static_cast<double>(user.first_frame);
    const auto last = static_cast<double>(user.last_frame);
    if (user.clip == scene::none) cut = cut_file_frames(scene, user);
    if (user.clip < file_clips) {
        const auto& source = scene.clips[user.clip];
        const double rate = scene::frame_rate_or_default(source);
        cut = scene::cut_clip(source, scene::snap_to_key(scene, source, first / rate),
                              scene::snap_to_key(scene, source, last / rate), user.frame_rate / rate);
        cut.start_time = source.start_time + first / rate;
    }
    cut.name = user.name;
    cut.duration = (last - first) / user.frame_rate;
    cut.frame_rate = user.frame_rate;
    cut.frames = user.last_frame - user.first_frame + 1;
    return cut;
}

} // namespace

std::uint32_t last_frame_of(const scene::Clip& clip)
{
    constexpr double time_tolerance = 1e-4; // of a frame: durations are sums of rounded frame times
    const double last = std::floor(clip.duration * scene::frame_rate_or_default(clip) + time_tolerance);
    return static_cast<std::uint32_t>(std::clamp(last, 0.0, 4e9));
}

void append_user_clips(scene::Scene& scene, std::span<const UserClip> clips)
{
    const auto file_clips = scene.clips.size();
    for (const auto& clip : clips)
        scene.clips.push_back(make_clip(scene, file_clips, clip));
}

scene::Scene replace_user_clips(const scene::Scene& scene, std::size_t file_clips,
                                std::span<const UserClip> clips)
{
    scene::Scene next = scene;
    next.clips.resize(std::min(file_clips, next.clips.size()));
    append_user_clips(next, clips);
    return next;
}

std::size_t count_file_clips(const scene::Scene& scene, const AssetRecord& asset)
{
    const auto user_clips = api::parse_user_clips(asset.user_clips).size();
    return scene.clips.size() - std::min(user_clips, scene.clips.size());
}

bool is_user_clip(const AssetRecord& asset, std::uint32_t clip)
{
    if (clip == scene::none || asset.user_clips.empty()) return false;
    return clip + api::parse_user_clips(asset.user_clips).size() >= asset.counts.clips;
}

} // namespace vitrine::server

#pragma once
// User clips of an asset: frame ranges of the file's clips, each with its own rate. The catalog stores them
// as text (AssetRecord::user_clips); a Scene has them after the file's own clips, in the order they were
// added. Pure functions, any thread.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/scene_json.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::server {

struct UserClip {
    std::string name;
    std::uint32_t clip = 0;        // index among the file's clips
    std::uint32_t first_frame = 0; // frames of that clip, from 0
    std::uint32_t last_frame = 0;  // greater than first_frame; included
    double frame_rate = 0.0;       // frames per second of the new clip
};

// The frames that clip_json() shows as the source of each clip.
std::vector<api::ClipCut> cuts_of(std::span<const UserClip> clips);

inline constexpr std::size_t max_user_clips = 256;

// Returns "" for no clips. Invalid text is read as no clips.
std::string to_text(std::span<const UserClip> clips);
std::vector<UserClip> parse_user_clips(std::string_view text);

// Returns the frames per second by which the clip's frames are numbered: 30 if the file declares no rate.
double numbering_rate(const scene::Clip& clip);
// Returns the number of the clip's last frame.
std::uint32_t last_frame_of(const scene::Clip& clip);

// Appends one clip per user clip; it is empty if the file's clip does not exist any more.
void append_user_clips(scene::Scene& scene, std::span<const UserClip> clips);

} // namespace vitrine::server

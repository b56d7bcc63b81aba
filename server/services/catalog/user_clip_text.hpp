#pragma once
// Clips that users add to an asset: ranges of frames of the file's clips, each with a rate of its own. The
// catalog keeps them as text (AssetRecord::user_clips); a Scene has them after the file's own clips, in the
// order they were added. Pure, any thread.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::server {

struct UserClip {
    std::string name;
    std::uint32_t clip = 0;        // of the file
    std::uint32_t first_frame = 0; // frames of that clip, from 0
    std::uint32_t last_frame = 0;  // after the first one; still shown
    double frame_rate = 0.0;       // frames a second of the new clip
};

inline constexpr std::size_t max_user_clips = 256;

// "" for none. Reading what cannot be read gives none.
std::string to_text(std::span<const UserClip> clips);
std::vector<UserClip> parse_user_clips(std::string_view text);

// Frames a second by which frames of a clip are numbered: 30 where its file knows none.
double numbering_rate(const scene::Clip& clip);
// The number of the last frame that the clip has.
std::uint32_t last_frame_of(const scene::Clip& clip);

// Appends one clip for each, also for one whose file's clip is gone (nothing moves in it).
void append_user_clips(scene::Scene& scene, std::span<const UserClip> clips);

} // namespace vitrine::server

#pragma once
// Clips that users cut out of an asset's own clips, and the text that the catalog stores them as. Pure
// functions.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::api {

struct UserClip {
    std::string name;
    std::uint32_t clip = 0;        // index among the file's clips
    std::uint32_t first_frame = 0; // frames of that clip, from 0
    std::uint32_t last_frame = 0;  // greater than first_frame; included
    double frame_rate = 0.0;       // frames per second of the new clip
};

// Returns [{name, clip, firstFrame, lastFrame, frameRate}], or "" for no clips. Invalid text is read as no
// clips.
std::string user_clips_text(std::span<const UserClip> clips);
std::vector<UserClip> parse_user_clips(std::string_view text);

} // namespace vitrine::api

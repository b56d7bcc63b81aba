#pragma once
// Cuts user clips (AssetRecord::user_clips) out of a Scene's own clips. A Scene has them after the file's
// clips, in the order they were added. Pure functions, any thread.

#include <cstddef>
#include <cstdint>
#include <span>

#include "api/user_clips.hpp"
#include "loaders/scene/scene.hpp"
#include "server/services/catalog/records.hpp"

namespace vitrine::server {

using api::UserClip;

inline constexpr std::size_t max_user_clips = 256;

// Returns the number of the clip's last frame.
std::uint32_t last_frame_of(const scene::Clip& clip);

// Appends one clip per user clip; it is empty if the file's clip does not exist any more.
void append_user_clips(scene::Scene& scene, std::span<const UserClip> clips);

// Returns the scene with its first `file_clips` clips and these user clips.
scene::Scene replace_user_clips(const scene::Scene& scene, std::size_t file_clips,
                                std::span<const UserClip> clips);

// Returns the number of clips of the file in `scene`, the asset's Scene.
std::size_t count_file_clips(const scene::Scene& scene, const AssetRecord& asset);

// Returns whether `clip` of the asset's Scene is a user clip; scene::none is not.
bool is_user_clip(const AssetRecord& asset, std::uint32_t clip);

} // namespace vitrine::server

#pragma once
// Clips of any range of a file's frames, for models whose frames are whole meshes (MD2, MD3 without tags):
//
//   frames:A-B   frames A to B, both included, from 0; B before A: backward
//   frames:all   all frames of the file
//
// A clip of the file whose name is this text takes precedence.

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "loaders/scene/layers/layer_text.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

inline constexpr std::string_view frame_range_prefix = "frames:";

// Returns the number of frames that a range may refer to; 0 for a scene that is not animated by frames alone.
std::uint32_t count_file_frames(const Scene& scene);

// Returns a sentence if a text that begins with "frames:" is no range of that number of frames.
std::optional<std::string> find_frame_range_fault(std::string_view text, std::uint32_t count);

// Returns the clip of a text that begins with "frames:", at the frame rate of the file, or a sentence why
// there is none; nothing for another text.
std::optional<std::expected<FoundClip, std::string>> find_frame_range(const Scene& scene,
                                                                      std::string_view text);

} // namespace vitrine::scene

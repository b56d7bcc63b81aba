#pragma once
// What a picture of a model looks like as a vector: outline, shading, directions of edges and colors of the
// part that the model covers. Pure functions.

#include <optional>
#include <string_view>

#include "server/services/vectors/unit_vector.hpp"
#include "vk_renderer/base/frame.hpp"

namespace vitrine::server {

// The name of these vectors in the catalog. Its number grows when equal pictures get other vectors: those
// with an older one are computed again.
inline constexpr std::string_view descriptor_model = "vitrine.picture.1";
inline constexpr std::size_t descriptor_bits = 256; // of codes

// The picture has a transparent background. Neither place nor size of what it shows count. Empty: it shows
// nothing.
std::optional<UnitVector> describe_picture(const render::Frame& picture);
// 0 to 1; 0.5 and more: alike, 0.95 and more: nearly the same picture.
double descriptor_score(double cosine);

} // namespace vitrine::server

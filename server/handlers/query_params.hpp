#pragma once
// Query parameters that several routes share: times (t=0.5, t=0,0.1,0.2, t=from/to/step, or from=&to=&step=),
// view (view=three-quarter, w, h, background, overlay, light), and the image format.

#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"
#include "server/routing/query_reader.hpp"
#include "vk_renderer/base/view.hpp"
#include "vk_renderer/encode/encode.hpp"

namespace vitrine::server {

inline constexpr std::size_t max_times = 10'000;
// The largest value of the limit clip_seconds.
inline constexpr double max_seconds = std::numeric_limits<decltype(Limits::clip_seconds)>::max();
inline constexpr double min_step = 1e-6; // seconds

// Returns seconds from the clip's start, at most max_times; {0} without a parameter. Errors are recorded in
// the reader; the result may be empty then.
std::vector<double> read_times(QueryReader& reader, const scene::Clip& clip);

// Whether the request names a list or a series of times, and not one.
bool names_several_times(const Request& request);

// Returns whether the requested image has more than 2048 x 1024 pixels.
bool has_many_pixels(const Request& request);

// crowd, ghosts. Errors are recorded in the reader.
void read_instances(QueryReader& reader, std::uint32_t& crowd, render::Ghosts& ghosts);

// overlay. Errors are recorded in the reader.
render::Overlays read_overlays(QueryReader& reader);

// view, target, fov, ortho, w, h, background, overlay, light, crowd, ghosts. Errors are recorded in the
// reader.
render::View read_view(QueryReader& reader, std::uint32_t max_side);

// Returns the format with the highest quality value in Accept; on a tie, or without the field, the first of
// `preferred`. Empty: none is acceptable.
std::optional<render::ImageFormat> negotiate_image(std::optional<std::string_view> accept,
                                                   std::span<const render::ImageFormat> preferred);

} // namespace vitrine::server

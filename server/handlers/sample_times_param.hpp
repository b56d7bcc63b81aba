#pragma once
// The times of a request: t=0.5, t=0,0.1,0.2, t=from/to/step, or from=&to=&step=.

#include <limits>
#include <vector>

#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"
#include "server/handlers/query_reader.hpp"

namespace vitrine::server {

inline constexpr std::size_t max_times = 10'000;
// As far as a clip may be made to reach by the limit clip_seconds.
inline constexpr double max_seconds = std::numeric_limits<decltype(Limits::clip_seconds)>::max();
inline constexpr double min_step = 1e-6; // seconds

// Seconds from the clip's start; {0} when nothing is said. At most max_times. Errors are left with
// the reader, and then there may be no time at all.
std::vector<double> read_times(QueryReader& reader, const scene::Clip& clip);

} // namespace vitrine::server

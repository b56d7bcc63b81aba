#pragma once
// The times of a request: t=0.5, t=0,0.1,0.2, t=from/to/step, or from=&to=&step=.

#include <limits>
#include <vector>

#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"
#include "server/handlers/query_reader.hpp"

namespace vitrine::server {

inline constexpr std::size_t max_times = 10'000;
// The largest value of the limit clip_seconds.
inline constexpr double max_seconds = std::numeric_limits<decltype(Limits::clip_seconds)>::max();
inline constexpr double min_step = 1e-6; // seconds

// Returns seconds from the clip's start, at most max_times; {0} without a parameter. Errors are recorded in
// the reader; the result may be empty then.
std::vector<double> read_times(QueryReader& reader, const scene::Clip& clip);

} // namespace vitrine::server

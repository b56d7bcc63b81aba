#pragma once
// The times of a request: t=0.5, t=0,0.1,0.2, or from=&to=&step=.

#include <vector>

#include "loaders/scene/scene.hpp"
#include "server/handlers/query.hpp"

namespace vitrine::server {

inline constexpr std::size_t max_times = 10'000;
inline constexpr double max_seconds = 1e6;

// Seconds from the clip's start; {0} when nothing is said. Errors are left with the reader.
std::vector<double> read_times(QueryReader& reader, const scene::Clip& clip);

} // namespace vitrine::server

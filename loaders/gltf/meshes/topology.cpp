#include "loaders/gltf/meshes/topology.hpp"

#include <algorithm>
#include <span>

namespace vitrine::gltf {
namespace {

using Indices = std::vector<std::uint32_t>;

Indices strip_to_lines(const Indices& strip, bool closed)
{
    Indices list;
    if (strip.size() < 2) return list;
    list.reserve(strip.size() * 2);
    for (std::size_t n = 0; n + 1 < strip.size(); ++n)
        list.insert(list.end(), {strip[n], strip[n + 1]});
    if (closed && strip.size() > 2) list.insert(list.end(), {strip.back(), strip.front()});
    return list;
}

Indices strip_to_triangles(const Indices& strip)
{
    Indices list;
    list.reserve(strip.size() * 3);
    for (std::size_t n = 0; n + 2 < strip.size(); ++n)
        list.insert(list.end(), {strip[n], strip[n + 1 + n % 2], strip[n + 2 - n % 2]});
    return list;
}

Indices fan_to_triangles(const Indices& fan)
{
    Indices list;
    list.reserve(fan.size() * 3);
    for (std::size_t n = 1; n + 1 < fan.size(); ++n)
        list.insert(list.end(), {fan[n], fan[n + 1], fan[0]});
    return list;
}

Indices run_to_list(Mode mode, const Indices& run)
{
    switch (mode) {
    case Mode::line_loop: return strip_to_lines(run, true);
    case Mode::line_strip: return strip_to_lines(run, false);
    case Mode::triangle_strip: return strip_to_triangles(run);
    default: return fan_to_triangles(run);
    }
}

} // namespace

scene::Topology topology_of(Mode mode)
{
    if (mode == Mode::points) return scene::Topology::points;
    return mode < Mode::triangles ? scene::Topology::lines : scene::Topology::triangles;
}

std::uint32_t corners_of(scene::Topology topology)
{
    return topology == scene::Topology::points ? 1 : topology == scene::Topology::lines ? 2 : 3;
}

std::vector<std::uint32_t> to_list(Mode mode, std::vector<std::uint32_t> indices,
                                   std::optional<std::uint32_t> restart)
{
    const bool is_list = mode == Mode::points || mode == Mode::lines || mode == Mode::triangles;
    if (is_list) {
        indices.resize(indices.size() - indices.size() % corners_of(topology_of(mode)));
        return indices;
    }
    if (!restart || std::ranges::find(indices, *restart) == indices.end()) return run_to_list(mode, indices);
    Indices list;
    for (auto begin = indices.begin(); begin != indices.end();) {
        const auto end = std::find(begin, indices.end(), *restart);
        const Indices part = run_to_list(mode, Indices(begin, end));
        list.insert(list.end(), part.begin(), part.end());
        begin = end == indices.end() ? end : end + 1;
    }
    return list;
}

std::uint64_t drop_out_of_range(std::vector<std::uint32_t>& list, std::uint32_t corners,
                                std::uint64_t vertices)
{
    if (list.empty() || std::ranges::max(list) < vertices) return 0;
    std::size_t kept = 0;
    for (std::size_t at = 0; at < list.size(); at += corners) {
        const auto element = std::span(list).subspan(at, corners);
        if (std::ranges::any_of(element, [&](std::uint32_t index) { return index >= vertices; })) continue;
        std::ranges::copy(element, list.begin() + static_cast<std::ptrdiff_t>(kept));
        kept += corners;
    }
    const std::uint64_t dropped = (list.size() - kept) / corners;
    list.resize(kept);
    return dropped;
}

} // namespace vitrine::gltf

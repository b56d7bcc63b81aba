#include "loaders/gltf/meshes/index_lists.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "loaders/gltf/document/accessor.hpp"
#include "loaders/gltf/document/component_types.hpp"
#include "loaders/gltf/document/specification_checks.hpp"

namespace vitrine::gltf {
namespace {

using IndexList = std::vector<std::uint32_t>;

IndexList strip_to_lines(const IndexList& strip, bool closed)
{
    IndexList list;
    if (strip.size() < 2) return list;
    list.reserve(strip.size() * 2);
    for (std::size_t n = 0; n + 1 < strip.size(); ++n)
        list.insert(list.end(), {strip[n], strip[n + 1]});
    if (closed && strip.size() > 2) list.insert(list.end(), {strip.back(), strip.front()});
    return list;
}

IndexList strip_to_triangles(const IndexList& strip)
{
    IndexList list;
    list.reserve(strip.size() * 3);
    for (std::size_t n = 0; n + 2 < strip.size(); ++n)
        list.insert(list.end(), {strip[n], strip[n + 1 + n % 2], strip[n + 2 - n % 2]});
    return list;
}

IndexList fan_to_triangles(const IndexList& fan)
{
    IndexList list;
    list.reserve(fan.size() * 3);
    for (std::size_t n = 1; n + 1 < fan.size(); ++n)
        list.insert(list.end(), {fan[n], fan[n + 1], fan[0]});
    return list;
}

IndexList run_to_list(PrimitiveMode mode, const IndexList& run)
{
    switch (mode) {
    case PrimitiveMode::line_loop: return strip_to_lines(run, true);
    case PrimitiveMode::line_strip: return strip_to_lines(run, false);
    case PrimitiveMode::triangle_strip: return strip_to_triangles(run);
    default: return fan_to_triangles(run);
    }
}

struct IndexValues {
    std::vector<std::uint32_t> values;
    std::optional<std::uint32_t> restart{}; // the highest of their type, which the specification forbids
};

LoadResult<IndexValues> read_indices(Document& document, io::JsonValue primitive, std::uint32_t vertices)
{
    const io::JsonValue member = primitive["indices"];
    if (!member.exists()) {
        if (auto taken = document.budget().take_indices(vertices, primitive.pointer()); !taken)
            return std::unexpected(taken.error());
        IndexValues indices{.values = std::vector<std::uint32_t>(vertices)};
        std::iota(indices.values.begin(), indices.values.end(), 0u);
        return indices;
    }
    const LoadResult<Accessor> accessor = find_accessor(document, member);
    if (!accessor) return std::unexpected(accessor.error());
    if (accessor->components != 1)
        return fail(LoadErrc::malformed, member.pointer(), "indices must be SCALAR");
    check_packed(document, member);
    check_format(document, *accessor, AccessorUsage::indices, member);
    if (auto taken = document.budget().take_indices(accessor->count, member.pointer()); !taken)
        return std::unexpected(taken.error());
    const std::uint32_t bits = 8 * size_of(accessor->type);
    return IndexValues{read_integers(*accessor), std::uint32_t{0xFFFF'FFFF} >> (32 - bits)};
}

// Warns about a strip, loop or fan that its indices restart.
void warn_about_restart(Document& document, io::JsonValue primitive, PrimitiveMode mode,
                        const IndexValues& indices)
{
    const bool is_list =
        mode == PrimitiveMode::points || mode == PrimitiveMode::lines || mode == PrimitiveMode::triangles;
    if (is_list || !indices.restart ||
        std::ranges::find(indices.values, *indices.restart) == indices.values.end())
        return;
    document.warnings().add(
        "primitive_restart",
        fmt::format("the index {}, which is not allowed, begins a new strip or fan", *indices.restart),
        primitive.pointer());
}

} // namespace

scene::Topology topology_of(PrimitiveMode mode)
{
    if (mode == PrimitiveMode::points) return scene::Topology::points;
    return mode < PrimitiveMode::triangles ? scene::Topology::lines : scene::Topology::triangles;
}

std::vector<std::uint32_t> to_list(PrimitiveMode mode, std::vector<std::uint32_t> indices,
                                   std::optional<std::uint32_t> restart)
{
    const bool is_list =
        mode == PrimitiveMode::points || mode == PrimitiveMode::lines || mode == PrimitiveMode::triangles;
    if (is_list) {
        indices.resize(indices.size() - indices.size() % corners_of(topology_of(mode)));
        return indices;
    }
    if (!restart || std::ranges::find(indices, *restart) == indices.end()) return run_to_list(mode, indices);
    IndexList list;
    for (auto begin = indices.begin(); begin != indices.end();) {
        const auto end = std::find(begin, indices.end(), *restart);
        const IndexList part = run_to_list(mode, IndexList(begin, end));
        list.insert(list.end(), part.begin(), part.end());
        begin = end == indices.end() ? end : end + 1;
    }
    return list;
}

std::uint64_t drop_out_of_range(std::vector<std::uint32_t>& list, std::uint32_t corners,
                                std::uint64_t vertices)
{
    if (list.empty() || std::ranges::max(list) < vertices) return 0;
    std::size_t valid_size = 0;
    for (std::size_t at = 0; at < list.size(); at += corners) {
        const auto element = std::span(list).subspan(at, corners);
        if (std::ranges::any_of(element, [&](std::uint32_t index) { return index >= vertices; })) continue;
        std::ranges::copy(element, list.begin() + static_cast<std::ptrdiff_t>(valid_size));
        valid_size += corners;
    }
    const std::uint64_t dropped = (list.size() - valid_size) / corners;
    list.resize(valid_size);
    return dropped;
}

LoadResult<std::vector<std::uint32_t>> read_index_list(Document& document, io::JsonValue primitive,
                                                       PrimitiveMode mode, std::uint32_t vertices,
                                                       std::optional<std::vector<std::uint32_t>> decompressed)
{
    auto indices = decompressed ? IndexValues{.values = std::move(*decompressed)}
                                : read_indices(document, primitive, vertices);
    if (!indices) return std::unexpected(indices.error());
    const std::uint32_t corners = corners_of(topology_of(mode));
    if ((mode == PrimitiveMode::triangles || mode == PrimitiveMode::lines) &&
        indices->values.size() % corners != 0)
        document.warnings().add("incomplete_element", "the last, incomplete element is dropped",
                                primitive.pointer());
    warn_about_restart(document, primitive, mode, *indices);
    std::vector<std::uint32_t> list = to_list(mode, std::move(indices->values), indices->restart);
    const bool any = !list.empty();
    const std::uint64_t dropped = drop_out_of_range(list, corners, vertices);
    if (any && list.empty())
        return fail(LoadErrc::out_of_range, primitive.pointer(),
                    fmt::format("all indices exceed the {} vertices", vertices));
    if (dropped > 0)
        document.warnings().add(
            "index_out_of_range",
            fmt::format("{} elements have vertex indices out of range; they are ignored", dropped),
            primitive.pointer());
    return list;
}

} // namespace vitrine::gltf

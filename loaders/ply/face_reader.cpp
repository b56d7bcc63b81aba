#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "loaders/io/limits.hpp"
#include "loaders/ply/color.hpp"
#include "loaders/ply/element_reader.hpp"

namespace vitrine::ply {
namespace {

// `none` for what cannot be the number of a vertex.
std::uint32_t to_index(double value)
{
    const bool valid = value >= 0.0 && value < static_cast<double>(scene::none);
    return valid ? static_cast<std::uint32_t>(value) : scene::none;
}

// What the properties of a face are.
struct FaceLayout {
    std::optional<std::size_t> corners, uvs, texture; // properties
    std::array<std::optional<std::size_t>, 4> color;
    std::vector<std::string_view> ignored;

    explicit FaceLayout(const PlyElement& element)
    {
        for (std::size_t p = 0; p < element.properties.size(); ++p)
            if (!take(element.properties[p], p)) ignored.push_back(element.properties[p].name);
    }
    bool has_colors() const { return color[0] && color[1] && color[2]; }
    // Of the color, 0 to 3; empty if the property is something else.
    std::optional<std::size_t> channel_of(std::size_t property) const
    {
        const auto* const found = std::ranges::find(color, property);
        return found == color.end() ? std::nullopt
                                    : std::optional(static_cast<std::size_t>(found - color.begin()));
    }

private:
    bool take(const Property& property, std::size_t p)
    {
        const auto channel = property.is_list ? std::nullopt : color_channel(property.name);
        if (!corners && is_corner_list(property))
            corners = p;
        else if (!uvs && property.is_list && property.name == "texcoord")
            uvs = p;
        else if (!texture && !property.is_list && property.name == "texnumber")
            texture = p;
        else if (channel && !color[*channel])
            color[*channel] = p;
        else
            return false;
        return true;
    }
};

glm::vec4 color_of(const std::array<double, 4>& channels)
{
    return {channels[0], channels[1], channels[2], channels[3]};
}

// Sets the attribute of the last face; those of faces before it that have none are `missing`.
template <class Value>
void add_to_last(const Faces& faces, std::vector<Value>& attributes, Value value, Value missing)
{
    attributes.resize(faces.ends.size() - 1, missing);
    attributes.push_back(value);
}

} // namespace

LoadResult<void> ElementReader::check_corner_limit(std::uint64_t more) const
{
    const std::uint64_t all = document_.faces.corners.size() + document_.edges.size() + more;
    if (all > std::min<std::uint64_t>(limits_.indices, scene::none))
        return io::limit_exceeded_error(in_.where(), "indices", limits_.indices);
    return {};
}

LoadResult<void> ElementReader::add_face(const std::vector<double>& corners, const std::vector<double>& uvs)
{
    Faces& faces = document_.faces;
    if (auto within = check_corner_limit(corners.size()); !within) return within;
    for (const double corner : corners)
        faces.corners.push_back(to_index(corner));
    faces.ends.push_back(static_cast<std::uint32_t>(faces.corners.size()));
    if (uvs.empty() && faces.uvs.empty()) return {};
    faces.uvs.resize(faces.corners.size() - corners.size()); // of faces without
    const bool complete = uvs.size() == 2 * corners.size();
    if (!complete && !uvs.empty())
        warnings_.add("ply_face_texture_coordinates",
                      "a face has another number of texture coordinates than corners; they are ignored",
                      in_.where());
    for (std::size_t c = 0; c < corners.size(); ++c) {
        const glm::vec2 uv = complete ? glm::vec2(uvs[2 * c], 1.0 - uvs[2 * c + 1]) : glm::vec2(0.0f);
        faces.uvs.push_back(std::isfinite(uv.x + uv.y) ? uv : glm::vec2(0.0f));
    }
    return {};
}

LoadResult<void> ElementReader::read_faces(const PlyElement& element)
{
    const FaceLayout layout(element);
    report_ignored(element, layout.ignored);
    if (!layout.corners) {
        if (element.count > 0)
            warnings_.add("ply_element_ignored", "the faces have no list vertex_indices; they are not shown",
                          "header");
        return skip(element);
    }
    Faces& faces = document_.faces;
    std::vector<double> corners, uvs;
    std::array<double, 4> color{0.0, 0.0, 0.0, 1.0};
    double texture = 0.0;
    return for_each_row(element, [&]() -> Done {
        for (std::size_t p = 0; p < element.properties.size(); ++p) {
            const Property& property = element.properties[p];
            if (p == layout.corners)
                in_.list(property, limits_.indices, corners);
            else if (p == layout.uvs)
                in_.list(property, limits_.indices, uvs);
            else if (p == layout.texture)
                texture = in_.number(property.type);
            else if (const auto channel = layout.channel_of(p))
                color[*channel] = in_.number(property.type) / color_range(property.type);
            else
                in_.skip(property);
        }
        if (in_.failed()) return {};
        if (auto added = add_face(corners, uvs); !added) return added;
        if (layout.has_colors()) add_to_last(faces, faces.colors, color_of(color), glm::vec4(1.0f));
        if (layout.texture) add_to_last(faces, faces.textures, to_index(texture), 0u);
        return {};
    });
}

// Every second triangle is reversed; -1 begins another strip.
LoadResult<void> ElementReader::add_strip(const std::vector<double>& corners)
{
    std::size_t first = 0; // of the strip
    for (std::size_t c = 0; c < corners.size(); ++c) {
        if (corners[c] < 0.0) {
            first = c + 1;
            continue;
        }
        if (c < first + 2) continue;
        const bool is_odd = (c - first) % 2 != 0;
        const double a = corners[c - 2], b = corners[c - 1];
        if (a == b || b == corners[c] || a == corners[c]) continue; // joins two strips
        if (auto added = add_face({is_odd ? b : a, is_odd ? a : b, corners[c]}, {}); !added) return added;
    }
    return {};
}

LoadResult<void> ElementReader::read_strips(const PlyElement& element)
{
    const FaceLayout layout(element);
    if (!layout.corners) return skip(element);
    std::vector<double> corners;
    return for_each_row(element, [&]() -> Done {
        for (std::size_t p = 0; p < element.properties.size(); ++p) {
            if (p == layout.corners)
                in_.list(element.properties[p], limits_.indices, corners);
            else
                in_.skip(element.properties[p]);
        }
        return in_.failed() ? Done() : add_strip(corners);
    });
}

LoadResult<void> ElementReader::read_edges(const PlyElement& element)
{
    std::array<std::optional<std::size_t>, 2> vertex;
    std::vector<std::string_view> ignored;
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
        const Property& property = element.properties[p];
        if (!property.is_list && property.name == "vertex1")
            vertex[0] = p;
        else if (!property.is_list && property.name == "vertex2")
            vertex[1] = p;
        else
            ignored.push_back(property.name);
    }
    report_ignored(element, ignored);
    if (!vertex[0] || !vertex[1]) return skip(element);
    std::array<std::uint32_t, 2> ends{};
    return for_each_row(element, [&]() -> Done {
        for (std::size_t p = 0; p < element.properties.size(); ++p) {
            if (p == vertex[0] || p == vertex[1])
                ends[p == vertex[0] ? 0 : 1] = to_index(in_.number(element.properties[p].type));
            else
                in_.skip(element.properties[p]);
        }
        if (in_.failed()) return {};
        if (auto within = check_corner_limit(2); !within) return within;
        document_.edges.insert(document_.edges.end(), {ends[0], ends[1]});
        return {};
    });
}

} // namespace vitrine::ply

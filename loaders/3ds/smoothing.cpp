#include "loaders/3ds/meshes.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "loaders/scene/geometry/triangle_measure.hpp"

namespace vitrine::threeds {
namespace {

// Returns the first point at the same position, for each point.
std::vector<std::uint32_t> places_of(std::span<const glm::vec3> points)
{
    std::vector<std::uint32_t> place(points.size());
    const std::size_t slots = std::bit_ceil(points.size() * 2 + 1);
    std::vector<std::uint32_t> table(slots, 0); // point + 1
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const glm::vec3 p = points[i] + 0.0f; // -0 becomes 0
        std::uint64_t hash = 0;
        for (int k = 0; k < 3; ++k)
            hash = (hash ^ std::bit_cast<std::uint32_t>(p[k])) * 0x9E3779B97F4A7C15u;
        std::size_t slot = (hash >> 32) & (slots - 1);
        while (table[slot] != 0 && points[table[slot] - 1] != p)
            slot = (slot + 1) & (slots - 1);
        if (table[slot] == 0) table[slot] = i + 1;
        place[i] = table[slot] - 1;
    }
    return place;
}

struct Measure {
    glm::vec3 normal; // zero for degenerate faces
    std::array<float, 3> angles;
};

Measure measure(std::span<const glm::vec3> points, const FacePoints& face)
{
    const auto [normal, angles] = scene::measure_triangle(
        glm::dvec3(points[face[0]]), glm::dvec3(points[face[1]]), glm::dvec3(points[face[2]]));
    return {glm::vec3(normal),
            {static_cast<float>(angles[0]), static_cast<float>(angles[1]), static_cast<float>(angles[2])}};
}

glm::vec3 unit_normal(const glm::vec3& sum)
{
    const float length = glm::length(sum);
    return length > 0.0f ? sum / length : glm::vec3(0.0f, 0.0f, 1.0f);
}

// The faces around one position, grouped by their smoothing groups.
class Fan {
public:
    void clear() { entries_.clear(); }
    void add(std::uint32_t groups, const glm::vec3& weighted)
    {
        if (entries_.size() < max_entries || entries_.back().groups == groups) {
            for (SmoothedNormal& entry : entries_) {
                if (entry.groups != groups) continue;
                entry.sum += weighted;
                return;
            }
        }
        if (entries_.size() < max_entries) return entries_.push_back({groups, weighted, none});
        // Only hostile files have this many kinds of faces; further ones are merged with the last kind.
        entries_.back().groups |= groups;
        entries_.back().sum += weighted;
    }
    // Returns the index in `normals` for a face with these groups; adds it on first use.
    std::uint32_t normal_of(std::uint32_t groups, std::vector<glm::vec3>& normals)
    {
        auto own = std::ranges::find(entries_, groups, &SmoothedNormal::groups);
        if (own == entries_.end()) own = entries_.end() - 1;
        if (own->normal != none) return own->normal;
        glm::vec3 sum(0.0f);
        bool all = true;
        for (const SmoothedNormal& entry : entries_) {
            if ((entry.groups & own->groups) != 0)
                sum += entry.sum;
            else
                all = false;
        }
        own->normal = static_cast<std::uint32_t>(normals.size());
        normals.push_back(unit_normal(sum));
        if (all) // faces smooth with exactly the same faces share the normal
            for (SmoothedNormal& entry : entries_)
                if (is_smooth_with_all(entry)) entry.normal = own->normal;
        return own->normal;
    }

private:
    static constexpr std::uint32_t none = 0xFFFFFFFF;
    static constexpr std::size_t max_entries = 64;
    struct SmoothedNormal {
        std::uint32_t groups;
        glm::vec3 sum;
        std::uint32_t normal;
    };
    bool is_smooth_with_all(const SmoothedNormal& entry) const
    {
        return std::ranges::all_of(
            entries_, [&](const SmoothedNormal& other) { return (other.groups & entry.groups) != 0; });
    }
    std::vector<SmoothedNormal> entries_;
};

// The corners of each position, consecutive.
struct CornerLists {
    std::vector<std::uint32_t> first; // by position; positions + 1 entries
    std::vector<std::uint32_t> corners;
};

CornerLists corners_by_place(std::span<const std::uint32_t> place, std::span<const FacePoints> faces)
{
    CornerLists lists;
    lists.first.assign(place.size() + 1, 0);
    for (const FacePoints& face : faces)
        for (const std::uint16_t point : face)
            ++lists.first[place[point] + 1];
    for (std::size_t i = 1; i < lists.first.size(); ++i)
        lists.first[i] += lists.first[i - 1];
    lists.corners.resize(faces.size() * 3);
    std::vector<std::uint32_t> next(lists.first.begin(), lists.first.end() - 1);
    for (std::uint32_t face = 0; face < faces.size(); ++face)
        for (std::uint32_t k = 0; k < 3; ++k)
            lists.corners[next[place[faces[face][k]]]++] = face * 3 + k;
    return lists;
}

// For meshes in which all faces are smooth with each other: one normal per position.
CornerNormals smooth_throughout(std::span<const glm::vec3> points, std::span<const FacePoints> faces)
{
    const std::vector<std::uint32_t> place = places_of(points);
    CornerNormals out;
    out.normals.assign(points.size(), glm::vec3(0.0f));
    out.of_corner.reserve(faces.size() * 3);
    for (const FacePoints& face : faces) {
        const Measure m = measure(points, face);
        for (std::size_t k = 0; k < 3; ++k) {
            out.of_corner.push_back(place[face[k]]);
            out.normals[place[face[k]]] += m.normal * m.angles[k];
        }
    }
    std::ranges::transform(out.normals, out.normals.begin(), unit_normal);
    return out;
}

CornerNormals smooth_by_groups(std::span<const glm::vec3> points, std::span<const FacePoints> faces,
                               std::span<const std::uint32_t> groups)
{
    CornerNormals out;
    out.normals.reserve(faces.size() + points.size());
    out.of_corner.resize(faces.size() * 3);
    std::vector<Measure> measures;
    measures.reserve(faces.size());
    for (std::size_t i = 0; i < faces.size(); ++i) {
        measures.push_back(measure(points, faces[i]));
        if (groups[i] != 0) continue;
        std::fill_n(out.of_corner.begin() + static_cast<std::ptrdiff_t>(3 * i), 3,
                    static_cast<std::uint32_t>(out.normals.size()));
        out.normals.push_back(unit_normal(measures.back().normal));
    }
    const CornerLists lists = corners_by_place(places_of(points), faces);
    Fan fan;
    for (std::size_t p = 0; p < points.size(); ++p) {
        const auto corners =
            std::span(lists.corners).subspan(lists.first[p], lists.first[p + 1] - lists.first[p]);
        fan.clear();
        for (const std::uint32_t corner : corners)
            if (const std::uint32_t g = groups[corner / 3]; g != 0)
                fan.add(g, measures[corner / 3].normal * measures[corner / 3].angles[corner % 3]);
        for (const std::uint32_t corner : corners)
            if (const std::uint32_t g = groups[corner / 3]; g != 0)
                out.of_corner[corner] = fan.normal_of(g, out.normals);
    }
    return out;
}

} // namespace

CornerNormals smooth(std::span<const glm::vec3> points, std::span<const FacePoints> faces,
                     std::span<const std::uint32_t> groups)
{
    const std::uint32_t shared = std::accumulate(groups.begin(), groups.end(), ~0u, std::bit_and{});
    return shared != 0 ? smooth_throughout(points, faces) : smooth_by_groups(points, faces, groups);
}

glm::vec3 flat_normal(std::span<const glm::vec3> points, const FacePoints& face)
{
    const glm::dvec3 a(points[face[0]]);
    const glm::dvec3 cross = glm::cross(glm::dvec3(points[face[1]]) - a, glm::dvec3(points[face[2]]) - a);
    const double length = glm::length(cross);
    return length > 0.0 ? glm::vec3(cross / length) : glm::vec3(0.0f, 0.0f, 1.0f);
}

} // namespace vitrine::threeds

#pragma once
// Maps control points to their vertices.

#include <cstdint>
#include <span>
#include <vector>

namespace vitrine::fbx {

class PointVertices {
public:
    // `control_points`: one per vertex, each below `count`.
    PointVertices(std::span<const std::uint32_t> control_points, std::size_t count)
        : first_(count + 1, 0), vertices_(control_points.size())
    {
        for (const std::uint32_t point : control_points)
            ++first_[point + 1];
        for (std::size_t i = 1; i < first_.size(); ++i)
            first_[i] += first_[i - 1];
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for (std::uint32_t v = 0; v < control_points.size(); ++v)
            vertices_[next[control_points[v]]++] = v;
    }

    std::size_t points() const { return first_.size() - 1; }
    std::span<const std::uint32_t> of(std::size_t point) const
    {
        return std::span(vertices_).subspan(first_[point], first_[point + 1] - first_[point]);
    }

private:
    std::vector<std::uint32_t> first_;
    std::vector<std::uint32_t> vertices_;
};

} // namespace vitrine::fbx

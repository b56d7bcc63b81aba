#include "tests/corpus/assimp_comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loaders/scene/bounds/bounds.hpp"

namespace vitrine::test {
namespace {

using Points = std::vector<glm::dvec3>;

constexpr double tolerance = 1e-3; // of the diagonal

double diagonal(const Points& points)
{
    scene::Aabb box;
    for (const glm::dvec3& point : points)
        box.add(glm::vec3(point));
    return glm::length(glm::dvec3(box.size()));
}

// Points in cells of the size of the tolerance.
class PointGrid {
public:
    PointGrid(const Points& points, double distance) : distance_(distance)
    {
        for (const glm::dvec3& point : points)
            cells_[key(cell(point))].push_back(point);
    }
    bool has_near(const glm::dvec3& point) const
    {
        const glm::i64vec3 middle = cell(point);
        for (int i = 0; i < 27; ++i) {
            const auto found = cells_.find(key(middle + glm::i64vec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1)));
            if (found == cells_.end()) continue;
            for (const glm::dvec3& candidate : found->second)
                if (glm::distance(candidate, point) <= distance_) return true;
        }
        return false;
    }

private:
    glm::i64vec3 cell(const glm::dvec3& point) const { return glm::i64vec3(glm::floor(point / distance_)); }
    // Each cell has 21 bits per axis; equal keys only cost time.
    static std::uint64_t key(const glm::i64vec3& c)
    {
        const glm::u64vec3 bits = glm::u64vec3(c) & std::uint64_t{0x1fffff};
        return bits.x << 42 | bits.y << 21 | bits.z;
    }
    double distance_;
    std::unordered_map<std::uint64_t, Points> cells_;
};

// Without points that are closer than a hundredth of the tolerance: triangles share corners.
Points without_copies(const Points& points, double distance)
{
    std::set<std::array<std::int64_t, 3>> seen;
    Points left;
    for (const glm::dvec3& point : points) {
        const glm::i64vec3 cell(glm::round(point / (0.01 * distance)));
        if (seen.insert({cell.x, cell.y, cell.z}).second) left.push_back(point);
    }
    return left;
}

std::size_t count_missing(const Points& points, const Points& in, double distance)
{
    const PointGrid grid(in, distance);
    return static_cast<std::size_t>(
        std::ranges::count_if(points, [&](const glm::dvec3& point) { return !grid.has_near(point); }));
}

} // namespace

void compare_points(const Points& ours, const Points& theirs, Differences& found)
{
    const double size = diagonal(theirs);
    if (!(size > 0.0) || ours.empty()) {
        if (ours.size() != theirs.size()) found["positions"] = "only one has any";
        return;
    }
    const double distance = tolerance * size;
    const Points a = without_copies(ours, distance), b = without_copies(theirs, distance);
    const std::size_t extra = count_missing(a, b, distance), missing = count_missing(b, a, distance);
    if (extra + missing > 0)
        found["positions"] = fmt::format("{} of {} only in Vitrine, {} of {} only in assimp; diagonals {} {}",
                                         extra, a.size(), missing, b.size(), diagonal(ours), size);
}

void compare_clips(const scene::Scene& scene, const std::vector<AssimpClip>& theirs, bool from_zero,
                   Differences& found)
{
    std::vector<const scene::Clip*> ours;
    for (const scene::Clip& clip : scene.clips)
        if (!clip.channels.empty()) ours.push_back(&clip);
    if (ours.size() != theirs.size()) {
        found["clips"] = fmt::format("{} in Vitrine, {} in assimp", ours.size(), theirs.size());
        return;
    }
    for (std::size_t c = 0; c < ours.size(); ++c) {
        const double frame = 1.0 / (ours[c]->frame_rate > 0.0 ? ours[c]->frame_rate : 24.0);
        const double start = from_zero ? ours[c]->start_time : 0.0;
        if (std::abs(start + ours[c]->duration - theirs[c].duration) > 1.01 * frame)
            found["duration"] += fmt::format("{}: {} in Vitrine, {} in assimp; ", ours[c]->name,
                                             ours[c]->duration, theirs[c].duration);
    }
}

void compare_joints(const std::set<std::string>& ours, const std::set<std::string>& theirs,
                    Differences& found)
{
    if (ours == theirs) return;
    std::vector<std::string> extra, missing;
    std::ranges::set_difference(ours, theirs, std::back_inserter(extra));
    std::ranges::set_difference(theirs, ours, std::back_inserter(missing));
    found["joints"] = fmt::format("only in Vitrine: {}; only in assimp: {}", fmt::join(extra, " "),
                                  fmt::join(missing, " "));
}

} // namespace vitrine::test

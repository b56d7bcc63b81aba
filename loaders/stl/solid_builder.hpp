#pragma once
// The facets of one solid as a flat mesh with shared vertices, in the file's axes.

#include <cstdint>
#include <span>
#include <string>

#include <glm/glm.hpp>

#include "loaders/io/key_table.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::stl {

// What the warnings say about all facets of a file.
struct FacetFaults {
    std::uint64_t reversed_normals = 0;
    std::uint64_t invalid_numbers = 0;
    std::string first_reversed, first_invalid; // places

    void report(io::WarningLog& warnings) const;
};

class SolidBuilder {
public:
    // Without colors `color` of all facets is ignored. `faults` must outlive this object.
    SolidBuilder(bool has_colors, FacetFaults& faults) : has_colors_(has_colors), faults_(faults) {}

    // Three corners, counter-clockwise from outside; the stored normal is only compared. `color`: sRGB with 8
    // bits each, red lowest. `where()` makes the place for warnings.
    template <class Where>
    void add(std::span<const glm::vec3, 3> corners, const glm::vec3& normal, std::uint32_t color, Where where)
    {
        if (!is_finite(corners)) {
            if (faults_.invalid_numbers++ == 0) faults_.first_invalid = where();
            return;
        }
        if (is_reversed(corners, normal) && faults_.reversed_normals++ == 0) faults_.first_reversed = where();
        for (const glm::vec3& corner : corners)
            add_corner(corner, color);
    }

    bool empty() const { return indices_.empty(); }
    // The primitive has no material. Leaves the builder empty.
    scene::Mesh finish(std::string name);

private:
    static bool is_finite(std::span<const glm::vec3, 3> corners);
    static bool is_reversed(std::span<const glm::vec3, 3> corners, const glm::vec3& normal);
    void add_corner(const glm::vec3& corner, std::uint32_t color);

    bool has_colors_;
    FacetFaults& faults_;
    io::KeyTable<4> vertices_; // bits of the position, color
    std::vector<std::uint32_t> indices_;
};

} // namespace vitrine::stl

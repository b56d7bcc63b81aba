#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "loaders/base/unit_vector.hpp"
#include "loaders/io/huge_pages.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/ply/color.hpp"
#include "loaders/ply/element_reader.hpp"

namespace vitrine::ply {
namespace {

// Where the value of a property is stored: position 0 to 2, normal 3 to 5, color 6 to 9, texture coordinate
// 10 and 11, base color of a Gaussian splat 12 to 14.
constexpr std::size_t first_normal = 3, first_color = 6, first_uv = 10, first_splat = 12, slot_count = 15;
constexpr std::size_t no_slot = slot_count;

constexpr std::array<std::string_view, first_color> vector_names{"x", "y", "z", "nx", "ny", "nz"};
constexpr std::array<std::array<std::string_view, 5>, 2> uv_names{
    {{"s", "u", "texture_u", "texture_s", "s0"}, {"t", "v", "texture_v", "texture_t", "t0"}}};
constexpr std::array<std::string_view, 3> splat_names{"f_dc_0", "f_dc_1", "f_dc_2"};

std::size_t slot_of(const Property& property)
{
    if (property.is_list) return no_slot;
    const auto* const vector = std::ranges::find(vector_names, property.name);
    if (vector != vector_names.end()) return static_cast<std::size_t>(vector - vector_names.begin());
    if (const auto channel = color_channel(property.name)) return first_color + *channel;
    for (std::size_t axis = 0; axis < uv_names.size(); ++axis)
        if (std::ranges::find(uv_names[axis], property.name) != uv_names[axis].end()) return first_uv + axis;
    const auto* const splat = std::ranges::find(splat_names, property.name);
    return splat == splat_names.end() ? no_slot
                                      : first_splat + static_cast<std::size_t>(splat - splat_names.begin());
}

// The attributes of one row and what the element declares.
class VertexRows {
public:
    VertexRows(const PlyElement& element, VertexAttributes& vertices) : vertices_(vertices)
    {
        for (const Property& property : element.properties) {
            const std::size_t slot = slot_of(property);
            slots_.push_back(slot == no_slot || has_[slot] ? no_slot : slot);
            if (slots_.back() == no_slot) {
                ignored_.push_back(property.name);
                continue;
            }
            has_[slot] = true;
            if (slot >= first_color && slot < first_uv)
                range_[slot - first_color] = color_range(property.type);
        }
    }

    bool has_positions() const { return has_[0] && has_[1] && has_[2]; }
    bool has_normals() const
    {
        return has_[first_normal] && has_[first_normal + 1] && has_[first_normal + 2];
    }
    bool has_colors() const { return has_[first_color] && has_[first_color + 1] && has_[first_color + 2]; }
    bool has_uvs() const { return has_[first_uv] && has_[first_uv + 1]; }
    bool has_splats() const
    {
        return !has_colors() && has_[first_splat] && has_[first_splat + 1] && has_[first_splat + 2];
    }
    const std::vector<std::string_view>& ignored() const { return ignored_; }
    std::uint64_t invalid_count() const { return invalid_count_; }

    void reserve(std::size_t count)
    {
        io::reserve_large(vertices_.positions, count);
        if (has_normals()) io::reserve_large(vertices_.normals, count);
        if (has_colors() || has_splats()) io::reserve_large(vertices_.colors, count);
        if (has_uvs()) io::reserve_large(vertices_.uvs, count);
    }

    void read(const PlyElement& element, PlyRowReader& in)
    {
        for (std::size_t p = 0; p < element.properties.size(); ++p) {
            if (slots_[p] == no_slot)
                in.skip(element.properties[p]);
            else
                row_[slots_[p]] = in.number(element.properties[p].type);
        }
        if (!in.failed()) add();
    }

private:
    void add();
    void add_position();
    void choose_origin();
    float value(std::size_t slot) const
    {
        const auto number = static_cast<float>(row_[slot]);
        return std::isfinite(number) ? number : 0.0f;
    }

    VertexAttributes& vertices_;
    std::vector<std::size_t> slots_; // by property
    std::array<bool, slot_count> has_{};
    std::array<double, 4> range_{1.0, 1.0, 1.0, 1.0};
    std::array<double, slot_count> row_{};
    std::vector<std::string_view> ignored_;
    std::uint64_t invalid_count_ = 0;
};

// Floats are imprecise far from zero: maps and scans have millimeters of objects there. Decided by the first
// valid position.
void VertexRows::choose_origin()
{
    constexpr double min_distance = 1e4, max_distance = 1e12;
    for (glm::length_t axis = 0; axis < 3; ++axis) {
        const double coordinate = row_[static_cast<std::size_t>(axis)];
        if (std::abs(coordinate) > min_distance && std::abs(coordinate) <= max_distance)
            vertices_.origin[axis] = double{static_cast<float>(std::round(coordinate))};
    }
}

// A position that is not finite is replaced by the one before it; its elements are dropped later.
void VertexRows::add_position()
{
    const bool is_first = invalid_count_ == vertices_.positions.size();
    const auto is_finite = [this](const glm::dvec3& origin) {
        const glm::vec3 p(glm::dvec3(row_[0], row_[1], row_[2]) - origin);
        return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
    };
    if (is_first && is_finite(glm::dvec3(0.0))) choose_origin();
    const bool valid = is_finite(vertices_.origin);
    if (!valid && vertices_.invalid.empty()) vertices_.invalid.resize(vertices_.positions.size());
    if (!valid || !vertices_.invalid.empty()) vertices_.invalid.push_back(!valid);
    if (!valid) {
        ++invalid_count_;
        vertices_.positions.push_back(vertices_.positions.empty() ? glm::vec3(0.0f)
                                                                  : vertices_.positions.back());
        return;
    }
    vertices_.positions.emplace_back(glm::dvec3(row_[0], row_[1], row_[2]) - vertices_.origin);
    if (is_first) std::ranges::fill(vertices_.positions, vertices_.positions.back());
}

void VertexRows::add()
{
    add_position();
    if (has_normals())
        vertices_.normals.emplace_back(value(first_normal), value(first_normal + 1), value(first_normal + 2));
    if (has_uvs()) vertices_.uvs.emplace_back(value(first_uv), 1.0f - value(first_uv + 1));
    const auto color = [this](std::size_t channel) {
        return static_cast<float>(row_[first_color + channel] / range_[channel]);
    };
    if (has_colors()) {
        vertices_.colors.emplace_back(color(0), color(1), color(2), has_[first_color + 3] ? color(3) : 1.0f);
    } else if (has_splats()) {
        constexpr double first_harmonic = 0.28209479177387814; // of degree 0: sqrt(1 / (4 pi))
        const auto part = [this](std::size_t i) {
            return static_cast<float>(0.5 + first_harmonic * row_[first_splat + i]);
        };
        vertices_.colors.emplace_back(part(0), part(1), part(2), 1.0f);
    }
}

// Programs declare normals that they do not compute.
void finish_normals(std::vector<glm::vec3>& normals)
{
    const auto is_zero = [](const glm::vec3& normal) { return normal == glm::vec3(0.0f); };
    if (std::ranges::all_of(normals, is_zero)) normals.clear();
    for (glm::vec3& normal : normals)
        normal = unit_or_up(normal);
}

} // namespace

LoadResult<void> ElementReader::read_vertices(const PlyElement& element)
{
    has_vertices_ = true;
    document_.vertex_count = element.count;
    if (element.count > limits_.vertices)
        return io::limit_exceeded_error("header", fmt::format("{} vertices", element.count), "vertices",
                                        limits_.vertices);
    VertexAttributes& vertices = document_.vertices;
    VertexRows rows(element, vertices);
    if (!rows.has_positions() && element.count > 0)
        return fail(LoadErrc::unsupported, "header", "the vertices have no properties x, y and z");
    rows.reserve(element.count);
    auto done = for_each_row(element, [&]() -> Done {
        rows.read(element, in_);
        return {};
    });
    if (!done) return done;
    finish_normals(vertices.normals);
    to_linear(vertices.colors);
    report_ignored(element, rows.ignored());
    if (rows.has_splats())
        warnings_.add("ply_splats", "Gaussian splats are shown as points with their base color", "header");
    if (rows.invalid_count() > 0)
        warnings_.add(
            "ply_invalid_numbers",
            fmt::format("{} vertices have a position that is not finite; what uses them is not shown",
                        rows.invalid_count()),
            "vertex");
    return {};
}

} // namespace vitrine::ply

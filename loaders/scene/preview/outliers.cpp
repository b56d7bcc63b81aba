#include "loaders/scene/preview/outliers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/bounds/joint_boxes.hpp"
#include "loaders/scene/geometry/rendering_origin.hpp"
#include "loaders/scene/skinning/skinner.hpp"

namespace vitrine::scene {
namespace {

constexpr double min_outlier_gap_ratio = 50.0; // relative to the diagonal of the box
constexpr double max_outlier_area_ratio = 0.01;
constexpr double max_outlier_element_ratio = 0.5;
constexpr double trim_ratio = 0.01; // share of the weight that is removed at each end of an axis
constexpr std::size_t max_samples = 2'000;
constexpr int max_trims = 8;   // each at least halves the box
constexpr int max_passes = 64; // over all elements; scenes that need more have no outliers

double diagonal(const Aabb& box)
{
    return glm::length(glm::dvec3(box.max) - glm::dvec3(box.min));
}

// Returns 0 if the boxes touch.
double gap_between(const Aabb& a, const Aabb& b)
{
    const auto gap = glm::max(glm::dvec3(a.min) - glm::dvec3(b.max), glm::dvec3(b.min) - glm::dvec3(a.max));
    return glm::length(glm::max(gap, 0.0));
}

// A triangle, a line or a point.
struct MeshElement {
    Aabb box;
    double area = 0.0;
};

bool is_finite(const Aabb& box)
{
    const glm::vec3 sum = box.min + box.max;
    return std::isfinite(sum.x + sum.y + sum.z);
}

// The corners of one element.
struct ElementCorners {
    std::span<const glm::vec3> positions; // of its mesh
    std::span<const std::uint32_t> vertices;
    std::size_t instance = 0;

    Aabb box() const
    {
        Aabb box;
        for (const auto vertex : vertices)
            box.add(positions[vertex]);
        return box;
    }
    double area() const
    {
        if (vertices.size() < 3) return 0.0;
        const glm::dvec3 a(positions[vertices[0]]);
        const auto ab = glm::dvec3(positions[vertices[1]]) - a, ac = glm::dvec3(positions[vertices[2]]) - a;
        return 0.5 * glm::length(glm::cross(ab, ac));
    }
};

// The elements of one primitive of an instance.
struct ElementList {
    std::span<const glm::vec3> positions; // of its mesh
    std::span<const std::uint32_t> indices;
    std::size_t corners = 3; // per element
    std::size_t instance = 0;

    std::size_t size() const { return indices.size() / corners; }
    ElementCorners operator[](std::size_t i) const
    {
        return {positions, indices.subspan(i * corners, corners), instance};
    }
};

// All elements of a scene in its static pose. Until skin() was called, only box() and sample() are known,
// which need few positions at a time.
class Elements {
public:
    explicit Elements(const Scene& scene) : scene_(scene), skinner_(scene)
    {
        pose_.origin = rendering_origin(scene);
        static_pose(scene, pose_);
        for (const Instance& instance : instances())
            for (const Primitive& primitive : scene.meshes[instance.mesh].primitives)
                count_ += primitive.count / corners_of(primitive.topology);
    }

    std::size_t count() const { return count_; }
    const std::vector<Instance>& instances() const { return skinner_.instances(); }

    void skin() { meshes_ = skinner_.skin_positions(pose_); }

    // After skin().
    template <class Visit>
    void each(Visit visit) const
    {
        for (std::size_t i = 0; i < meshes_.size(); ++i)
            each_primitive(i, meshes_[i].positions, [&](const ElementList& elements) {
                for (std::size_t e = 0; e < elements.size(); ++e)
                    visit(elements[e]);
            });
    }

    // The box of the vertices that primitives use.
    Aabb box() const { return pose_bounds(scene_, pose_); }

    // Every nth element.
    std::vector<MeshElement> sample() const
    {
        std::vector<PaletteEntry> palette(palette_size(instances()));
        joint_palette(scene_, instances(), pose_, palette);
        SkinnedMesh scratch;
        std::vector<MeshElement> out;
        const std::size_t step = count_ / max_samples + 1;
        std::size_t skipped = 0; // elements until the next one that is taken
        for (std::size_t i = 0; i < instances().size(); ++i) {
            const PositionSkinner skinner(scene_, instances()[i], pose_, palette, scratch);
            each_primitive(i, {}, [&](const ElementList& elements) {
                for (; skipped < elements.size(); skipped += step)
                    out.push_back(element_at(skinner, elements[skipped].vertices));
                skipped -= elements.size();
            });
        }
        return out;
    }

private:
    static MeshElement element_at(const PositionSkinner& skinner, std::span<const std::uint32_t> vertices)
    {
        static constexpr std::array<std::uint32_t, 3> in_order{0, 1, 2};
        std::array<glm::vec3, 3> positions{};
        for (std::size_t c = 0; c < vertices.size(); ++c)
            skinner.skin(vertices[c], std::span(positions).subspan(c, 1));
        const ElementCorners corners{positions, std::span(in_order).first(vertices.size())};
        return {corners.box(), corners.area()};
    }

    template <class Visit>
    void each_primitive(std::size_t instance, std::span<const glm::vec3> positions, Visit visit) const
    {
        const Mesh& mesh = scene_.meshes[instances()[instance].mesh];
        for (const Primitive& primitive : mesh.primitives)
            visit(ElementList{positions, std::span(mesh.indices).subspan(primitive.first, primitive.count),
                              corners_of(primitive.topology), instance});
    }

    const Scene& scene_;
    Pose pose_;
    Skinner skinner_;
    std::span<const SkinnedMesh> meshes_; // empty until skin()
    std::size_t count_ = 0;
};

Aabb box_of(std::span<const MeshElement> elements)
{
    Aabb box;
    for (const auto& element : elements)
        box.add(element.box);
    return box;
}

// Removes, on each axis, the elements whose centers are at the ends of the distribution of weight.
std::vector<MeshElement> trim(const std::vector<MeshElement>& elements, bool by_area)
{
    std::vector<bool> is_kept(elements.size(), true);
    const auto weight = [&](const MeshElement& element) { return by_area ? element.area : 1.0; };
    double total_weight = 0.0;
    for (const auto& element : elements)
        total_weight += weight(element);
    using Position = std::pair<double, std::uint32_t>; // of a center, of which element
    std::vector<Position> order(elements.size());
    // Few elements are removed, so a heap that returns them in order takes less time than sorting all.
    const auto remove_end = [&](const auto& is_later) {
        std::ranges::make_heap(order, is_later);
        double sum = 0.0;
        for (auto end = order.end(); end != order.begin(); --end) {
            std::pop_heap(order.begin(), end, is_later);
            const std::uint32_t next = std::prev(end)->second;
            sum += weight(elements[next]);
            if (sum > trim_ratio * total_weight) return;
            is_kept[next] = false;
        }
    };
    for (glm::length_t axis = 0; axis < 3; ++axis) {
        for (std::uint32_t i = 0; i < order.size(); ++i)
            order[i] = {double{elements[i].box.min[axis]} + double{elements[i].box.max[axis]}, i};
        remove_end(std::greater<Position>());
        remove_end(std::less<Position>());
    }
    std::vector<MeshElement> out;
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (is_kept[i]) out.push_back(elements[i]);
    return out;
}

// Returns the box of a sample after its ends were trimmed as long as this at least halves the box.
Aabb core_of(std::vector<MeshElement> elements, bool by_area)
{
    Aabb box = box_of(elements);
    for (int i = 0; i < max_trims; ++i) {
        auto remaining = trim(elements, by_area);
        const Aabb smaller = box_of(remaining);
        if (remaining.empty() || diagonal(smaller) > 0.5 * diagonal(box)) break;
        elements = std::move(remaining);
        box = smaller;
    }
    return box;
}

// Extends the core by elements near it, repeatedly. Returns nullopt if this needs more than max_passes.
std::optional<Aabb> grow(Aabb core, const Elements& elements)
{
    const double reach = min_outlier_gap_ratio * diagonal(core);
    for (int pass = 0; pass < max_passes; ++pass) {
        bool grew = false;
        elements.each([&](const ElementCorners& corners) {
            const Aabb box = corners.box();
            if (core.contains(box) || gap_between(core, box) > reach) return;
            core.add(box);
            grew = true;
        });
        if (!grew) return core;
    }
    return std::nullopt;
}

// Returns the box of all elements except outliers; nullopt if there are no outliers.
std::optional<Aabb> main_box(Elements& elements, const Aabb& all)
{
    if (elements.count() < 2 || !is_finite(all)) return std::nullopt;
    auto sample = elements.sample();
    const bool by_area = std::ranges::any_of(sample, [](const MeshElement& e) { return e.area > 0.0; });
    const Aabb core = core_of(std::move(sample), by_area);
    if (!(diagonal(core) > 0.0) || diagonal(all) <= min_outlier_gap_ratio * diagonal(core))
        return std::nullopt;
    elements.skin();
    const auto box = grow(core, elements);
    return box && diagonal(all) > min_outlier_gap_ratio * diagonal(*box) ? box : std::nullopt;
}

} // namespace

std::optional<Outliers> find_outliers(const Scene& scene)
{
    Elements elements(scene);
    const Aabb all = elements.box();
    const auto main = main_box(elements, all);
    if (!main) return std::nullopt;
    Outliers out;
    out.vertices.resize(elements.instances().size());
    out.enlargement = diagonal(all) / diagonal(*main);
    double outlier_area = 0.0, total_area = 0.0;
    elements.each([&](const ElementCorners& corners) {
        total_area += corners.area();
        if (main->contains(corners.box())) return;
        const Instance& instance = elements.instances()[corners.instance];
        if (out.elements++ == 0) out.node = instance.node;
        outlier_area += corners.area();
        auto& vertices = out.vertices[corners.instance];
        vertices.resize(scene.meshes[instance.mesh].positions.size());
        for (const auto vertex : corners.vertices)
            vertices[vertex] = true;
    });
    const double element_ratio = static_cast<double>(out.elements) / static_cast<double>(elements.count());
    const double area_ratio = total_area > 0.0 ? outlier_area / total_area : element_ratio;
    if (out.elements == 0 || area_ratio > max_outlier_area_ratio || element_ratio > max_outlier_element_ratio)
        return std::nullopt;
    return out;
}

std::optional<Warning> warn_about_outliers(const Scene& scene)
{
    const auto outliers = find_outliers(scene);
    if (!outliers) return std::nullopt;
    const auto enlargement = static_cast<std::uint64_t>(std::min(outliers->enlargement, 1e18));
    const Node& node = scene.nodes[outliers->node];
    return Warning{"outliers_not_framed",
                   std::to_string(outliers->elements) +
                       (outliers->elements == 1
                            ? " small triangle, line or point is so distant that it enlarges"
                            : " small triangles, lines or points are so distant that they enlarge") +
                       " the model by a factor of " + std::to_string(enlargement) +
                       "; cameras that frame the model ignore " + (outliers->elements == 1 ? "it" : "them"),
                   node.name.empty() ? "node " + std::to_string(outliers->node) : "node '" + node.name + "'"};
}

} // namespace vitrine::scene

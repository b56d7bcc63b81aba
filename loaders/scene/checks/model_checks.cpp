// Budgets of geometry, faults of skins, textures and the file's space.
#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/checks/check_parts.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/motion/pose.hpp"

namespace vitrine::scene {
namespace {

std::uint64_t count_triangles(const Scene& scene)
{
    std::uint64_t indices = 0;
    for (const auto& mesh : scene.meshes)
        for (const auto& primitive : mesh.primitives)
            if (!mesh.shares_geometry && primitive.topology == Topology::triangles)
                indices += primitive.count;
    return indices / 3;
}

std::size_t count_primitives(const Scene& scene)
{
    std::size_t count = 0;
    for (const auto& instance : find_instances(scene))
        count += scene.meshes[instance.mesh].primitives.size();
    return count;
}

std::size_t count_joints(const Scene& scene)
{
    std::set<std::uint32_t> joints;
    for (const auto& skin : scene.skins)
        for (const auto joint : skin.joints)
            joints.insert(file_node(scene, joint));
    return joints.size();
}

std::uint32_t max_influences(const Influences& influences)
{
    std::uint32_t most = 0;
    for (std::size_t vertex = 0; vertex + 1 < influences.first.size(); ++vertex) {
        std::uint32_t count = 0;
        for (auto i = influences.first[vertex]; i < influences.first[vertex + 1]; ++i)
            count += influences.weights[i] != 0.0f ? 1 : 0;
        most = std::max(most, count);
    }
    return most;
}

// The up axis of the file: "Y", "-Z".
std::string up_axis_of(const FileSpace& space)
{
    constexpr std::string_view names = "XYZ";
    for (int axis = 0; axis < 3; ++axis)
        if (std::abs(space.axes[axis].y) > 0.5f)
            return std::string(space.axes[axis].y < 0.0f ? "-" : "") + names[static_cast<std::size_t>(axis)];
    return "Y";
}

void check_skin(const Mesh& mesh, std::size_t index, FindingList& findings)
{
    std::size_t unweighted = 0;
    double deviation = 0.0;
    for (std::size_t vertex = 0; vertex + 1 < mesh.influences.first.size(); ++vertex) {
        double sum = 0.0;
        for (auto i = mesh.influences.first[vertex]; i < mesh.influences.first[vertex + 1]; ++i)
            sum += double{mesh.influences.weights[i]};
        if (sum == 0.0)
            ++unweighted;
        else
            deviation = std::max(deviation, std::abs(sum - 1.0));
    }
    const auto path = pointer_to("meshes", index);
    findings.limit(Rule::skin_unweighted_vertices, path, static_cast<double>(unweighted), [&] {
        return fmt::format("no joint moves {} vertices of the skinned mesh {}", unweighted,
                           quoted_name(mesh.name));
    });
    findings.limit(Rule::skin_weight_sum, path, deviation, [&] {
        return fmt::format("the weights of a vertex of the mesh {} miss a sum of 1 by {:.3g}",
                           quoted_name(mesh.name), deviation);
    });
}

void check_mesh_budgets(const Scene& scene, FindingList& findings)
{
    for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
        const auto& mesh = scene.meshes[i];
        if (mesh.shares_geometry) continue;
        const auto influences = max_influences(mesh.influences);
        findings.limit(Rule::model_influences, pointer_to("meshes", i), influences, [&] {
            return fmt::format("{} joints move one vertex of the mesh {}; the limit is {:.0f}", influences,
                               quoted_name(mesh.name), findings.limit_of(Rule::model_influences));
        });
        const auto targets = mesh.morph_targets.size();
        findings.limit(Rule::model_morph_targets, pointer_to("meshes", i), static_cast<double>(targets), [&] {
            return fmt::format("the mesh {} has {} morph targets; the limit is {:.0f}",
                               quoted_name(mesh.name), targets, findings.limit_of(Rule::model_morph_targets));
        });
    }
}

// Whether the side is a power of two. Images of unknown size are not judged.
bool is_power_of_two(std::uint32_t side)
{
    return side == 0 || std::has_single_bit(side);
}

void check_image(const Image& image, std::size_t index, FindingList& findings)
{
    const auto path = pointer_to("images", index);
    const auto name = quoted_name(image.name);
    // Callers that need no pixels have none of good images either.
    if (!image.is_available() && image.width == 0) {
        findings.add(Rule::texture_missing, path, image.name, std::monostate(),
                     fmt::format("the image {} is missing or cannot be decoded", name));
        return;
    }
    const auto side = std::max(image.width, image.height);
    findings.limit(Rule::texture_side, path, side, [&] {
        return fmt::format("the image {} has {} x {} pixels; the limit is {:.0f}", name, image.width,
                           image.height, findings.limit_of(Rule::texture_side));
    });
    if (!is_power_of_two(image.width) || !is_power_of_two(image.height))
        findings.add(Rule::texture_power_of_two, path, fmt::format("{}x{}", image.width, image.height),
                     std::monostate(),
                     fmt::format("the sides of the image {} are no powers of two: {} x {} pixels", name,
                                 image.width, image.height));
}

} // namespace

void check_counts(const Scene& scene, FindingList& findings)
{
    const auto clips = static_cast<std::size_t>(std::ranges::count_if(scene.clips, [](const Clip& clip) {
        return std::ranges::any_of(clip.channels, [](const Channel& c) { return !c.times.empty(); });
    }));
    const bool is_skeleton = scene.nodes.size() > 1 && !scene.skins.empty();
    if (!draws_anything(scene) && clips == 0 && !is_skeleton)
        findings.add(Rule::model_empty, "", std::monostate(), std::monostate(),
                     "the file has neither visible geometry nor a clip");
    const auto meshes =
        static_cast<std::size_t>(std::ranges::count(scene.meshes, false, &Mesh::shares_geometry));
    const auto count = [&](Rule rule, std::string_view member, std::uint64_t value, std::string_view what) {
        findings.limit(rule, fmt::format("/counts/{}", member), static_cast<double>(value), [&] {
            return fmt::format("the model has {} {}; the limit is {:.0f}", value, what,
                               findings.limit_of(rule));
        });
    };
    count(Rule::model_triangles, "triangles", count_triangles(scene), "triangles");
    count(Rule::model_vertices, "vertices", scene.source_vertices, "vertices");
    count(Rule::model_meshes, "meshes", meshes, "meshes");
    count(Rule::model_primitives, "primitives", count_primitives(scene), "visible primitives");
    count(Rule::model_joints, "joints", count_joints(scene), "joints");
    count(Rule::model_materials, "materials", scene.materials.size(), "materials");
    count(Rule::model_images, "images", scene.images.size(), "images");
    count(Rule::model_clips, "clips", clips, "clips");
    check_mesh_budgets(scene, findings);
}

void check_skins(const Scene& scene, FindingList& findings)
{
    std::set<std::uint32_t> skinned;
    for (const Node& node : scene.nodes)
        if (node.skin != none && node.mesh != none) skinned.insert(node.mesh);
    for (const auto mesh : skinned)
        if (!scene.meshes[mesh].shares_geometry) check_skin(scene.meshes[mesh], mesh, findings);
}

void check_textures(const Scene& scene, FindingList& findings)
{
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < scene.images.size(); ++i) {
        const auto& image = scene.images[i];
        check_image(image, i, findings);
        bytes += std::uint64_t{image.width} * image.height * 4;
    }
    findings.limit(Rule::texture_bytes, "/counts/images", static_cast<double>(bytes), [&] {
        return fmt::format("the images have {} bytes of pixels; the limit is {:.0f}", bytes,
                           findings.limit_of(Rule::texture_bytes));
    });
}

void check_space(const Scene& scene, const CheckProfile& profile, FindingList& findings)
{
    const auto up = up_axis_of(scene.file_space);
    if (profile.up_axis && up != *profile.up_axis)
        findings.add(Rule::space_up_axis, "/fileSpace/upAxis", up, *profile.up_axis,
                     fmt::format("the up axis of the file is {} instead of {}", up, *profile.up_axis));
    const double unit = scene.file_space.unit_meters;
    if (profile.unit_meters && std::abs(unit - *profile.unit_meters) > 1e-6 * *profile.unit_meters)
        findings.add(
            Rule::space_unit, "/fileSpace/unitMetres", unit, *profile.unit_meters,
            fmt::format("the unit of the file is {:.4g} m instead of {:.4g} m", unit, *profile.unit_meters));
    if (!profile.size.is_limited() || !draws_anything(scene)) return;
    const auto box = static_bounds(scene);
    const glm::vec3 sides = box.max - box.min;
    const double size = std::max({double{sides.x}, double{sides.y}, double{sides.z}});
    if (profile.size.contains(size)) return;
    const bool is_small = size < profile.size.min;
    findings.add(Rule::space_size, "/bounds", size, is_small ? profile.size.min : profile.size.max,
                 fmt::format("the model is {:.4g} m large; the profile allows {} {:.4g} m", size,
                             is_small ? "at least" : "at most",
                             is_small ? profile.size.min : profile.size.max));
}

} // namespace vitrine::scene

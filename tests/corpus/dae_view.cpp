#include "tests/corpus/dae_view.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "loaders/dae/dae.hpp"
#include "loaders/io/xml/xml.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/skinning/skinner.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine::test {
namespace {

constexpr std::string_view suites_camera = "testCamera";
constexpr double min_near = 1e-3, default_far = 1e9; // of the file's units

io::XmlNode find_below(io::XmlNode root, std::string_view name, std::string_view id = {})
{
    if (root.is(name) && (id.empty() || root.attribute("id") == id)) return root;
    for (const io::XmlNode child : root)
        if (const io::XmlNode found = find_below(child, name, id); found.exists()) return found;
    return {};
}

std::string_view name_of(io::XmlNode node)
{
    return node.has_attribute("name") ? node.attribute("name") : node.attribute("id");
}

// The <instance_camera> below the suite's own node.
io::XmlNode suites_instance(io::XmlNode root)
{
    if (root.is("node") && (root.attribute("id") == suites_camera || name_of(root) == suites_camera))
        return root.child("instance_camera");
    for (const io::XmlNode child : root)
        if (const io::XmlNode found = suites_instance(child); found.exists()) return found;
    return {};
}

// Where the scene that is shown holds one, else anywhere: it may stand in <library_nodes>.
io::XmlNode instance_of_camera(io::XmlNode root)
{
    const std::string_view url = find_below(root, "instance_visual_scene").attribute("url");
    const io::XmlNode shown =
        url.starts_with('#') ? find_below(root, "visual_scene", url.substr(1)) : io::XmlNode();
    for (const io::XmlNode place : {shown, root}) {
        if (!place.exists()) continue;
        if (const io::XmlNode found = suites_instance(place); found.exists()) return found;
        if (const io::XmlNode found = find_below(place, "instance_camera"); found.exists()) return found;
    }
    return {};
}

double number_in(io::XmlNode optics, std::string_view name)
{
    return std::strtod(std::string(optics.child(name).text()).c_str(), nullptr);
}

double perspective_scale(io::XmlNode optics, std::string_view angle)
{
    const double degrees = number_in(optics, angle);
    return degrees > 0.0 ? 1.0 / std::tan(glm::radians(degrees) / 2.0) : 0.0;
}

double orthographic_scale(io::XmlNode optics, std::string_view half, double meters)
{
    const double units = number_in(optics, half);
    return units > 0.0 ? 1.0 / (units * meters) : 0.0;
}

double distance_in(io::XmlNode camera, std::string_view name, double unless)
{
    const io::XmlNode element = find_below(camera, name);
    return element.exists() ? std::strtod(std::string(element.text()).c_str(), nullptr) : unless;
}

std::optional<DaeCamera> camera_of(io::XmlNode root, const scene::FileSpace& space)
{
    const io::XmlNode instance = instance_of_camera(root);
    const std::string_view url = instance.attribute("url");
    if (!url.starts_with('#')) return std::nullopt;
    const io::XmlNode camera = find_below(root, "camera", url.substr(1));
    DaeCamera found{.node = std::string(name_of(instance.parent())), .axes = space.axes};
    if (const io::XmlNode optics = find_below(camera, "perspective"); optics.exists()) {
        found.x_scale = perspective_scale(optics, "xfov");
        found.y_scale = perspective_scale(optics, "yfov");
    } else if (const io::XmlNode flat = find_below(camera, "orthographic"); flat.exists()) {
        found.orthographic = true;
        found.x_scale = orthographic_scale(flat, "xmag", space.unit_meters);
        found.y_scale = orthographic_scale(flat, "ymag", space.unit_meters);
    }
    if (found.x_scale == 0.0 && found.y_scale == 0.0) return std::nullopt;
    found.near = std::max(distance_in(camera, "znear", min_near), min_near) * space.unit_meters;
    found.far = distance_in(camera, "zfar", default_far) * space.unit_meters;
    return found;
}

struct Projection {
    glm::dmat4 view;
    double fx, fy;
    bool orthographic;
    double near, far;

    glm::dvec2 pixel(const glm::dvec3& p, const Mask& mask) const
    {
        const double away = orthographic ? 1.0 : -p.z;
        return {(1.0 + fx * p.x / away) * 0.5 * mask.width, (1.0 - fy * p.y / away) * 0.5 * mask.height};
    }
};

Projection projection_of(const DaeCamera& camera, const glm::mat4& node, const Mask& mask)
{
    // Transforms are conjugated into the scene's space.
    glm::dmat4 place(node);
    for (glm::length_t column = 0; column < 3; ++column)
        place[column] = glm::normalize(place[column]);
    const glm::dmat4 axes(glm::transpose(glm::dmat3(camera.axes)));
    const double aspect = double(mask.width) / mask.height;
    return {.view = axes * glm::inverse(place),
            .fx = camera.x_scale > 0.0 ? camera.x_scale : camera.y_scale / aspect,
            .fy = camera.y_scale > 0.0 ? camera.y_scale : camera.x_scale * aspect,
            .orthographic = camera.orthographic,
            .near = camera.near,
            .far = camera.far};
}

// What of a polygon has sign * z above the limit.
std::vector<glm::dvec3> clipped(const std::vector<glm::dvec3>& polygon, double sign, double limit)
{
    std::vector<glm::dvec3> left;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const glm::dvec3 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
        const double before = sign * a.z - limit, after = sign * b.z - limit;
        if (before >= 0.0) left.push_back(a);
        if ((before >= 0.0) != (after >= 0.0)) left.push_back(glm::mix(a, b, before / (before - after)));
    }
    return left;
}

void draw_mesh(const scene::SkinnedMesh& skinned, const scene::Mesh& mesh, const Projection& through,
               Mask& mask)
{
    for (const scene::Primitive& primitive : mesh.primitives) {
        if (primitive.topology != scene::Topology::triangles) continue;
        for (std::uint32_t i = primitive.first; i + 2 < primitive.first + primitive.count; i += 3) {
            std::vector<glm::dvec3> polygon;
            for (std::uint32_t corner = 0; corner < 3; ++corner)
                polygon.emplace_back(through.view *
                                     glm::dvec4(skinned.positions[mesh.indices[i + corner]], 1.0));
            polygon = clipped(clipped(polygon, -1.0, through.near), 1.0, -through.far);
            for (std::size_t p = 2; p < polygon.size(); ++p)
                fill(mask, {through.pixel(polygon[0], mask), through.pixel(polygon[p - 1], mask),
                            through.pixel(polygon[p], mask)});
        }
    }
}

scene::Pose pose_at(const scene::Scene& scene, double time)
{
    scene::Pose pose;
    if (scene.clips.empty()) {
        scene::static_pose(scene, pose);
        return pose;
    }
    const scene::Clip& clip = scene.clips[0];
    scene::sample_pose(scene, 0, std::clamp(time - clip.start_time, 0.0, clip.duration), pose);
    return pose;
}

} // namespace

std::optional<DaeView> open_dae_view(const std::filesystem::path& file)
{
    const std::string text = read_file(file);
    const auto document = io::XmlDocument::parse(std::as_bytes(std::span(text)), Limits());
    if (!document) return std::nullopt;
    auto source = MemorySource::folder_of(file);
    auto scene = load_dae(source, Limits());
    if (!scene) return std::nullopt;
    auto camera = camera_of(document->root(), scene->file_space);
    if (!camera) return std::nullopt;
    return DaeView{std::move(*scene), std::move(*camera)};
}

Mask draw(const DaeView& seen, double time, int width, int height)
{
    Mask mask(width, height);
    const scene::Scene& scene = seen.scene;
    const auto node = std::ranges::find(scene.nodes, seen.camera.node, &scene::Node::name);
    if (node == scene.nodes.end()) return mask;
    const scene::Pose pose = pose_at(scene, time);
    const Projection through =
        projection_of(seen.camera, pose.model[static_cast<std::size_t>(node - scene.nodes.begin())], mask);
    scene::Skinner skinner(scene);
    const auto meshes = skinner.skin_positions(pose);
    for (std::size_t i = 0; i < meshes.size(); ++i)
        draw_mesh(meshes[i], scene.meshes[skinner.instances()[i].mesh], through, mask);
    return mask;
}

} // namespace vitrine::test

#include "tests/corpus/dae_silhouettes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "loaders/dae/dae.hpp"
#include "loaders/images/image.hpp"
#include "loaders/io/xml.hpp"
#include "loaders/scene/pose.hpp"
#include "loaders/scene/skinner.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine::test {
namespace {

namespace fs = std::filesystem;

constexpr int background_tolerance = 24; // of 255

struct Mask {
    int width = 0, height = 0;
    std::vector<bool> covered; // rows, top first
    Mask(int w, int h)
        : width(w), height(h), covered(static_cast<std::size_t>(w) * static_cast<std::size_t>(h))
    {
    }
    auto at(int x, int y)
    {
        return covered[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                       static_cast<std::size_t>(x)];
    }
};

// The background is what the corner shows.
Mask silhouette_of(const scene::Image& image)
{
    Mask mask(static_cast<int>(image.width), static_cast<int>(image.height));
    for (std::size_t i = 0; i < mask.covered.size(); ++i)
        for (std::size_t channel = 0; channel < 3; ++channel)
            if (std::abs(int{image.pixels[4 * i + channel]} - int{image.pixels[channel]}) >
                background_tolerance)
                mask.covered[i] = true;
    return mask;
}

struct Camera {
    std::string node;
    double x_scale = 0.0, y_scale = 0.0; // of the projection; 0: by the picture's shape
};

io::XmlNode find_below(io::XmlNode root, std::string_view name, std::string_view id = {})
{
    if (root.is(name) && (id.empty() || root.attribute("id") == id)) return root;
    for (const io::XmlNode child : root)
        if (const io::XmlNode found = find_below(child, name, id); found.exists()) return found;
    return {};
}

double scale_of(io::XmlNode perspective, std::string_view angle)
{
    const std::string text(perspective.child(angle).text());
    return text.empty() ? 0.0 : 1.0 / std::tan(glm::radians(std::strtod(text.c_str(), nullptr)) / 2.0);
}

// The first one that is instantiated.
std::optional<Camera> camera_of(io::XmlNode root)
{
    const io::XmlNode instance = find_below(root, "instance_camera");
    const std::string_view url = instance.attribute("url");
    if (!url.starts_with('#')) return std::nullopt;
    const io::XmlNode perspective = find_below(find_below(root, "camera", url.substr(1)), "perspective");
    if (!perspective.exists()) return std::nullopt;
    const io::XmlNode node = instance.parent();
    const std::string_view name = node.has_attribute("name") ? node.attribute("name") : node.attribute("id");
    Camera camera{std::string(name), scale_of(perspective, "xfov"), scale_of(perspective, "yfov")};
    if (camera.x_scale == 0.0 && camera.y_scale == 0.0) return std::nullopt;
    return camera;
}

void fill(Mask& mask, const std::array<glm::dvec2, 3>& p)
{
    const auto edge = [](const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c) {
        return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    };
    const auto clamped = [](double v, int most) {
        return static_cast<int>(std::clamp(v, 0.0, double(most)));
    };
    const auto [left, right] = std::minmax({p[0].x, p[1].x, p[2].x});
    const auto [top, bottom] = std::minmax({p[0].y, p[1].y, p[2].y});
    for (int y = clamped(top, mask.height); y < clamped(bottom + 1.0, mask.height); ++y)
        for (int x = clamped(left, mask.width); x < clamped(right + 1.0, mask.width); ++x) {
            const glm::dvec2 c(x + 0.5, y + 0.5);
            const double a = edge(p[0], p[1], c), b = edge(p[1], p[2], c), d = edge(p[2], p[0], c);
            if ((a >= 0.0 && b >= 0.0 && d >= 0.0) || (a <= 0.0 && b <= 0.0 && d <= 0.0))
                mask.at(x, y) = true;
        }
}

// Triangles that reach behind the camera are left out.
void draw(const scene::SkinnedMesh& skinned, const scene::Mesh& mesh, const glm::dmat4& view,
          const Camera& camera, Mask& mask)
{
    const double aspect = double(mask.width) / mask.height;
    const double fx = camera.x_scale > 0.0 ? camera.x_scale : camera.y_scale / aspect;
    const double fy = camera.y_scale > 0.0 ? camera.y_scale : camera.x_scale * aspect;
    for (const scene::Primitive& primitive : mesh.primitives) {
        if (primitive.topology != scene::Topology::triangles) continue;
        for (std::uint32_t i = primitive.first; i + 2 < primitive.first + primitive.count; i += 3) {
            std::array<glm::dvec2, 3> points;
            bool before = true;
            for (std::uint32_t corner = 0; corner < 3; ++corner) {
                const glm::dvec4 p = view * glm::dvec4(skinned.positions[mesh.indices[i + corner]], 1.0);
                before = before && p.z < -1e-6;
                points[corner] = {(1.0 - fx * p.x / p.z) * 0.5 * mask.width,
                                  (1.0 + fy * p.y / p.z) * 0.5 * mask.height};
            }
            if (before) fill(mask, points);
        }
    }
}

Mask draw(const scene::Scene& scene, const scene::Pose& pose, const Camera& camera, int width, int height)
{
    Mask mask(width, height);
    const auto node = std::ranges::find(scene.nodes, camera.node, &scene::Node::name);
    if (node == scene.nodes.end()) return mask;
    // Transforms are conjugated into the scene's space: the camera looks along the file's -z.
    glm::dmat4 place(pose.model[static_cast<std::size_t>(node - scene.nodes.begin())]);
    for (glm::length_t column = 0; column < 3; ++column)
        place[column] = glm::normalize(place[column]);
    const glm::dmat4 view =
        glm::dmat4(glm::transpose(glm::dmat3(scene.file_space.axes))) * glm::inverse(place);
    scene::Skinner skinner(scene);
    const auto meshes = skinner.skin_positions(pose);
    for (std::size_t i = 0; i < meshes.size(); ++i)
        draw(meshes[i], scene.meshes[skinner.instances()[i].mesh], view, camera, mask);
    return mask;
}

double overlap(const Mask& a, const Mask& b)
{
    std::size_t both = 0, either = 0;
    for (std::size_t i = 0; i < a.covered.size(); ++i) {
        both += a.covered[i] && b.covered[i] ? 1 : 0;
        either += a.covered[i] || b.covered[i] ? 1 : 0;
    }
    return either == 0 ? 1.0 : static_cast<double>(both) / static_cast<double>(either);
}

// A picture does not say of which moment of the first clip it is.
std::vector<scene::Pose> moments_of(const scene::Scene& scene)
{
    if (scene.clips.empty()) {
        std::vector<scene::Pose> poses(1);
        scene::rest_pose(scene, poses[0]);
        return poses;
    }
    std::vector<scene::Pose> poses(3);
    for (std::size_t i = 0; i < poses.size(); ++i)
        scene::sample_pose(scene, 0, scene.clips[0].duration * static_cast<double>(i) / 2.0, poses[i]);
    return poses;
}

// Of the picture that a Blessed/default.txt names and what we draw; none where they cannot be compared.
std::optional<double> overlap_of(const fs::path& default_file)
{
    const fs::path folder = default_file.parent_path().parent_path();
    const fs::path file = folder / (folder.filename().string() + ".dae");
    std::string picture = read_file(default_file);
    picture.resize(std::min(picture.find_first_of("\r\n"), picture.size()));
    std::ranges::replace(picture, '\\', '/');
    const fs::path path = default_file.parent_path() / picture;
    if (!fs::is_regular_file(file) || path.extension() != ".png" || !fs::is_regular_file(path))
        return std::nullopt;
    const std::string bytes = read_file(path), text = read_file(file);
    const auto image = images::decode_image(std::as_bytes(std::span(bytes)), picture, Limits());
    const auto document = io::XmlDocument::parse(std::as_bytes(std::span(text)), Limits());
    if (!image || !document) return std::nullopt;
    const auto camera = camera_of(document->root());
    auto source = MemorySource::folder_of(file);
    const auto scene = load_dae(source, Limits());
    if (!camera || !scene) return std::nullopt;
    const Mask blessed = silhouette_of(*image);
    double best = 0.0;
    for (const scene::Pose& pose : moments_of(*scene))
        best = std::max(best, overlap(draw(*scene, pose, *camera, blessed.width, blessed.height), blessed));
    return best;
}

} // namespace

std::map<std::string, double> compare_silhouettes(const fs::path& folder)
{
    std::map<std::string, double> overlaps;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.path().filename() == "default.txt" && entry.path().parent_path().filename() == "Blessed")
            if (const auto found = overlap_of(entry.path())) overlaps[entry.path().string()] = *found;
    return overlaps;
}

} // namespace vitrine::test

#include "loaders/gltf/nodes/nodes.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loaders/gltf/document/accessor.hpp"
#include "loaders/gltf/document/fields.hpp"
#include "loaders/gltf/document/key_repair.hpp"
#include "loaders/gltf/document/specification_checks.hpp"
#include "loaders/gltf/nodes/visibility.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/validation/validate_helpers.hpp"

namespace vitrine::gltf {
namespace {

// Returns whether T * R * S equals the matrix, up to rounding.
bool same_matrix(const glm::mat4& a, const glm::mat4& b)
{
    for (int column = 0; column < 3; ++column) {
        const glm::dvec3 of_a(a[column]);
        if (!(glm::length(of_a - glm::dvec3(b[column])) <= 1e-4 * glm::length(of_a))) return false;
    }
    return true;
}

class NodeLoader {
public:
    NodeLoader(Document& document, scene::Scene& scene)
        : document_(document), scene_(scene), cameras_(document.root()["cameras"].size())
    {
    }

    LoadResult<scene::Node> run(io::JsonValue value)
    {
        Fields fields(value);
        LenientFields lenient(value, document_.warnings());
        scene::Node node;
        node.name = lenient.string("name");
        lenient.index("camera", cameras_);
        node.mesh = fields.optional_index("mesh", scene_.meshes.size());
        node.skin = fields.optional_index("skin", document_.list("skins").size());
        read_transform(fields, value, node);
        if (fields.failed()) return fields.error();
        if (node.skin != scene::none && node.mesh == scene::none) {
            document_.warnings().add("skin_without_mesh", "a skin has no mesh; it is ignored",
                                     value.pointer());
            node.skin = scene::none;
        }
        read_weights(value, node);
        return node;
    }

private:
    void read_transform(Fields& fields, io::JsonValue value, scene::Node& node)
    {
        glm::mat4 matrix(1.0f);
        if (fields.numbers("matrix", std::span<float, 16>(&matrix[0][0], 16))) {
            read_matrix(value, matrix, node);
            if (value["translation"].exists() || value["rotation"].exists() || value["scale"].exists())
                warn("a node has a matrix and a translation, rotation or scale; the matrix is used", value);
            return;
        }
        glm::vec4 q(0.0f, 0.0f, 0.0f, 1.0f);
        fields.numbers("translation", std::span<float, 3>(&node.local.translation[0], 3));
        fields.numbers("rotation", std::span<float, 4>(&q[0], 4));
        fields.numbers("scale", std::span<float, 3>(&node.local.scale[0], 3));
        const double length = glm::length(glm::dvec4(q));
        if (length == 0.0 || std::abs(length - 1.0) > 1e-3)
            document_.warnings().add("quaternion_length",
                                     "the rotation does not have unit length; it is normalized",
                                     value.pointer() + "/rotation");
        if (std::abs(length - 1.0) >= quaternion_length_tolerance)
            q = length == 0.0 ? glm::vec4(0.0f, 0.0f, 0.0f, 1.0f) : glm::vec4(glm::dvec4(q) / length);
        node.local.rotation = glm::quat(q.w, q.x, q.y, q.z);
    }

    void read_matrix(io::JsonValue value, glm::mat4 matrix, scene::Node& node)
    {
        if (matrix[0].w != 0.0f || matrix[1].w != 0.0f || matrix[2].w != 0.0f || matrix[3].w != 1.0f)
            document_.warnings().add("projective_matrix",
                                     "the last row of the matrix is not 0 0 0 1; it is ignored",
                                     value.pointer() + "/matrix");
        for (int column = 0; column < 4; ++column)
            matrix[column].w = column == 3 ? 1.0f : 0.0f;
        const scene::Trs parts = scene::decompose(matrix);
        if (scene::is_finite(parts.scale))
            node.local = parts; // the length of a column may exceed float's range
        if (!same_matrix(matrix, scene::to_matrix(parts))) {
            node.matrix = matrix;
            warn("the matrix is not a translation, rotation and scale; it is used unmodified", value);
        }
    }

    void read_weights(io::JsonValue value, scene::Node& node)
    {
        const io::JsonValue weights = value["weights"];
        if (!weights.exists()) return;
        if (node.mesh == scene::none) return warn("a node has weights but no mesh; they are ignored", value);
        const std::size_t targets = scene_.meshes[node.mesh].morph_targets.size();
        if (weights.size() != targets)
            document_.warnings().add("weight_count",
                                     fmt::format("{} weights for {} morph targets", weights.size(), targets),
                                     weights.pointer());
        for (std::uint32_t t = 0; t < targets; ++t)
            node.morph_weights.push_back(weight_of(weights[t], document_.warnings()));
    }

    void warn(const char* message, io::JsonValue node)
    {
        document_.warnings().add("invalid_node", message, node.pointer());
    }

    Document& document_;
    scene::Scene& scene_;
    std::uint32_t cameras_;
};

LoadResult<void> link_children(io::JsonValue nodes, scene::Scene& scene, io::WarningLog& warnings)
{
    for (std::uint32_t parent = 0; parent < nodes.size(); ++parent) {
        const io::JsonValue children = nodes[parent]["children"];
        if (auto checked = check_array(children); !checked) return checked;
        for (const io::JsonValue child : children) {
            const LoadResult<std::uint32_t> index = to_index(child, nodes.size());
            if (!index) return std::unexpected(index.error());
            scene::Node& node = scene.nodes[*index];
            if (node.parent != scene::none && node.parent != parent)
                return fail(LoadErrc::malformed, child.pointer(),
                            fmt::format("node {} has two parents", *index));
            if (node.parent == parent)
                warnings.add("invalid_node", "a node is a child of its parent twice", child.pointer());
            node.parent = parent;
        }
    }
    return {};
}

// Returns the root nodes of the shown scene; all roots when there is no scene.
LoadResult<std::vector<bool>> shown_roots(Document& document, const scene::Scene& scene)
{
    const io::JsonValue scenes = document.list("scenes");
    std::vector<bool> shown(scene.nodes.size(), scenes.size() == 0);
    if (scenes.size() == 0) return shown;
    Fields fields(document.root());
    const std::uint32_t active = fields.optional_index("scene", scenes.size());
    if (fields.failed()) return fields.error();
    const io::JsonValue roots = scenes[active == scene::none ? 0u : active]["nodes"];
    if (auto checked = check_array(roots); !checked) return std::unexpected(checked.error());
    for (const io::JsonValue root : roots) {
        const LoadResult<std::uint32_t> index = to_index(root, scene.nodes.size());
        if (!index) return std::unexpected(index.error());
        shown[*index] = true;
    }
    return shown;
}

// A node is visible when it or an ancestor is a root of the scene; KHR_node_visibility hides subtrees.
class Visibility {
public:
    // `hiding`: nodes hidden by animations only.
    Visibility(io::JsonValue nodes, const scene::Scene& scene, std::vector<bool> shown,
               std::set<std::uint32_t> hiding)
        : nodes_(nodes), scene_(scene), shown_(std::move(shown)), hiding_(std::move(hiding)),
          state_(scene.nodes.size(), State::unknown)
    {
    }

    // Returns false for a node on or below a cycle.
    bool is_visible(std::uint32_t node)
    {
        std::vector<std::uint32_t> path;
        for (std::uint32_t at = node;
             at != scene::none && state_[at] == State::unknown && path.size() <= state_.size();
             at = scene_.nodes[at].parent)
            path.push_back(at);
        for (; !path.empty(); path.pop_back())
            settle(path.back());
        return state_[node] == State::visible;
    }

private:
    enum class State : std::uint8_t { unknown, hidden, outside, visible };

    void settle(std::uint32_t node)
    {
        const std::uint32_t parent = scene_.nodes[node].parent;
        const State above = parent == scene::none ? State::outside : state_[parent];
        const io::JsonValue flag = nodes_[node]["extensions"]["KHR_node_visibility"]["visible"];
        if (above == State::hidden || (flag.boolean() == false && !hiding_.contains(node)))
            state_[node] = State::hidden;
        else
            state_[node] = shown_[node] || above == State::visible ? State::visible : State::outside;
    }

    io::JsonValue nodes_;
    const scene::Scene& scene_;
    std::vector<bool> shown_;
    std::set<std::uint32_t> hiding_;
    std::vector<State> state_;
};

} // namespace

LoadResult<void> load_nodes(Document& document, scene::Scene& scene)
{
    const io::JsonValue nodes = document.list("nodes");
    if (nodes.size() > document.budget().limits().nodes)
        return io::limit_exceeded_error("/nodes", "nodes", document.budget().limits().nodes);
    NodeLoader loader(document, scene);
    for (const io::JsonValue value : nodes) {
        LoadResult<scene::Node> node = loader.run(value);
        if (!node) return std::unexpected(node.error());
        scene.nodes.push_back(std::move(*node));
    }
    if (auto linked = link_children(nodes, scene, document.warnings()); !linked) return linked;
    check_scenes(document, scene);
    auto roots = shown_roots(document, scene);
    if (!roots) return std::unexpected(roots.error());
    const auto levels = find_node_levels(document);
    place_levels(levels, scene, *roots);
    Visibility visibility(nodes, scene, std::move(*roots), find_visibility_animated_nodes(document));
    for (std::uint32_t n = 0; n < nodes.size(); ++n)
        scene.nodes[n].visible = visibility.is_visible(n);
    set_levels(levels, scene);
    return add_instances(document, scene);
}

} // namespace vitrine::gltf

#include "loaders/dae/drawables.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/dae/skin_place.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/text_reader.hpp"

namespace vitrine::dae {
namespace {

// What brings `inner` coordinates into `outer` ones.
scene::Trs conversion(const Space& outer, const Space& inner)
{
    bool exact = true; // a rotation and one scale
    const DTrs trs = decompose(between(outer, inner), exact);
    return {glm::vec3(trs.translation), glm::quat(trs.rotation), glm::vec3(trs.scale)};
}

} // namespace

// Whether an instance names skeletons and none of them is there. Then nothing is skinned, whatever has the
// names of the joints, as the Conformance Test Suite's skin_broken says.
bool Drawables::lost_skeletons(io::XmlNode instance)
{
    bool named = false;
    for (io::XmlNode at = instance.child("skeleton"); at.exists(); at = at.next("skeleton")) {
        const std::string_view url = at.text();
        if (documents_.try_find(at, url).exists()) return false;
        named |= !url.empty();
    }
    return named;
}

LoadResult<void> Drawables::draw(const Drawn& drawn)
{
    Chain chain = follow(drawn.instance);
    if (!chain.geometry.exists()) return {};
    if (!mesh_of(chain.geometry).exists()) {
        const io::XmlNode content = chain.geometry.first_child();
        documents_.warn("unsupported_geometry",
                        fmt::format("geometry of the kind {} is not shown", io::shown(content.name())),
                        chain.geometry);
        return {};
    }
    if (chain.skin.exists() && lost_skeletons(drawn.instance)) {
        documents_.warn("missing_skeleton",
                        "no <skeleton> leads to a node: the mesh is shown without its skin", drawn.instance);
        chain.skin = {};
    }
    const auto rest = rest_below_morph(chain, drawn);
    if (!rest) return std::unexpected(rest.error());
    auto built = build(chain, materials_.bind(drawn.instance, symbols_of(chain.geometry)), drawn.node, *rest);
    if (!built) return std::unexpected(built.error());
    if ((*built)->mesh == scene::none) return {};
    return place(chain, **built, drawn);
}

LoadResult<void> Drawables::draw_alone(io::XmlNode geometry)
{
    const Chain chain{geometry, {}, geometry, {}};
    if (!mesh_of(geometry).exists()) return {};
    auto built = build(chain, materials_.bind(geometry, symbols_of(geometry)), scene::none);
    if (!built) return std::unexpected(built.error());
    if ((*built)->mesh == scene::none) return {};
    auto node = tree_.add_plain_node(name_of(geometry), scene::none);
    if (!node) return std::unexpected(node.error());
    scene_.nodes[*node].mesh = (*built)->mesh;
    scene_.nodes[*node].local =
        conversion(documents_.space_of(documents_.roots().front()), documents_.space_of(geometry));
    return {};
}

LoadResult<void> Drawables::add_unused(io::XmlNode root)
{
    const auto targets = find_morph_targets(documents_, sources_);
    for (io::XmlNode l = root.child("library_geometries"); l.exists(); l = l.next("library_geometries"))
        for (io::XmlNode g = l.child("geometry"); g.exists(); g = g.next("geometry")) {
            if (counted_.contains(g.key()) || targets.contains(g.key()) || !mesh_of(g).exists()) continue;
            auto built = build({g, {}, g, {}}, materials_.bind(g, symbols_of(g)), scene::none);
            if (!built) return std::unexpected(built.error());
        }
    return {};
}

bool Drawables::is_at_bind_shape(std::uint32_t node, const glm::dmat4& bind_shape) const
{
    return local_bind_shapes_ || (node != scene::none && stands_at(scene_, node, bind_shape));
}

LoadResult<const Drawables::Built*> Drawables::build(const Chain& chain, Binding binding, std::uint32_t node,
                                                     const Rest& rest)
{
    std::vector<Built>& known = rest ? built_at_rest_ : built_[{chain.target.key(), chain.skin.key()}];
    const auto same = std::ranges::find_if(known, [&](const Built& built) {
        return built.binding == binding &&
               (!chain.skin.exists() || built.is_at_bind_shape == is_at_bind_shape(node, built.bind_shape));
    });
    if (!rest && same != known.end()) return &*same;
    Built built{.binding = std::move(binding), .joints = {}, .weights = {}};
    const bool is_controlled = chain.skin.exists() || !chain.morphs.empty();
    auto mesh = build_mesh(chain.geometry, built.binding, is_controlled ? Origins::wanted : Origins::unwanted,
                           documents_, sources_, budget_);
    if (!mesh) return std::unexpected(mesh.error());
    mesh->mesh.is_variant = !counted_.insert(chain.geometry.key()).second;
    if (!mesh->mesh.is_variant) {
        scene_.source_vertices += mesh->positions;
        scene_.source_polygons += mesh->polygons;
    }
    if (mesh->mesh.indices.empty()) {
        documents_.warn("empty_mesh", "a mesh without primitives is left out", chain.geometry);
    } else if (auto added = add_controllers(chain, node, *mesh, built, rest); !added) {
        return std::unexpected(added.error());
    } else {
        if (scene_.meshes.size() >= budget_.limits().meshes)
            return io::over_limit(documents_.where(chain.geometry), "meshes", budget_.limits().meshes);
        built.mesh = static_cast<std::uint32_t>(scene_.meshes.size());
        scene_.meshes.push_back(std::move(mesh->mesh));
    }
    sources_.clear();
    known.push_back(std::move(built));
    return &known.back();
}

// A node has one mesh: the first goes onto it, further ones and those with a unit or axes of their own onto
// children.
LoadResult<std::uint32_t> Drawables::node_for(const Chain& chain, const Drawn& drawn)
{
    const Space outer = drawn.space, inner = documents_.space_of(chain.geometry, drawn.instance, outer);
    const bool fits = outer == inner || chain.skin.exists();
    if (fits && scene_.nodes[drawn.node].mesh == scene::none) return drawn.node;
    auto node = tree_.add_plain_node(name_of(chain.geometry), drawn.node);
    if (!node) return node;
    scene_.nodes[*node].visible = scene_.nodes[drawn.node].visible;
    if (!fits) scene_.nodes[*node].local = conversion(outer, inner);
    return node;
}

LoadResult<void> Drawables::place(const Chain& chain, const Built& built, const Drawn& drawn)
{
    const auto node = node_for(chain, drawn);
    if (!node) return std::unexpected(node.error());
    scene_.nodes[*node].mesh = built.mesh;
    if (!built.weights.empty()) morphed_.push_back({*node, built.weights});
    if (!chain.skin.exists() || built.is_at_rest) return {};
    const auto skin = skin_for(chain, built, drawn.instance, *node);
    if (!skin) return std::unexpected(skin.error());
    scene_.nodes[*node].skin = *skin;
    return {};
}

glm::dmat4 Drawables::bind_shape_of(const Built& built, std::uint32_t node) const
{
    glm::dmat4 matrix = built.joints.bind_shape;
    if (!local_bind_shapes_) return matrix;
    for (std::uint32_t at = scene_.nodes[node].parent; at != scene::none; at = scene_.nodes[at].parent)
        matrix = rest_matrix(scene_.nodes[at]) * matrix;
    return matrix;
}

LoadResult<std::uint32_t> Drawables::skin_for(const Chain& chain, const Built& built, io::XmlNode instance,
                                              std::uint32_t node)
{
    const auto roots = skeleton_roots(instance);
    if (!roots) return std::unexpected(roots.error());
    scene::Skin skin = bind(chain, built, instance, node, *roots);
    if (skin.joints.empty()) return scene::none;
    if (auto taken = take_along(built, node, skin); !taken) return std::unexpected(taken.error());
    std::vector<std::uint32_t> bound = skin.joints;
    if (local_bind_shapes_) bound.push_back(scene_.nodes[node].parent);
    const auto [known, is_new] =
        skins_.try_emplace({chain.target.key(), std::move(bound)}, scene_.skins.size());
    if (!is_new) return known->second;
    auto taken = documents_.at(instance, budget_.take_skin_joints(skin.joints.size(), {}));
    if (!taken) return std::unexpected(taken.error());
    scene_.skins.push_back(std::move(skin));
    return known->second;
}

LoadResult<void> Drawables::take_along(const Built& built, std::uint32_t node, scene::Skin& skin)
{
    if (local_bind_shapes_) return {};
    const BoundSkin bound{.node = node,
                          .bind_shape = built.bind_shape,
                          .joints = skin.joints,
                          .inverse_bind = skin.inverse_bind};
    std::vector<std::uint32_t> copied = skin.joints;
    for (const std::uint32_t root : skeletons_to_take_along(scene_, bound)) {
        const auto copy = tree_.add_copy(root, node);
        if (!copy) return std::unexpected(copy.error());
        const auto size = static_cast<std::uint32_t>(scene_.nodes.size()) - *copy;
        for (std::size_t j = 0; j < copied.size(); ++j)
            if (skin.joints[j] >= root && skin.joints[j] < root + size) copied[j] += *copy - root;
    }
    skin.joints = std::move(copied);
    return {};
}

scene::Skin Drawables::bind(const Chain& chain, const Built& built, io::XmlNode instance, std::uint32_t node,
                            const std::vector<SkeletonRoot>& roots)
{
    const glm::mat4 of_node(built.is_at_bind_shape ? glm::dmat4(1.0) : built.joints.bind_shape);
    const glm::dmat4 bound_shape = bind_shape_of(built, node);
    scene::Skin skin;
    skin.name = name_of(chain.target);
    std::size_t missing = 0;
    std::string_view first_missing;
    for (std::size_t j = 0; j < built.joints.names.size(); ++j) {
        const std::uint32_t joint =
            joint_finder_.find(built.joints, built.joints.names[j], chain.skin, roots, node);
        if (joint == scene::none && missing++ == 0) first_missing = built.joints.names[j];
        // What hangs on a joint that is not there follows the node, as the bind shape does.
        skin.joints.push_back(joint == scene::none ? node : joint);
        skin.inverse_bind.push_back(
            joint == scene::none ? of_node : glm::mat4(built.joints.inverse_bind[j] * bound_shape));
    }
    if (built.shares_bind_shape) {
        skin.joints.push_back(node);
        skin.inverse_bind.push_back(of_node);
    }
    if (missing > 0)
        documents_.warn(
            "missing_joint",
            fmt::format("{} joints are not there, the first is {}", missing, io::shown(first_missing)),
            instance);
    return skin;
}

// Nodes under which the joints are looked for. A skeleton that the scene does not instantiate is added.
LoadResult<std::vector<SkeletonRoot>> Drawables::skeleton_roots(io::XmlNode instance)
{
    const io::XmlNode main = documents_.roots().front();
    std::vector<SkeletonRoot> roots;
    std::uint32_t number = 0;
    for (io::XmlNode at = instance.child("skeleton"); at.exists(); at = at.next("skeleton"), ++number) {
        const io::XmlNode dom = documents_.find(at, at.text());
        if (!dom.is("node")) continue;
        if (tree_.instances_of(dom).empty())
            if (auto added = tree_.add_node(dom, main, scene::none, documents_.space_of(main)); !added)
                return std::unexpected(added.error());
        for (const std::uint32_t i : tree_.instances_of(dom))
            roots.push_back({tree_.instances()[i].node, number});
    }
    return roots;
}

} // namespace vitrine::dae

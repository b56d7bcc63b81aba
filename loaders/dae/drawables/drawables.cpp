#include "loaders/dae/drawables/drawables.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/dae/controllers/skin_placement.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::dae {
namespace {

// Returns the transform from `inner` to `outer` coordinates.
scene::Trs conversion(const AssetSpace& outer, const AssetSpace& inner)
{
    bool exact = true; // a rotation and a uniform scale
    const DoubleTrs trs = decompose(between(outer, inner), exact);
    return {glm::vec3(trs.translation), glm::quat(trs.rotation), glm::vec3(trs.scale)};
}

} // namespace

// Returns whether an instance names skeletons of which none exists. Then nothing is skinned, even if nodes
// have the joints' names, as in skin_broken of the Conformance Test Suite.
bool Drawables::has_missing_skeletons(io::XmlNode instance)
{
    bool named = false;
    for (io::XmlNode at = instance.child("skeleton"); at.exists(); at = at.next("skeleton")) {
        const std::string_view url = at.text();
        if (documents_.try_find(at, url).exists()) return false;
        named |= !url.empty();
    }
    return named;
}

const Drawables::Geometry& Drawables::geometry_of(io::XmlNode geometry)
{
    return geometries_.try_emplace(geometry.key(), geometry, documents_).first->second;
}

std::shared_ptr<const MaterialBinding> Drawables::bind(io::XmlNode instance, const Geometry& geometry)
{
    return std::make_shared<const MaterialBinding>(materials_.bind(instance, geometry.symbols));
}

Drawables::Instance& Drawables::instance_of(io::XmlNode at)
{
    const auto [known, is_new] = instances_.try_emplace(at.key());
    Instance& instance = known->second;
    if (!is_new) return instance;
    instance.chain = &follow(at);
    const ControllerChain& chain = *instance.chain;
    if (!chain.geometry.exists()) return instance;
    const Geometry& geometry = geometry_of(chain.geometry);
    if (!geometry.mesh.exists()) return instance;
    instance.geometry = &geometry;
    instance.has_missing_skeletons = chain.skin.exists() && has_missing_skeletons(at);
    if (instance.has_missing_skeletons) {
        ControllerChain& bare = bare_chains_.try_emplace(chain.target.key(), chain).first->second;
        bare.skin = {};
        instance.chain = &bare;
    }
    return instance;
}

LoadResult<void> Drawables::draw(const DrawnInstance& drawn)
{
    Instance& instance = instance_of(drawn.instance);
    const ControllerChain& chain = *instance.chain;
    if (instance.geometry == nullptr) {
        if (chain.geometry.exists())
            documents_.warn("unsupported_geometry",
                            fmt::format("geometry of the kind {} is not supported; it is not shown",
                                        io::shown(chain.geometry.first_child().name())),
                            chain.geometry);
        return {};
    }
    if (instance.has_missing_skeletons)
        documents_.warn("missing_skeleton",
                        "no <skeleton> can be resolved; the mesh is shown without its skin", drawn.instance);
    const auto rest = static_joints_below_morph(instance, drawn);
    if (!rest) return std::unexpected(rest.error());
    if (!instance.binding) instance.binding = bind(drawn.instance, *instance.geometry);
    auto built = build(chain, instance.binding, drawn.node, *rest);
    if (!built) return std::unexpected(built.error());
    if (!*rest) instance.binding = (*built)->binding; // share one equal binding
    if ((*built)->mesh == scene::none) return {};
    return place(instance, **built, drawn);
}

LoadResult<void> Drawables::draw_unreferenced(io::XmlNode geometry)
{
    const ControllerChain chain{geometry, {}, geometry, {}};
    const Geometry& known = geometry_of(geometry);
    if (!known.mesh.exists()) return {};
    auto built = build(chain, bind(geometry, known), scene::none);
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
            if (counted_.contains(g.key()) || targets.contains(g.key()) || !find_mesh(g).exists()) continue;
            auto built = build({g, {}, g, {}}, bind(g, geometry_of(g)), scene::none);
            if (!built) return std::unexpected(built.error());
        }
    return {};
}

bool Drawables::is_at_bind_shape(std::uint32_t node, const glm::dmat4& bind_shape) const
{
    return local_bind_shapes_ || (node != scene::none && is_placed_at(scene_, node, bind_shape));
}

const Drawables::BuiltInstance* Drawables::find_built(const Variants& variants, const ControllerChain& chain,
                                                      const MaterialBinding& binding,
                                                      std::uint32_t node) const
{
    const auto [first, last] = variants.by_binding.equal_range(binding.hash());
    for (auto at = first; at != last; ++at) {
        const BuiltInstance& built = variants.all[at->second];
        const bool same = built.binding.get() == &binding || *built.binding == binding;
        if (same &&
            (!chain.skin.exists() || built.is_at_bind_shape == is_at_bind_shape(node, built.bind_shape)))
            return &built;
    }
    return nullptr;
}

// Building each geometry once is bounded by the file's size. Further builds are bounded by indices, and by
// elements without indices, each counted as a few.
LoadResult<void> Drawables::count_parts(io::XmlNode geometry, std::uint64_t indices)
{
    const std::uint64_t time = 4 * geometry_of(geometry).parts;
    return time <= indices ? LoadResult<void>()
                           : documents_.at(geometry, budget_.take_indices(time - indices, {}));
}

LoadResult<const Drawables::BuiltInstance*> Drawables::build(const ControllerChain& chain,
                                                             std::shared_ptr<const MaterialBinding> binding,
                                                             std::uint32_t node, const StaticMatrices& rest)
{
    Variants& variants = built_[{chain.target.key(), chain.skin.key()}];
    if (!rest)
        if (const BuiltInstance* known = find_built(variants, chain, *binding, node); known != nullptr)
            return known;
    BuiltInstance built{.binding = std::move(binding), .joints = {}, .weights = {}};
    const bool is_controlled = chain.skin.exists() || !chain.morphs.empty();
    auto mesh = build_mesh(chain.geometry, *built.binding,
                           is_controlled ? VertexOrigins::wanted : VertexOrigins::unwanted, documents_,
                           sources_, budget_);
    if (!mesh) return std::unexpected(mesh.error());
    mesh->mesh.shares_geometry = !counted_.insert(chain.geometry.key()).second;
    if (!mesh->mesh.shares_geometry) {
        scene_.source_vertices += mesh->positions;
        scene_.source_polygons += mesh->polygons;
    } else if (auto counted = count_parts(chain.geometry, mesh->mesh.indices.size()); !counted) {
        return std::unexpected(counted.error());
    }
    if (mesh->mesh.indices.empty()) {
        documents_.warn("empty_mesh", "a mesh has no primitives; it is ignored", chain.geometry);
    } else if (auto added = add_controllers(chain, node, *mesh, built, rest); !added) {
        return std::unexpected(added.error());
    } else {
        if (scene_.meshes.size() >= budget_.limits().meshes)
            return io::limit_exceeded_error(documents_.where(chain.geometry), "meshes",
                                            budget_.limits().meshes);
        built.mesh = static_cast<std::uint32_t>(scene_.meshes.size());
        scene_.meshes.push_back(std::move(mesh->mesh));
    }
    sources_.clear();
    std::vector<BuiltInstance>& list = rest ? built_static_ : variants.all;
    if (!rest) variants.by_binding.emplace(built.binding->hash(), list.size());
    return &list.emplace_back(std::move(built));
}

// A node has one mesh: the first is assigned to it, further ones and those with another unit or axes to
// children.
LoadResult<std::uint32_t> Drawables::node_for(const Instance& instance, const DrawnInstance& drawn)
{
    const ControllerChain& chain = *instance.chain;
    const AssetSpace outer = drawn.space;
    const AssetSpace inner =
        documents_.space_of(chain.geometry, instance.geometry->declared, drawn.instance, outer);
    const bool fits = outer == inner || chain.skin.exists();
    if (fits && scene_.nodes[drawn.node].mesh == scene::none) return drawn.node;
    auto node = tree_.add_plain_node(name_of(chain.geometry), drawn.node);
    if (!node) return node;
    scene_.nodes[*node].visible = scene_.nodes[drawn.node].visible;
    scene_.nodes[*node].helper_of = drawn.node;
    if (!fits) scene_.nodes[*node].local = conversion(outer, inner);
    return node;
}

LoadResult<void> Drawables::place(Instance& instance, const BuiltInstance& built, const DrawnInstance& drawn)
{
    const auto node = node_for(instance, drawn);
    if (!node) return std::unexpected(node.error());
    scene_.nodes[*node].mesh = built.mesh;
    if (!built.weights.empty()) morphed_.push_back({*node, built.weights});
    if (!instance.chain->skin.exists() || built.is_static) return {};
    const auto skin = skin_for(instance, built, drawn, *node);
    if (!skin) return std::unexpected(skin.error());
    scene_.nodes[*node].skin = *skin;
    return {};
}

} // namespace vitrine::dae

// Applies <skin> and <morph> to the mesh of an instance.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "loaders/dae/drawables/drawables.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::dae {
namespace {

// Limit on nested controllers, above that of real files.
constexpr int max_chain_length = 8;
// Limit on the factor left by morphs, so that it stays a finite float.
constexpr double max_factor = 1e6;
constexpr double max_weight = std::numeric_limits<float>::max();

} // namespace

const Drawables::ControllerChain& Drawables::follow(io::XmlNode instance)
{
    const std::string_view url = instance.attribute("url");
    if (url.empty()) documents_.warn("missing_element", "an instance has no URL; it is ignored", instance);
    const ControllerChain& chain = chain_of(documents_.find(instance, url));
    if (chain.ends) warn_about(chain, instance);
    return chain;
}

const Drawables::ControllerChain& Drawables::chain_of(io::XmlNode target)
{
    const auto [known, is_new] = chains_.try_emplace(target.key());
    ControllerChain& chain = known->second;
    if (!is_new) return chain;
    chain.target = target;
    io::XmlNode at = target;
    for (int i = 0; i < max_chain_length && at.exists(); ++i) {
        if (at.is("geometry")) {
            chain.geometry = at;
            break;
        }
        const io::XmlNode skin = at.child("skin"), morph = at.child("morph");
        if (skin.exists() && chain.skins++ == 0) chain.skin = skin;
        if (morph.exists()) chain.morphs.push_back(morph);
        if (!chain.skin.exists()) chain.outer_morphs = chain.morphs.size();
        at = below(at, skin.exists() ? skin : morph.exists() ? morph : other_content(at));
    }
    std::ranges::reverse(chain.morphs);
    chain.ends = at.exists();
    return chain;
}

// Handles a controller that is neither a skin nor a morph: its geometry is shown undeformed.
io::XmlNode Drawables::other_content(io::XmlNode controller)
{
    if (!controller.is("controller")) return {};
    for (const io::XmlNode child : controller) {
        if (!child.has_attribute("source")) continue;
        documents_.warn(
            "unsupported_controller",
            fmt::format("controller {} does not exist; the instance is ignored", io::shown(child.name())),
            child);
        return child;
    }
    return {};
}

// Returns the source of a controller's <skin> or <morph>.
io::XmlNode Drawables::below(io::XmlNode controller, io::XmlNode content)
{
    const std::string_view source = content.attribute("source");
    if (!content.exists())
        documents_.warn("unsupported_controller",
                        fmt::format("{} is neither a geometry nor a controller of one; it is not shown",
                                    io::shown(controller.name())),
                        controller);
    else if (source.empty())
        documents_.warn("missing_element", "a controller has no geometry; it is not shown", content);
    return documents_.find(content, source);
}

void Drawables::warn_about(const ControllerChain& chain, io::XmlNode instance)
{
    if (!chain.geometry.exists())
        return documents_.warn("unsupported_controller",
                               "controllers are recursive or nested too deep; they are not shown", instance);
    if (chain.skins > 1)
        documents_.warn("unsupported_controller",
                        "a skin has a skin as its source; only the outer one is used", instance);
}

LoadResult<void> Drawables::add_morphs(const ControllerChain& chain, std::span<const io::XmlNode> morphs,
                                       BuiltMesh& mesh, BuiltInstance& built)
{
    for (const io::XmlNode morph : morphs) {
        const std::size_t first = mesh.mesh.morph_targets.size();
        if (auto added = add_morph_targets(morph, chain.geometry, mesh, documents_, sources_, budget_);
            !added)
            return added;
        const io::XmlNode weights = morph_source(morph, MorphInput::weights, documents_);
        built.weights.push_back({sources_.array_of(weights), static_cast<std::uint32_t>(first),
                                 static_cast<std::uint32_t>(mesh.mesh.morph_targets.size() - first)});
    }
    return {};
}

// A normalized morph whose weights sum to s leaves 1 - s of its base, and so of the inner weights. With
// animated s the Scene cannot represent that factor.
void Drawables::nest_morph_factors(const ControllerChain& chain, scene::Mesh& mesh, BuiltInstance& built)
{
    double factor = 1.0;
    for (std::size_t m = built.weights.size(); m-- > 0;) {
        MorphWeights& weights = built.weights[m];
        weights.factor = factor;
        double sum = 0.0;
        for (std::uint32_t i = weights.first; i < weights.first + weights.count; ++i) {
            float& weight = mesh.morph_weights[i];
            sum += double{weight};
            weight = static_cast<float>(std::clamp(factor * double{weight}, -max_weight, max_weight));
        }
        if (m == 0 || is_relative(chain.morphs[m])) continue;
        const double left = factor * (1.0 - sum);
        if (animations_.channel_bindings_of(weights.array).empty() && std::abs(left) <= max_factor)
            factor = left;
        else
            documents_.warn("unsupported_controller",
                            "a normalized morph of a morph has animated weights; the offsets of its targets "
                            "are added instead",
                            chain.morphs[m]);
    }
}

// A skin around all morphs becomes the Scene's skin; a skin below a morph is applied in the static pose.
LoadResult<void> Drawables::add_controllers(const ControllerChain& chain, std::uint32_t node, BuiltMesh& mesh,
                                            BuiltInstance& built, const StaticMatrices& rest)
{
    const std::span morphs(chain.morphs);
    const std::size_t inner = morphs.size() - (rest ? chain.outer_morphs : 0);
    if (auto added = add_morphs(chain, morphs.first(inner), mesh, built); !added) return added;
    if (chain.skin.exists())
        if (auto added = add_skin(chain, node, mesh, built, rest); !added) return added;
    if (auto added = add_morphs(chain, morphs.subspan(inner), mesh, built); !added) return added;
    nest_morph_factors(chain, mesh.mesh, built);
    return {};
}

LoadResult<void> Drawables::add_skin(const ControllerChain& chain, std::uint32_t node, BuiltMesh& mesh,
                                     BuiltInstance& built, const StaticMatrices& rest)
{
    auto joints = read_skin_joints(chain.skin, documents_, sources_);
    if (!joints) return std::unexpected(joints.error());
    if (auto counted = count_search(joints->names.size(), chain.skin); !counted) return counted;
    built.joints = std::move(*joints);
    built.bind_shape = built.joints.bind_shape;
    built.is_at_bind_shape = is_at_bind_shape(node, built.bind_shape);
    if (built.joints.names.size() >= budget_.limits().joints)
        return io::limit_exceeded_error(documents_.where(chain.skin), "joints", budget_.limits().joints);
    auto uses = add_influences(chain.skin, built.joints.names.size(), mesh, documents_, sources_, budget_);
    if (!uses) return std::unexpected(uses.error());
    if (rest) {
        skin_static_pose(*rest, built.bind_shape, mesh.mesh);
        built.is_static = true;
        return {};
    }
    built.shares_bind_shape = uses->has_partial;
    // A vertex without influences follows its node directly.
    if (uses->has_unskinned && !built.is_at_bind_shape && built.joints.bind_shape != glm::dmat4(1.0)) {
        apply_bind_shape(built.joints.bind_shape, mesh.mesh);
        built.joints.bind_shape = glm::dmat4(1.0);
    }
    return {};
}

LoadResult<Drawables::StaticMatrices> Drawables::static_joints_below_morph(Instance& instance,
                                                                           const DrawnInstance& drawn)
{
    const ControllerChain& chain = *instance.chain;
    if (!chain.skin.exists() || chain.outer_morphs == 0) return StaticMatrices{};
    auto joints = read_skin_joints(chain.skin, documents_, sources_);
    if (!joints) return std::unexpected(joints.error());
    const std::size_t count = joints->names.size();
    if (auto taken = documents_.at(drawn.instance, budget_.take_skin_joints(count, {})); !taken)
        return std::unexpected(taken.error());
    BuiltInstance bound{.binding = {}, .joints = std::move(*joints), .weights = {}};
    bound.is_at_bind_shape = is_at_bind_shape(drawn.node, bound.joints.bind_shape);
    const auto roots = skeleton_roots(instance, drawn.instance);
    if (!roots) return std::unexpected(roots.error());
    const scene::Skin skin = bind(chain, bound, drawn.instance, drawn.node, **roots);
    StaticMatrices rest;
    if (!local_bind_shapes_)
        rest = static_skin_pose_.compute_matrices({.node = drawn.node,
                                                   .bind_shape = bound.joints.bind_shape,
                                                   .joints = skin.joints,
                                                   .inverse_bind = skin.inverse_bind});
    if (!rest)
        documents_.warn(
            "unsupported_controller",
            "a morph of an animated skin is evaluated as a skin of a morph; joints transform its targets",
            drawn.instance);
    return rest;
}

} // namespace vitrine::dae

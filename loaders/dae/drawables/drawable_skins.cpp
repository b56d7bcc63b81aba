// Resolves the joints of each instance of a skin.

#include <fmt/format.h>

#include "loaders/dae/controllers/skin_placement.hpp"
#include "loaders/dae/drawables/drawables.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::dae {
namespace {

// Cost of walking up the scene to find one joint.
constexpr std::uint64_t steps_per_joint = 8;

} // namespace

glm::dmat4 Drawables::bind_shape_of(const BuiltInstance& built, std::uint32_t node) const
{
    glm::dmat4 matrix = built.joints.bind_shape;
    if (!local_bind_shapes_) return matrix;
    for (std::uint32_t at = scene_.nodes[node].parent; at != scene::none; at = scene_.nodes[at].parent)
        matrix = static_matrix(scene_.nodes[at]) * matrix;
    return matrix;
}

// Limits the total search cost: each instance of a skin searches its joints, and a hostile file has thousands
// of instances of a skin with thousands of joints.
LoadResult<void> Drawables::count_search(std::uint64_t steps, io::XmlNode instance)
{
    constexpr std::uint64_t max_ratio = 4;
    search_steps_ += steps;
    const std::uint64_t limit = budget_.limits().skin_joints;
    if (search_steps_ <= max_ratio * limit) return {};
    return fail(LoadErrc::limit_exceeded, documents_.where(instance),
                fmt::format("instances search for more joints and skeletons than {} times the limit "
                            "skin_joints = {}",
                            max_ratio, limit));
}

LoadResult<std::uint32_t> Drawables::skin_for(Instance& instance, const BuiltInstance& built,
                                              const DrawnInstance& drawn, std::uint32_t node)
{
    const ControllerChain& chain = *instance.chain;
    if (auto counted = count_search(built.joints.names.size(), drawn.instance); !counted)
        return std::unexpected(counted.error());
    const auto roots = skeleton_roots(instance, drawn.instance);
    if (!roots) return std::unexpected(roots.error());
    scene::Skin skin = bind(chain, built, drawn.instance, node, **roots);
    if (skin.joints.empty()) return scene::none;
    if (auto taken = copy_moved_skeletons(built, drawn, node, skin); !taken)
        return std::unexpected(taken.error());
    std::vector<std::uint32_t> bound = skin.joints;
    if (local_bind_shapes_) bound.push_back(scene_.nodes[node].parent);
    const auto [known, is_new] =
        skins_.try_emplace({chain.target.key(), std::move(bound)}, scene_.skins.size());
    if (!is_new) return known->second;
    auto taken = documents_.at(drawn.instance, budget_.take_skin_joints(skin.joints.size(), {}));
    if (!taken) return std::unexpected(taken.error());
    scene_.skins.push_back(std::move(skin));
    return known->second;
}

LoadResult<void> Drawables::copy_moved_skeletons(const BuiltInstance& built, const DrawnInstance& drawn,
                                                 std::uint32_t node, scene::Skin& skin)
{
    if (local_bind_shapes_) return {};
    const BoundSkin bound{.node = node,
                          .bind_shape = built.bind_shape,
                          .joints = skin.joints,
                          .inverse_bind = skin.inverse_bind};
    std::vector<std::uint32_t> copied = skin.joints;
    const MovingSkeletonRoots taken = find_moving_skeleton_roots(scene_, bound);
    if (auto counted = count_search(taken.steps / steps_per_joint, drawn.instance); !counted) return counted;
    for (const std::uint32_t root : taken.roots) {
        const auto copy = tree_.add_copy(root, node);
        if (!copy) return std::unexpected(copy.error());
        const auto size = static_cast<std::uint32_t>(scene_.nodes.size()) - *copy;
        for (std::size_t j = 0; j < copied.size(); ++j)
            if (skin.joints[j] >= root && skin.joints[j] < root + size) copied[j] += *copy - root;
    }
    skin.joints = std::move(copied);
    return {};
}

scene::Skin Drawables::bind(const ControllerChain& chain, const BuiltInstance& built, io::XmlNode instance,
                            std::uint32_t node, const std::vector<SkeletonRoot>& roots)
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
        // Vertices of a missing joint follow the node, by the bind shape.
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
            fmt::format("{} joints are missing, the first is {}", missing, io::shown(first_missing)),
            instance);
    return skin;
}

// Returns the nodes below which joints are searched. Adds a skeleton that the scene does not instantiate.
LoadResult<const std::vector<SkeletonRoot>*> Drawables::skeleton_roots(Instance& instance, io::XmlNode at)
{
    const io::XmlNode main = documents_.roots().front();
    if (!instance.skeletons) {
        instance.skeletons.emplace();
        for (io::XmlNode s = at.child("skeleton"); s.exists(); s = s.next("skeleton"))
            instance.skeletons->push_back(documents_.find(s, s.text()));
    }
    std::size_t placed = 0;
    for (const io::XmlNode dom : *instance.skeletons) {
        if (!dom.is("node")) continue;
        if (tree_.instances_of(dom).empty())
            if (auto added = tree_.add_node(dom, main, scene::none, documents_.space_of(main)); !added)
                return std::unexpected(added.error());
        placed += tree_.instances_of(dom).size();
    }
    if (auto counted = count_search(instance.skeletons->size(), at); !counted)
        return std::unexpected(counted.error());
    if (last_roots_.placed == placed && last_roots_.skeletons == *instance.skeletons)
        return &last_roots_.roots;
    if (auto counted = count_search(placed, at); !counted) return std::unexpected(counted.error());
    last_roots_ = {.skeletons = *instance.skeletons, .placed = placed, .roots = {}};
    for (std::uint32_t number = 0; number < instance.skeletons->size(); ++number) {
        const io::XmlNode dom = (*instance.skeletons)[number];
        if (!dom.is("node")) continue;
        for (const std::uint32_t i : tree_.instances_of(dom))
            last_roots_.roots.push_back({tree_.instances()[i].node, number});
    }
    return &last_roots_.roots;
}

} // namespace vitrine::dae

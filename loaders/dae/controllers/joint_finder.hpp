#pragma once
// Finds the scene node for the name of a skin's joint.

#include <cstdint>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "loaders/dae/controllers/controllers.hpp"
#include "loaders/dae/nodes/nodes.hpp"
#include "loaders/io/string_hash.hpp"

namespace vitrine::dae {

// A node below which joints are searched, and the index of the <skeleton> that names it.
struct SkeletonRoot {
    std::uint32_t node = 0;
    std::uint32_t skeleton = 0;
};

class JointFinder {
public:
    // All arguments must outlive it.
    JointFinder(const NodeTree& tree, Documents& documents, const scene::Scene& scene)
        : tree_(tree), documents_(documents), scene_(scene)
    {
    }

    // Finds a joint for the content drawn at the node `drawn`; `skin` identifies the document. Returns
    // scene::none when there is no such joint.
    std::uint32_t find(const SkinJoints& joints, std::string_view name, io::XmlNode skin,
                       const std::vector<SkeletonRoot>& roots, std::uint32_t drawn);

private:
    // How well a candidate matches; smaller is better.
    struct Fit {
        std::size_t skeleton =
            0; // index of the first skeleton that contains it; the number of skeletons: not in any
        std::uint32_t depth = 0; // below that skeleton
        auto operator<=>(const Fit&) const = default;
    };

    void index_nodes();
    io::XmlNode find_element(std::string_view name, io::XmlNode skin);
    std::uint32_t nearest(const std::vector<std::uint32_t>& candidates,
                          const std::vector<SkeletonRoot>& roots, std::uint32_t drawn);
    Fit fit_of(std::uint32_t node, const std::vector<SkeletonRoot>& roots);
    std::uint32_t common_ancestor(std::uint32_t a, std::uint32_t b);

    const NodeTree& tree_;
    Documents& documents_;
    const scene::Scene& scene_;
    using Named = std::unordered_map<std::string_view, std::vector<std::uint32_t>, io::StringHash>;
    Named by_sid_, by_name_; // node instances
    std::size_t indexed_ = 0;
    std::uint64_t search_steps_ = 0;
};

} // namespace vitrine::dae

#pragma once
// Poses as responses: JSON, and packed floats. All functions require a validated Scene.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::api {

// Returns the nodes that users see, those of the file, in their order.
std::vector<std::uint32_t> listed_nodes(const scene::Scene& scene);
// Returns for each of `nodes` the place of its parent in them; none if it has no parent there. A node that is
// listed several times counts at its first place.
std::vector<std::uint32_t> parents_in(const scene::Scene& scene, const std::vector<std::uint32_t>& nodes);
// Returns the node that draws for each node: a helper of it, or itself.
std::vector<std::uint32_t> mesh_nodes(const scene::Scene& scene);

// {translation, rotation, scale}.
boost::json::object trs_json(const scene::Trs& trs);
// 16 numbers, column-major.
boost::json::array matrix_json(const glm::mat4& matrix);

// Returns the output of `vitrine pose`: {clip, time, nodes}; the clip is null without one of the scene, the
// time (seconds) of the static pose. nodes: see nodes_json().
boost::json::object pose_json(const scene::Scene& scene, std::uint32_t clip, std::optional<double> time,
                              const scene::Pose& pose);
// Returns [{index, node, name, parent, local, model, morphWeights}], one row per node of the file; index and
// parent are places in this list, node is the number as in GET .../pose; parent may be null. local is
// relative to the parent; if the node has a matrix that T * R * S cannot represent, it has the nearest
// values. model is the matrix to scene space.
boost::json::array nodes_json(const scene::Scene& scene, const scene::Pose& pose);

enum class PoseSpace : std::uint8_t {
    local, // relative to the parent in the file
    model, // relative to the model as a whole: scene space, meters, Y up
};

// Nodes of the response of GET .../pose, all from one space.
struct PoseSelection {
    std::uint32_t clip = 0;           // none: the static pose, or a clip of another asset
    std::vector<std::uint32_t> nodes; // indices of file nodes
    PoseSpace space = PoseSpace::local;
};

// Writes {"clip", "space", "times", "poses": [{"time", "nodes": [{translation, rotation, scale, node, name,
// parent, matrix}]}]} as JSON text, where parent is a place in `nodes`, or null if the parent is not there,
// in pieces, without values of boost::json: they took four times as long. The arguments outlive it.
class PosesWriter {
public:
    using Sink = std::function<void(std::string_view piece)>;
    // `times`: of the poses, in their order.
    PosesWriter(const scene::Scene& scene, const PoseSelection& selection, std::span<const double> times,
                const Sink& sink);
    void add(double time, const scene::Pose& pose);
    void finish();

private:
    void append_node(std::string& text, const scene::Pose& pose, std::size_t index) const;

    const scene::Scene& scene_;
    const PoseSelection& selection_;
    std::vector<std::string> names_; // by index in the selection: the members that no pose changes
    const Sink& sink_;
    bool first_ = true;
};

// Appends the nodes of one pose as floats in the byte order of the machine. local: translation (3), rotation
// x y z w, scale (3); model: 4x4 matrix (16), column-major.
void append_packed_pose(std::string& bytes, const scene::Scene& scene, const scene::Pose& pose,
                        const PoseSelection& selection);
std::size_t packed_floats_per_node(PoseSpace space);

} // namespace vitrine::api

#pragma once
// From the parsed files to the Scene, still in the file's axes: skeleton, meshes, clips.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/md5/md5_text.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::md5 {

// The joints of the model, indices as in the file.
struct Skeleton {
    std::vector<std::string> names;
    std::vector<std::uint32_t> parents;
    std::vector<std::uint32_t> order; // parents before children
    std::vector<Transform> model;     // bind pose
    std::vector<Transform> local;     // bind pose, parent space
    std::vector<std::uint32_t> nodes; // by joint, the node that add_skeleton() made
};

// Errors: parents in a cycle, limits.depth.
LoadResult<Skeleton> make_skeleton(const std::vector<Joint>& joints, const Limits& limits);
// The skeleton that an animation brings itself, its rest the base frame.
LoadResult<Skeleton> make_skeleton(const Animation& animation, const Limits& limits);
// A node per joint, and the one skin that lists them all.
void add_skeleton(scene::Scene& scene, Skeleton& skeleton, std::string skin_name);

// Bind-pose positions of a mesh's vertices, model space.
std::vector<glm::dvec3> bind_positions(const Skeleton& skeleton, const Mesh& mesh);

// Vertices, weights, normals and counter-clockwise triangles, which it takes out of `mesh`; the one primitive
// has no material yet. `size` is the whole model's extent, the measure of what counts as agreement. Error: a
// vertex out of all proportion.
LoadResult<scene::Mesh> make_mesh(const Skeleton& skeleton, Mesh& mesh, std::vector<glm::dvec3> positions,
                                  double size);

// An animation bound to a skeleton by the joints' names.
class ClipBinding {
public:
    ClipBinding(const Skeleton& skeleton, const Animation& animation,
                std::vector<std::uint32_t> animation_order);

    bool empty() const { return bound_.empty(); }
    // Of animated joints that the skeleton lacks, and of joints whose parents differ in the two files.
    void warn(io::WarningLog& warnings, std::string_view where) const;
    // Floats that make_clip() will produce at most; work of the same order.
    std::uint64_t key_values() const;
    scene::Clip make_clip(std::string name) const;
    // Model space of every joint at a frame.
    void pose(std::uint32_t frame, std::vector<Transform>& model) const;

private:
    // How a joint gets its local transform.
    enum class Kind : std::uint8_t {
        rest,     // the animation lacks it
        direct,   // parents agree: the animation's local transform
        absolute, // parents differ: the animation's model transform, brought under the joint's own parent
    };
    void match_names();
    Kind kind_of(std::uint32_t joint) const;
    bool base_is_relative(std::uint32_t joint) const;
    void animated_models(std::uint32_t frame, std::vector<Transform>& model) const;
    void evaluate(std::uint32_t frame, std::vector<Transform>& animated, std::vector<Transform>& local,
                  std::vector<Transform>& model) const;
    std::vector<Transform> locals_of(std::uint32_t joint) const;
    void add_channels(scene::Clip& clip, std::uint32_t joint, std::span<const Transform> locals) const;

    const Skeleton& skeleton_;
    const Animation& animation_;
    std::vector<std::uint32_t> animation_order_;
    std::vector<std::uint32_t> animated_; // by joint of the skeleton; none
    std::vector<std::uint32_t> joint_;    // by joint of the animation; none
    std::vector<Kind> kinds_;             // by joint of the skeleton
    std::vector<std::uint32_t> bound_;    // joints that are not at rest
    std::size_t absolute_count_ = 0;
};

} // namespace vitrine::md5

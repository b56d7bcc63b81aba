#pragma once
// Converts the parsed files to the Scene, in the file's axes: skeleton, meshes, clips.

#include <cstdint>
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
    std::vector<std::uint32_t> nodes; // by joint, the node created by add_skeleton()
};

// Errors: malformed (cycle of parents), limit_exceeded (limits.depth).
LoadResult<Skeleton> make_skeleton(const std::vector<Md5Joint>& joints, const Limits& limits);
// Returns the skeleton of an animation; its static pose is the base frame.
LoadResult<Skeleton> make_skeleton(const Md5Animation& animation, const Limits& limits);
// Adds a node per joint, and one skin with all joints.
void add_skeleton(scene::Scene& scene, Skeleton& skeleton, std::string skin_name);

// Returns bind-pose positions of a mesh's vertices in model space.
std::vector<glm::dvec3> bind_positions(const Skeleton& skeleton, const Md5Mesh& mesh);

// Creates vertices, weights, normals and counter-clockwise triangles, moving data out of `mesh`; the
// primitive has no material yet. `size` is the whole model's extent, for comparing positions. Error: a vertex
// at an extreme distance.
LoadResult<scene::Mesh> make_mesh(const Skeleton& skeleton, Md5Mesh& mesh, std::vector<glm::dvec3> positions,
                                  double size);

// An animation bound to a skeleton by joint names.
class ClipBinding {
public:
    ClipBinding(const Skeleton& skeleton, const Md5Animation& animation,
                std::vector<std::uint32_t> animation_order);

    bool empty() const { return bound_.empty(); }
    // Warns about animated joints missing in the skeleton, and joints with different parents in the two
    // files.
    void warn(io::WarningLog& warnings, std::string_view where) const;
    // Returns the maximum number of floats of make_clip(), which is proportional to its work.
    std::uint64_t key_values() const;
    scene::Clip make_clip(std::string name) const;
    // Computes the model-space transform of every joint at a frame.
    void pose(std::uint32_t frame, std::vector<Transform>& model) const;

private:
    // How a joint's local transform is computed.
    enum class Kind : std::uint8_t {
        rest,     // missing in the animation
        direct,   // equal parents: the animation's local transform
        absolute, // different parents: the animation's model-space transform, made relative to the joint's
                  // own parent
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
    const Md5Animation& animation_;
    std::vector<std::uint32_t> animation_order_;
    std::vector<std::uint32_t> animated_; // by joint of the skeleton: joint of the animation, or none
    std::vector<std::uint32_t> joint_;    // by joint of the animation: joint of the skeleton, or none
    std::vector<Kind> kinds_;             // by joint of the skeleton
    std::vector<std::uint32_t> bound_;    // animated joints
    std::size_t absolute_count_ = 0;
};

// Compares the bounding boxes in an .md5anim with the real ones of its frames. Checks all frames when that
// takes a few milliseconds, else some evenly spaced ones, as long as `budget` lasts (evaluated vertex
// weights, shared by all animations of a load). Warns once with the worst frame when a side differs by more
// than a tenth of the model's extent.
void check_frame_bounds(const Skeleton& skeleton, const Md5Model& model, const Md5Animation& animation,
                        const ClipBinding& binding, std::string_view where, std::uint64_t& budget,
                        io::WarningLog& warnings);

} // namespace vitrine::md5

#pragma once
// The parts of a player (one MD3 file each) and the clips that animate them, in the file's axes.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/io/input.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/md3/animation_config.hpp"
#include "loaders/md3/file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::md3 {

// The frames that a part shows at given times; as many frames as times.
struct FrameSchedule {
    std::vector<std::uint32_t> frames;
    std::vector<float> times; // seconds from the clip's start
};

// One MD3 file as a part of the scene.
class ModelPart {
public:
    // Adds the nodes (the part, its surfaces, its tags) and the meshes, whose primitives have no material
    // yet. `parent`: the node to attach to, or none.
    ModelPart(scene::Scene& scene, Md3File file, std::string name, std::uint32_t parent,
              io::WarningLog& warnings);

    const std::string& name() const { return name_; }
    const Md3File& file() const { return surfaces_.file; }
    std::uint32_t node() const { return node_; }
    // Returns the node of the tag, ignoring case; none when not found.
    std::uint32_t find_tag(std::string_view name) const;
    // The surfaces of one file, which are nodes of the part.
    struct Level {
        Md3File file;
        std::vector<std::uint32_t> nodes{}; // by surface; none for a surface without vertices
    };
    const Level& surfaces() const { return surfaces_; }
    // Less detailed forms of the part, from files of their own.
    const std::vector<Level>& levels() const { return levels_; }
    // Adds all levels at once, the most detailed one first. The vertices do not count as the model's.
    void add_levels(scene::Scene& scene, std::vector<Md3File> files, io::WarningLog& warnings);

    // Returns the number of floats that add_channels() creates.
    std::uint64_t key_values(std::size_t frames) const;
    void add_channels(scene::Clip& clip, const FrameSchedule& schedule, bool is_placeholder = false) const;

private:
    void add_surfaces(scene::Scene& scene, Level& level, io::WarningLog& warnings) const;
    std::uint32_t add_surface(scene::Scene& scene, const Md3Surface& surface, io::WarningLog& warnings) const;
    void add_tag(scene::Scene& scene, std::uint32_t tag, io::WarningLog& warnings);
    std::string_view name_of_detailed(std::string_view name) const;

    Level surfaces_; // of the part's own file
    std::string name_;
    std::uint32_t node_ = scene::none;
    std::vector<std::uint32_t> tag_nodes_;
    std::vector<Level> levels_;
};

// File names in the Source, among those shown with the main file (io::find_shared_parts); empty: missing.
struct PlayerFiles {
    std::string upper; // the main file itself when there is no lower
    std::string head;
    std::string weapon;
};
PlayerFiles find_player_files(const Source& source);
// Returns the files with the less detailed levels of a part, the most detailed one first: head_1.md3,
// head_2.md3 next to head.md3.
std::vector<std::string> find_level_files(const Source& source, std::string_view part);
// Returns whether the main file's folder contains no other model except levels of detail; then the folder's
// animations apply to this model.
bool is_only_model(const Source& source);
// Returns the animation.cfg in the main file's folder; empty when missing.
std::string find_animation_config(const Source& source);

// Returns whether the part is "lower" or "upper".
bool is_body_part(const ModelPart& part);

// Converts animations to clips; without any, creates one clip of all frames at 15 frames per second.
class ClipMaker {
public:
    // The parts must outlive it; the first is the main file's. `name`: of the clip without animations.
    // `meshes`: of the scene, from which the looping of a file without animations is detected.
    ClipMaker(std::vector<const ModelPart*> parts, std::vector<AnimationRow> animations, std::string name,
              std::span<const scene::Mesh> meshes);

    std::size_t count() const { return std::max<std::size_t>(animations_.size(), 1); }
    std::uint64_t key_values() const; // upper limit on the floats that make() creates
    std::vector<scene::Clip> make(io::WarningLog& warnings) const;

private:
    // The role of a part in a clip.
    enum class PartRole : std::uint8_t { animated, fixed_frame, not_animated };
    PartRole role_of(const ModelPart& part, BodyParts body_parts) const;
    std::uint32_t frames_of(const AnimationRow& animation) const;
    std::uint32_t held_frame(const ModelPart& part) const;
    bool loops_as_a_whole(std::uint32_t frames) const;
    scene::Clip make_clip(const AnimationRow& animation, io::WarningLog& warnings) const;
    scene::Clip whole_clip() const;

    std::vector<const ModelPart*> parts_;
    std::vector<AnimationRow> animations_;
    std::string name_;
    std::span<const scene::Mesh> meshes_;
};

} // namespace vitrine::md3

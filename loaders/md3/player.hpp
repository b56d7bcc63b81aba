#pragma once
// The parts of a player and the clips that animate them.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "loaders/io/input.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/md3/animation_config.hpp"
#include "loaders/md3/part.hpp"

namespace vitrine::md3 {

// File names in the Source, among those shown with the main file (io::find_shared_parts); empty: missing.
struct PlayerFiles {
    std::string upper; // the main file itself when there is no lower
    std::string head;
    std::string weapon;
};
PlayerFiles find_player_files(const Source& source);
// Returns whether the main file's folder contains no other model except levels of detail; then the folder's
// animations apply to this model.
bool is_only_model(const Source& source);
// Returns the animation.cfg in the main file's folder; empty when missing.
std::string find_animation_config(const Source& source);

// Returns whether the part is "lower" or "upper".
bool is_body_part(const Part& part);

// Converts animations to clips; without any, creates one clip of all frames at 15 frames per second.
class ClipMaker {
public:
    // The parts must outlive it; the first is the main file's. `name`: of the clip without animations.
    // `meshes`: of the scene, from which the looping of a file without animations is detected.
    ClipMaker(std::vector<const Part*> parts, std::vector<Animation> animations, std::string name,
              std::span<const scene::Mesh> meshes);

    std::size_t count() const { return std::max<std::size_t>(animations_.size(), 1); }
    std::uint64_t key_values() const; // upper limit on the floats that make() creates
    std::vector<scene::Clip> make(io::WarningLog& warnings) const;

private:
    // The role of a part in a clip.
    enum class Role : std::uint8_t { moved, held, still };
    Role role_of(const Part& part, BodyParts body_parts) const;
    std::uint32_t frames_of(const Animation& animation) const;
    std::uint32_t held_frame(const Part& part) const;
    bool loops_as_a_whole(std::uint32_t frames) const;
    scene::Clip make_clip(const Animation& animation, io::WarningLog& warnings) const;
    scene::Clip whole_clip() const;

    std::vector<const Part*> parts_;
    std::vector<Animation> animations_;
    std::string name_;
    std::span<const scene::Mesh> meshes_;
};

} // namespace vitrine::md3

#pragma once
// The parts of a player and the clips that move them.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "loaders/io/input.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/md3/animation_config.hpp"
#include "loaders/md3/part.hpp"

namespace vitrine::md3 {

// Names out of the Source, of what the main file shows (io::find_shared_parts); empty: not there.
struct PlayerFiles {
    std::string upper; // the main file itself where there is no lower
    std::string head;
    std::string weapon;
};
PlayerFiles find_player_files(const Source& source);
// Whether no other model lies in the main file's folder, levels of detail aside: what is told of animations
// there is told of this one.
bool is_only_model(const Source& source);
// animation.cfg in the main file's folder; empty: not there.
std::string find_animation_config(const Source& source);

// "lower" or "upper".
bool is_body_part(const Part& part);

// From animations to clips; without any to one clip of all frames, 15 a second.
class ClipMaker {
public:
    // The parts outlive it; the first is the main file's. `name`: of the one clip.
    // `meshes`: of the scene, by which a file without animations is seen to loop.
    ClipMaker(std::vector<const Part*> parts, std::vector<Animation> animations, std::string name,
              std::span<const scene::Mesh> meshes);

    std::size_t count() const { return std::max<std::size_t>(animations_.size(), 1); }
    std::uint64_t key_values() const; // floats that make() will produce at most
    std::vector<scene::Clip> make(io::WarningLog& warnings) const;

private:
    // What a part does in a clip.
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

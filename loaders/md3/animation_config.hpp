#pragma once
// animation.cfg of a Quake III player: four numbers per animation in the game's order, "first count loop
// fps", usually one line each with the name in a comment; other games of the engine write the name first.

#include <cstdint>
#include <string>
#include <vector>

#include "loaders/io/input.hpp"
#include "loaders/io/text/warning_log.hpp"

namespace vitrine::md3 {

enum class BodyParts : std::uint8_t { both, torso, legs };

struct AnimationRow {
    std::string name; // BOTH_DEATH1, TORSO_GESTURE, LEGS_IDLE, ...
    BodyParts body_parts = BodyParts::both;
    std::uint32_t first = 0; // frame index in the files it applies to
    std::uint32_t count = 1;
    std::uint32_t loop = 0; // number of last frames that loop in the game
    bool backwards = false; // negative count: from the last frame to the first
    double rate = 15.0;     // frames per second
};

// Frame numbers of the legs start after the torso's own frames, which the legs' file does not contain; a
// model of one file contains both.
enum class FrameNumbering : std::uint8_t { separate_files, single_file };

// Other settings (sex, footsteps, headoffset, ...) are skipped (see config_rows.hpp); an invalid animation
// row causes a warning and still counts as a row for the names of the next ones.
std::vector<AnimationRow> parse_animation_config(Bytes bytes, io::WarningLog& warnings,
                                                 FrameNumbering files = FrameNumbering::separate_files);

} // namespace vitrine::md3

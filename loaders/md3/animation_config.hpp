#pragma once
// animation.cfg of a Quake III player: four numbers for each animation in the game's order, "first count loop
// fps", usually a line each with its name in a comment; other games of its engine write the name in front.

#include <cstdint>
#include <string>
#include <vector>

#include "loaders/io/input.hpp"
#include "loaders/io/text/warning_log.hpp"

namespace vitrine::md3 {

enum class BodyParts : std::uint8_t { both, torso, legs };

struct Animation {
    std::string name; // BOTH_DEATH1, TORSO_GESTURE, LEGS_IDLE, ...
    BodyParts body_parts = BodyParts::both;
    std::uint32_t first = 0; // frame of the files that it moves
    std::uint32_t count = 1;
    std::uint32_t loop = 0; // so many of the last frames go on and on in the game
    bool backwards = false; // a negative count: from the last frame to the first
    double rate = 15.0;     // frames a second
};

// Frames of the legs are counted behind the torso's own, which the legs' file does not hold; a model of one
// file holds both.
enum class FrameNumbering : std::uint8_t { parts, one };

// What is no animation (sex, footsteps, headoffset, ...) is passed over (config_rows.hpp says how); what
// begins as an animation and is none is a warning, and the next ones keep their names.
std::vector<Animation> parse_animation_config(Bytes bytes, io::WarningLog& warnings,
                                              FrameNumbering files = FrameNumbering::parts);

} // namespace vitrine::md3

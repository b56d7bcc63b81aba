#pragma once
// What a clip does: root motion, looping, contacts of the feet, and faults of its keys. Pure functions of a
// validated scene; scene space (meters, Y up), seconds from the clip's start.
//
// Motion is measured at the clip's frames, at most 512 of them, on the joints of the skeleton. Lengths are
// compared with the size of the model, the longest side of the box around its joints in the static pose.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

struct TimeSpan {
    double from = 0.0;
    double to = 0.0;
};

struct FootContact {
    std::uint32_t node = none;
    TimeSpan time;
};

// The first joint above at least half of the joints whose translation is animated, and its way over the
// ground.
struct RootMotion {
    std::uint32_t node = none;
    double distance = 0.0; // meters from the first to the last position, horizontally
    double path = 0.0;     // meters along the way, horizontally
    double speed =
        0.0; // meters per second: of `distance`, or of `path` if the root turns by more than 45 degrees
    double turn = 0.0;    // degrees about Y, counter-clockwise, summed over the clip
    bool in_place = true; // distance below a tenth of the size, and never farther away than a third of it
};

// Of the poses without the root's way over the ground and its turn. A clip loops if the pose at its end is
// the one at its start (within 0.002 of the size), or one step before it.
struct Looping {
    bool loops = false;
    // The whole clip if it loops; else the part of it, at least a fifth, that loops best, if the jump is at
    // most a hundredth of the size or about a step.
    std::optional<TimeSpan> range{};
    double seam =
        0.0; // meters: the farthest distance of a joint over the jump from the end to the start of `range`
    double end_seam = 0.0;   // the same, of the whole clip
    double seam_speed = 0.0; // meters per second: the largest change of a joint's velocity from the end of
                             // the whole clip to its start
};

struct FootFacts {
    // Times in which a joint named as a foot is at its lowest and does not rise or fall.
    std::vector<FootContact> contacts{};
    // Meters that feet move horizontally in contact; in place relative to their mean velocity, as on a
    // treadmill.
    double slide = 0.0;
};

struct KeyFacts {
    std::size_t keys = 0;             // of all tracks
    std::size_t max_track_keys = 0;   // of the track with most
    bool frozen = false;              // all keys of each track are equal
    std::size_t constant_tracks = 0;  // several keys, all equal
    std::size_t duplicate_keys = 0;   // inside of three equal keys in a row
    std::size_t redundant_keys = 0;   // reproduced by interpolation of their neighbors, with the duplicates
    std::size_t quaternion_flips = 0; // neighboring keys in opposite hemispheres
    std::size_t non_unit_quaternions = 0; // length off by more than 1e-3
    bool has_scale = false;               // a key scales a joint differently from its static pose
    bool has_non_uniform_scale = false;
};

// The largest change of the way of a joint within a frame, where it moves evenly in the frames around it: a
// wrong key, or a part of the motion that is missing.
struct MotionJump {
    std::uint32_t node = none; // none: there is no jump of a fiftieth of the size
    double time = 0.0;
    double distance = 0.0; // meters
};

struct ClipFacts {
    RootMotion root;
    Looping looping;
    FootFacts feet;
    KeyFacts keys;
    double peak_speed = 0.0;        // meters per second of the fastest joint
    double peak_acceleration = 0.0; // meters per second squared
    double start_difference = 0.0;  // meters: the farthest joint of the first frame from its static position
    double start_rotation = 0.0;    // degrees from the static rotations to the first frame's: mean over the
                                    // joints with rotation tracks; 0 of fewer than three
    double size = 0.0;              // meters, of the model as above; 0: no joints
    MotionJump jump;
    // Nodes without a track here that all other clips, or all but one, move; of clips that have at least
    // three quarters of these. Placeholders (Channel) do not count as tracks.
    std::vector<std::uint32_t> missing_joints{};
};

// Precondition: clip < scene.clips.size().
ClipFacts compute_clip_facts(const Scene& scene, std::uint32_t clip);
// Of all clips, by index. `threads`: that may work, including the caller's; the others end before the call
// returns, and the caller's does their work if they cannot be started. After a
// stop is requested, the facts of further clips are empty.
std::vector<ClipFacts> compute_all_clip_facts(const Scene& scene, unsigned threads,
                                              const std::stop_token& stop = {});

} // namespace vitrine::scene

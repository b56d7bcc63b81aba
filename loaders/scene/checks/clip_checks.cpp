// Faults of clips.
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/scene/checks/check_parts.hpp"

namespace vitrine::scene {
namespace {

constexpr std::size_t min_frozen_keys = 3; // fewer keys hold a pose on purpose
constexpr double min_size = 1e-5;          // meters
constexpr double equal_poses = 1e-4;       // of the size
constexpr double min_slide = 0.05;         // of the size
constexpr double min_contact_seconds = 0.2;
constexpr std::size_t max_listed_joints = 5; // in a message

// The words of a name: runs of letters, split also where a capital follows a small letter.
std::vector<std::string> words_of(std::string_view name)
{
    std::vector<std::string> words{""};
    char before = ' ';
    for (const char c : name) {
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool is_capital = c >= 'A' && c <= 'Z';
        const bool after_small = before >= 'a' && before <= 'z';
        if ((!is_letter || (is_capital && after_small)) && !words.back().empty()) words.emplace_back();
        if (is_letter) words.back() += ascii::to_lower(c);
        before = c;
    }
    return words;
}

template <std::size_t Count>
bool has_word(const std::vector<std::string>& words, const std::array<std::string_view, Count>& wanted)
{
    return std::ranges::any_of(
        words, [&](const std::string& word) { return std::ranges::find(wanted, word) != wanted.end(); });
}

constexpr std::array<std::string_view, 9> gaits{"walk",    "walking", "run",    "running",  "jog",
                                                "jogging", "sprint",  "strafe", "sprinting"};
constexpr std::array<std::string_view, 6> cycles{"idle", "loop", "looping", "cycle", "swim", "swimming"};
// Of clips that lead from one motion to another.
constexpr std::array<std::string_view, 17> transitions{
    "start", "stop", "end",   "begin", "to",     "in",    "out",   "turn",      "into",
    "jump",  "exit", "enter", "from",  "attack", "shoot", "slide", "transition"};

// Of clips in which the feet leave the ground together, or slide on purpose.
constexpr std::array<std::string_view, 14> flights{"jump",  "dodge", "roll",  "dash",  "hop",
                                                   "leap",  "land",  "fall",  "climb", "fly",
                                                   "slide", "skate", "crawl", "swim"};

bool names_gait(const std::string& name)
{
    const auto words = words_of(name);
    return has_word(words, gaits) && !has_word(words, transitions);
}

// Whether the name of a clip says that it loops. A long recording of a walk need not.
bool names_loop(const Clip& clip)
{
    constexpr double max_gait_seconds = 10.0;
    const auto words = words_of(clip.name);
    const bool is_gait = clip.duration <= max_gait_seconds && has_word(words, gaits);
    return (is_gait || has_word(words, cycles)) && !has_word(words, transitions);
}

// The clip that is checked.
struct ClipUnderCheck {
    const Scene& scene;
    const Clip& clip;
    const ClipFacts& facts;
    std::string path;
    FindingList& findings;

    std::string name() const { return quoted_name(clip.name); }
    // 0 of a skeleton without an extent: a single joint.
    double sizes(double meters) const { return facts.size > min_size ? meters / facts.size : 0.0; }
};

void check_keys(const ClipUnderCheck& check)
{
    const auto& keys = check.facts.keys;
    auto& findings = check.findings;
    const auto count = [&](Rule rule, std::size_t value, std::string_view what) {
        findings.limit(rule, check.path, static_cast<double>(value),
                       [&] { return fmt::format("the clip {} has {} {}", check.name(), value, what); });
    };
    count(Rule::clip_quaternion_norm, keys.non_unit_quaternions, "rotation keys without unit length");
    count(Rule::clip_quaternion_flip, keys.quaternion_flips,
          "pairs of neighboring rotation keys in opposite hemispheres");
    if (keys.frozen) return; // one finding is enough
    count(Rule::clip_constant_channel, keys.constant_tracks, "channels whose keys are all equal");
    count(Rule::clip_duplicate_keys, keys.duplicate_keys, "keys between two equal ones");
    count(Rule::clip_redundant_keys, keys.redundant_keys, "keys that interpolation of their neighbors gives");
}

void check_channels(const ClipUnderCheck& check)
{
    const auto& keys = check.facts.keys;
    auto& findings = check.findings;
    if (keys.keys == 0)
        findings.add(Rule::clip_empty, check.path, 0.0, std::monostate(),
                     fmt::format("the clip {} has no keys", check.name()));
    else if (keys.frozen && keys.max_track_keys >= min_frozen_keys)
        findings.add(Rule::clip_frozen, check.path, static_cast<double>(keys.keys), std::monostate(),
                     fmt::format("the {} keys of the clip {} change nothing", keys.keys, check.name()));
    if (keys.has_scale)
        findings.add(Rule::clip_scale_keys, check.path, true, false,
                     fmt::format("the clip {} changes the scale of a joint", check.name()));
    if (keys.has_non_uniform_scale)
        findings.add(Rule::clip_non_uniform_scale, check.path, true, false,
                     fmt::format("the clip {} scales the axes of a joint differently", check.name()));
}

void check_missing_joints(const ClipUnderCheck& check)
{
    const auto& missing = check.facts.missing_joints;
    check.findings.limit(Rule::clip_missing_joints, check.path, static_cast<double>(missing.size()), [&] {
        std::string names;
        for (std::size_t i = 0; i < std::min(missing.size(), max_listed_joints); ++i)
            names += (i == 0 ? "" : ", ") + quoted_name(check.scene.nodes[missing[i]].name);
        return fmt::format("the clip {} has no keys of {}{}, which the other clips move", check.name(), names,
                           missing.size() > max_listed_joints ? ", ..." : "");
    });
}

void check_pose(const ClipUnderCheck& check)
{
    const auto& facts = check.facts;
    check.findings.limit(Rule::clip_bind_pose_jump, check.path, facts.start_rotation, [&] {
        return fmt::format("the joints of the clip {} start {:.0f} degrees from the bind pose, on average",
                           check.name(), facts.start_rotation);
    });
    if (facts.jump.node == none) return;
    check.findings.limit(Rule::clip_velocity_peak, check.path, check.sizes(facts.jump.distance), [&] {
        return fmt::format("the joint {} of the clip {} jumps by {:.3g} m at {:.3f} s",
                           quoted_name(check.scene.nodes[facts.jump.node].name), check.name(),
                           facts.jump.distance, facts.jump.time);
    });
}

void check_loop(const ClipUnderCheck& check)
{
    const auto& looping = check.facts.looping;
    if (check.facts.keys.frozen || !names_loop(check.clip)) return;
    if (looping.loops && check.sizes(looping.end_seam) <= equal_poses)
        check.findings.add(Rule::clip_duplicate_loop_end, check.path, true, false,
                           fmt::format("the last frame of the clip {} repeats the first, so that a program "
                                       "that plays frames shows it twice",
                                       check.name()));
    if (!looping.loops)
        check.findings.limit(Rule::clip_loop_seam, check.path, check.sizes(looping.end_seam), [&] {
            const auto best = looping.range ? fmt::format("; from {:.3f} to {:.3f} s it loops",
                                                          looping.range->from, looping.range->to)
                                            : std::string();
            return fmt::format("the end of the clip {} misses its start by {:.3g} m{}", check.name(),
                               looping.end_seam, best);
        });
    else
        check.findings.limit(Rule::clip_loop_velocity, check.path, check.sizes(looping.seam_speed), [&] {
            return fmt::format("a joint of the clip {} changes its velocity by {:.3g} m/s where it loops",
                               check.name(), looping.seam_speed);
        });
}

void check_feet(const ClipUnderCheck& check)
{
    const auto& feet = check.facts.feet;
    if (check.facts.root.in_place && !names_gait(check.clip.name)) return; // steps in place are no gait
    if (has_word(words_of(check.clip.name), flights)) return;
    double seconds = 0.0;
    for (const auto& contact : feet.contacts)
        seconds += contact.time.to - contact.time.from;
    if (seconds < min_contact_seconds || check.sizes(feet.slide) < min_slide) return;
    const double speed = feet.slide / seconds;
    check.findings.limit(Rule::clip_foot_slide, check.path, check.sizes(speed), [&] {
        return fmt::format("the feet of the clip {} slide by {:.3g} m in {:.3g} s of contact with the ground",
                           check.name(), feet.slide, seconds);
    });
}

} // namespace

void check_clips(const Scene& scene, const std::vector<ClipFacts>& facts, FindingList& findings)
{
    for (std::size_t i = 0; i < scene.clips.size(); ++i) {
        const ClipUnderCheck check{scene, scene.clips[i], facts[i], pointer_to("clips", i), findings};
        check_channels(check);
        check_keys(check);
        check_missing_joints(check);
        check_pose(check);
        check_loop(check);
        check_feet(check);
    }
}

} // namespace vitrine::scene

#include "loaders/scene/humanoid/joint_name.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "loaders/base/ascii.hpp"

namespace vitrine::scene {
namespace {

constexpr std::size_t max_name_length = 96;
constexpr std::size_t max_words = 12;

enum class LetterKind : std::uint8_t { separator, digit, lower, upper };

LetterKind letter_of(char c)
{
    if (c >= '0' && c <= '9') return LetterKind::digit;
    if (c >= 'a' && c <= 'z') return LetterKind::lower;
    return c >= 'A' && c <= 'Z' ? LetterKind::upper : LetterKind::separator;
}

// "LHipJoint" is l, hip, joint; "Finger01" is finger, 01.
std::vector<std::string> words_of(std::string_view name)
{
    std::vector<std::string> words;
    LetterKind before = LetterKind::separator;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const LetterKind letter = letter_of(name[i]);
        const bool next_is_lower = i + 1 < name.size() && letter_of(name[i + 1]) == LetterKind::lower;
        const bool continues =
            letter == before || (before == LetterKind::upper && letter == LetterKind::lower);
        const bool begins = !continues || (letter == LetterKind::upper && next_is_lower);
        if (letter != LetterKind::separator) {
            if (begins || words.empty()) words.emplace_back();
            words.back() += ascii::to_lower(name[i]);
        }
        before = letter;
    }
    return words;
}

template <std::size_t Count>
bool is_one_of(const std::array<std::string_view, Count>& words, std::string_view word)
{
    return std::ranges::find(words, word) != words.end();
}

// Marks of rigs, and words that do not change what a name means.
constexpr std::array<std::string_view, 33> ignored_words{
    "mixamorig", "bip",  "biped",    "valve", "valvebiped", "j",           "c",    "m",         "b",
    "f",         "bn",   "def",      "org",   "cc",         "base",        "bend", "jnt",       "jt",
    "joint",     "bone", "skeleton", "skel",  "sk",         "armature",    "rig",  "character", "center",
    "adj",       "bind", "anim",     "human", "proximal",   "intermediate"};

// Joints beside the bones of a body.
constexpr std::array<std::string_view, 34> helper_words{
    "twist",   "twst",   "roll",   "ik",    "fk",     "pole",     "target", "ctrl",   "control",
    "helper",  "nub",    "end",    "tip",   "eff",    "effector", "slot",   "socket", "attach",
    "mch",     "tweak",  "aux",    "dummy", "site",   "goal",     "aim",    "muscle", "corrective",
    "stretch", "parent", "master", "sec",   "weapon", "prop",     "ribbon"};

struct PartWord {
    std::string_view word;
    BodyPart part;
};

constexpr std::array part_words{
    PartWord{"hips", BodyPart::hips},
    PartWord{"pelvis", BodyPart::hips},
    PartWord{"spine", BodyPart::torso},
    PartWord{"torso", BodyPart::torso},
    PartWord{"chest", BodyPart::torso},
    PartWord{"upperchest", BodyPart::torso},
    PartWord{"neck", BodyPart::neck},
    PartWord{"necklower", BodyPart::neck},
    PartWord{"neckupper", BodyPart::neck},
    PartWord{"head", BodyPart::head},
    PartWord{"jaw", BodyPart::jaw},
    PartWord{"eye", BodyPart::eye},
    PartWord{"eyeball", BodyPart::eye},
    PartWord{"faceeye", BodyPart::eye},
    PartWord{"collar", BodyPart::collar},
    PartWord{"collarbone", BodyPart::collar},
    PartWord{"clavicle", BodyPart::collar},
    PartWord{"clav", BodyPart::collar},
    PartWord{"shoulder", BodyPart::shoulder},
    PartWord{"shldr", BodyPart::shoulder},
    PartWord{"upperarm", BodyPart::upper_arm},
    PartWord{"uparm", BodyPart::upper_arm},
    PartWord{"armupper", BodyPart::upper_arm},
    PartWord{"humerus", BodyPart::upper_arm},
    PartWord{"arm", BodyPart::arm},
    PartWord{"forearm", BodyPart::lower_arm},
    PartWord{"lowerarm", BodyPart::lower_arm},
    PartWord{"lowarm", BodyPart::lower_arm},
    PartWord{"armlower", BodyPart::lower_arm},
    PartWord{"elbow", BodyPart::lower_arm},
    PartWord{"hand", BodyPart::hand},
    PartWord{"wrist", BodyPart::hand},
    PartWord{"hip", BodyPart::hip},
    PartWord{"thigh", BodyPart::upper_leg},
    PartWord{"upleg", BodyPart::upper_leg},
    PartWord{"upperleg", BodyPart::upper_leg},
    PartWord{"legupper", BodyPart::upper_leg},
    PartWord{"femur", BodyPart::upper_leg},
    PartWord{"leg", BodyPart::leg},
    PartWord{"calf", BodyPart::lower_leg},
    PartWord{"shin", BodyPart::lower_leg},
    PartWord{"knee", BodyPart::lower_leg},
    PartWord{"lowerleg", BodyPart::lower_leg},
    PartWord{"lowleg", BodyPart::lower_leg},
    PartWord{"leglower", BodyPart::lower_leg},
    PartWord{"foot", BodyPart::foot},
    PartWord{"ankle", BodyPart::foot},
    PartWord{"toe", BodyPart::toes},
    PartWord{"toes", BodyPart::toes},
    PartWord{"ball", BodyPart::toes},
    PartWord{"thumb", BodyPart::thumb},
    PartWord{"thumbmetacarpal", BodyPart::thumb},
    PartWord{"thumbdistal", BodyPart::thumb},
    PartWord{"index", BodyPart::index_finger},
    PartWord{"indexdistal", BodyPart::index_finger},
    PartWord{"pointer", BodyPart::index_finger},
    PartWord{"middle", BodyPart::middle_finger},
    PartWord{"middledistal", BodyPart::middle_finger},
    PartWord{"mid", BodyPart::middle_finger},
    PartWord{"ring", BodyPart::ring_finger},
    PartWord{"ringdistal", BodyPart::ring_finger},
    PartWord{"little", BodyPart::little_finger},
    PartWord{"littledistal", BodyPart::little_finger},
    PartWord{"pinky", BodyPart::little_finger},
    PartWord{"pinkie", BodyPart::little_finger},
    PartWord{"finger", BodyPart::numbered_finger},
};

bool is_finger(BodyPart part)
{
    return part >= BodyPart::thumb;
}

std::optional<BodyPart> find_part(std::string_view word)
{
    const auto found = std::ranges::find(part_words, word, &PartWord::word);
    if (found != part_words.end()) return found->part;
    for (const std::string_view before : {"hand", "finger"}) {
        if (!word.starts_with(before) || word == before) continue;
        const auto finger = find_part(word.substr(before.size()));
        if (finger && is_finger(*finger)) return finger;
    }
    return std::nullopt;
}

// In the middle of the body and at its sides a word may mean two things.
bool fits_side(BodyPart& part, BodySide side)
{
    const bool is_center = side == BodySide::center;
    if (part == BodyPart::hip && is_center) part = BodyPart::hips;
    if (part == BodyPart::hips && !is_center) return false;
    if (part <= BodyPart::head || part == BodyPart::jaw) return is_center;
    return !is_center;
}

BodySide side_of(std::string_view word)
{
    if (word == "l" || word == "left" || word == "lft") return BodySide::left;
    if (word == "r" || word == "right" || word == "rgt") return BodySide::right;
    return BodySide::center;
}

// "leftupleg", "lfoot": the side without a separator.
std::optional<BodyPart> find_part_with_side(std::string_view word, BodySide& side)
{
    for (const std::string_view mark : {"left", "right", "l", "r"}) {
        if (!word.starts_with(mark)) continue;
        auto part = find_part(word.substr(mark.size()));
        const BodySide marked = side_of(mark);
        if (!part || !fits_side(*part, marked)) continue;
        side = marked;
        return part;
    }
    return std::nullopt;
}

struct SplitName {
    std::string word; // what is left of the name
    JointName joint;
    bool is_helper = false;
};

SplitName split(const std::vector<std::string>& words)
{
    SplitName name;
    bool has_number = false;
    for (const auto& word : words) {
        if (letter_of(word.front()) == LetterKind::digit) {
            if (!has_number && !name.word.empty())
                name.joint.number = static_cast<std::uint8_t>(word.front() - '0');
            has_number = has_number || !name.word.empty();
            continue;
        }
        const BodySide side = side_of(word);
        if (side != BodySide::center) {
            name.is_helper |= name.joint.side != BodySide::center && name.joint.side != side;
            name.joint.side = side;
            continue;
        }
        name.is_helper |= is_one_of(helper_words, word);
        name.joint.is_deforming |= word == "def";
        if (!is_one_of(ignored_words, word)) name.word += word;
    }
    return name;
}

} // namespace

std::optional<JointName> parse_joint_name(std::string_view name)
{
    const auto colon = name.find_last_of(":|");
    if (colon != std::string_view::npos) name.remove_prefix(colon + 1);
    if (name.size() > max_name_length) return std::nullopt;
    const auto words = words_of(name);
    if (words.empty() || words.size() > max_words) return std::nullopt;
    auto found = split(words);
    if (found.is_helper) return std::nullopt;
    auto part = find_part(found.word);
    if (part && fits_side(*part, found.joint.side)) {
        found.joint.part = *part;
        return found.joint;
    }
    if (found.joint.side != BodySide::center) return std::nullopt;
    part = find_part_with_side(found.word, found.joint.side);
    if (!part) return std::nullopt;
    found.joint.part = *part;
    return found.joint;
}

} // namespace vitrine::scene

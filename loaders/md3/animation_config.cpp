#include "loaders/md3/animation_config.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "loaders/io/encoding.hpp"
#include "loaders/io/text_reader.hpp"

namespace vitrine::md3 {
namespace {

constexpr std::size_t largest_file = 1u << 20;
constexpr double most_frames = 1e6;
constexpr double slowest_rate = 1e-3; // below it times would leave the range of numbers

// The order that the game reads; the last six came with Team Arena.
constexpr std::array<std::string_view, 31> names = {
    "BOTH_DEATH1",   "BOTH_DEAD1",      "BOTH_DEATH2",  "BOTH_DEAD2",     "BOTH_DEATH3",
    "BOTH_DEAD3",    "TORSO_GESTURE",   "TORSO_ATTACK", "TORSO_ATTACK2",  "TORSO_DROP",
    "TORSO_RAISE",   "TORSO_STAND",     "TORSO_STAND2", "LEGS_WALKCR",    "LEGS_WALK",
    "LEGS_RUN",      "LEGS_BACK",       "LEGS_SWIM",    "LEGS_JUMP",      "LEGS_LAND",
    "LEGS_JUMPB",    "LEGS_LANDB",      "LEGS_IDLE",    "LEGS_IDLECR",    "LEGS_TURN",
    "TORSO_GETFLAG", "TORSO_GUARDBASE", "TORSO_PATROL", "TORSO_FOLLOWME", "TORSO_AFFIRMATIVE",
    "TORSO_NEGATIVE"};

struct Line {
    std::string_view text; // without its comment
    std::string_view comment;
    std::uint32_t number = 0;
};

std::vector<Line> lines_of(std::string_view text)
{
    std::vector<Line> lines;
    std::uint32_t number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view whole = text.substr(0, end);
        const std::size_t comment = std::min(whole.find("//"), whole.size());
        lines.push_back({whole.substr(0, comment), whole.substr(comment), ++number});
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::vector<std::string_view> words_of(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\v\f";
    std::vector<std::string_view> words;
    for (std::size_t at = text.find_first_not_of(blanks); at != text.npos;) {
        const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
        words.push_back(text.substr(at, end - at));
        at = text.find_first_not_of(blanks, end);
    }
    return words;
}

bool is_part_of_name(char c)
{
    return c == '_' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// The name that a comment gives, of the form of the game's own: "LEGS_RUN".
std::string name_in(std::string_view comment)
{
    for (const std::string_view prefix : {"BOTH_", "TORSO_", "LEGS_"}) {
        const std::size_t at = comment.find(prefix);
        if (at == comment.npos) continue;
        const std::string_view rest = comment.substr(at);
        const auto end = std::ranges::find_if_not(rest, is_part_of_name);
        return std::string(rest.begin(), end);
    }
    return {};
}

Moves moves_of(std::string_view name)
{
    if (name.starts_with("TORSO_")) return Moves::torso;
    return name.starts_with("LEGS_") ? Moves::legs : Moves::both;
}

bool is_number(std::string_view word)
{
    return io::parse_number(word).has_value();
}

// Games built on Quake III write the name in front: "LEGS_RUN 120 14 14 20". Takes it off `words`.
std::string take_name(std::vector<std::string_view>& words)
{
    const bool named =
        words.size() >= 5 && !is_number(words[0]) && std::ranges::all_of(words[0], is_part_of_name);
    if (!named || !std::ranges::all_of(words.begin() + 1, words.begin() + 5, is_number)) return {};
    std::string name(words[0]);
    words.erase(words.begin());
    return name;
}

// Empty where a number is out of all proportion. `name`: empty where the comment or the order gives it.
std::optional<Animation> animation_of(const Line& line, const std::vector<std::string_view>& words,
                                      std::string name, std::size_t index)
{
    std::array<double, 4> numbers{0, 1, 0, 15}; // first, count, loop, rate
    for (std::size_t i = 0; i < std::min<std::size_t>(words.size(), 4); ++i)
        numbers[i] = io::parse_number(words[i]).value_or(numbers[i]);
    const auto [first, count, loop, rate] = numbers;
    if (!(first >= 0.0 && first <= most_frames) || !(std::abs(count) <= most_frames) ||
        !(std::abs(rate) <= most_frames))
        return std::nullopt;
    Animation out;
    out.name = name.empty() ? name_in(line.comment) : std::move(name);
    if (out.name.empty()) out.name = index < names.size() ? names[index] : fmt::format("BOTH_{}", index);
    out.moves = moves_of(out.name);
    out.first = static_cast<std::uint32_t>(first);
    out.count = std::max(1u, static_cast<std::uint32_t>(std::abs(count)));
    out.loop = static_cast<std::uint32_t>(std::clamp(loop, 0.0, static_cast<double>(out.count)));
    out.backwards = count < 0.0;
    out.rate = std::abs(rate) < slowest_rate ? 1.0 : std::abs(rate); // 0 as the game has it
    return out;
}

// What the legs' file does not hold: the torso's own frames, which stand before the first of the legs.
void count_legs_from_their_own(std::vector<Animation>& animations)
{
    const auto torso = std::ranges::find(animations, Moves::torso, &Animation::moves);
    const auto legs = std::ranges::find(animations, Moves::legs, &Animation::moves);
    if (torso == animations.end() || legs == animations.end() || legs->first < torso->first) return;
    const std::uint32_t skipped = legs->first - torso->first;
    for (Animation& animation : animations) {
        if (animation.moves == Moves::legs) animation.first -= std::min(animation.first, skipped);
    }
}

} // namespace

std::vector<Animation> parse_animation_config(Bytes bytes, io::WarningLog& warnings, Files files)
{
    std::vector<Animation> animations;
    if (bytes.size() > largest_file) return animations;
    std::string storage;
    for (const Line& line : lines_of(io::as_text(bytes, storage))) {
        auto words = words_of(line.text);
        auto name = take_name(words);
        if (words.empty() || !is_number(words[0])) continue;
        const bool whole =
            words.size() >= 4 && std::ranges::all_of(words.begin(), words.begin() + 4, is_number);
        auto animation = animation_of(line, words, std::move(name), animations.size());
        if (!whole || !animation) {
            warnings.add("md3_animation",
                         fmt::format("the line {} is no animation: first, count, loop and frames a second",
                                     io::shown(line.text)),
                         fmt::format("line {}", line.number));
        }
        if (animation && animation->loop > 0 && animation->loop < animation->count &&
            warnings.wants("md3_loop"))
            warnings.keep("md3_loop",
                          fmt::format("in the game the last {} of {} frames of {} go on and on; the clip is "
                                      "shown as a whole",
                                      animation->loop, animation->count, io::shown(animation->name)),
                          fmt::format("line {}", line.number));
        if (animation) animations.push_back(*std::move(animation));
    }
    if (files == Files::parts) count_legs_from_their_own(animations);
    return animations;
}

} // namespace vitrine::md3

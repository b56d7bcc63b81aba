#include "loaders/md3/animation_config.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "loaders/io/text/text_reader.hpp"
#include "loaders/md3/config_rows.hpp"

namespace vitrine::md3 {
namespace {

constexpr std::size_t max_config_bytes = 1u << 20;
constexpr double max_frames = 1e6;
constexpr double min_rate = 1e-3; // smaller rates give times that overflow

// The game's order; the last six are from Team Arena.
constexpr std::array<std::string_view, 31> names = {
    "BOTH_DEATH1",   "BOTH_DEAD1",      "BOTH_DEATH2",  "BOTH_DEAD2",     "BOTH_DEATH3",
    "BOTH_DEAD3",    "TORSO_GESTURE",   "TORSO_ATTACK", "TORSO_ATTACK2",  "TORSO_DROP",
    "TORSO_RAISE",   "TORSO_STAND",     "TORSO_STAND2", "LEGS_WALKCR",    "LEGS_WALK",
    "LEGS_RUN",      "LEGS_BACK",       "LEGS_SWIM",    "LEGS_JUMP",      "LEGS_LAND",
    "LEGS_JUMPB",    "LEGS_LANDB",      "LEGS_IDLE",    "LEGS_IDLECR",    "LEGS_TURN",
    "TORSO_GETFLAG", "TORSO_GUARDBASE", "TORSO_PATROL", "TORSO_FOLLOWME", "TORSO_AFFIRMATIVE",
    "TORSO_NEGATIVE"};

BodyParts moves_of(std::string_view name)
{
    if (name.starts_with("TORSO_")) return BodyParts::torso;
    return name.starts_with("LEGS_") ? BodyParts::legs : BodyParts::both;
}

// The row's position is kept even if it is not shown, because names depend on it.
struct ConfigEntry {
    AnimationRow animation;
    bool has_first = true;
    bool is_shown = true;
};

ConfigEntry entry_of(const ConfigRow& row, std::size_t place)
{
    const double first = row.numbers[0].value_or(0.0), count = row.numbers[1].value_or(1.0),
                 loop = row.numbers[2].value_or(0.0), rate = row.numbers[3].value_or(15.0);
    ConfigEntry entry;
    entry.has_first = first >= 0.0 && first <= max_frames;
    entry.is_shown =
        entry.has_first && std::abs(count) <= max_frames && std::abs(rate) <= max_frames && !std::isnan(loop);
    AnimationRow& out = entry.animation;
    out.name = row.name;
    if (out.name.empty()) out.name = place < names.size() ? names[place] : fmt::format("BOTH_{}", place);
    out.body_parts = moves_of(out.name);
    if (entry.has_first) out.first = static_cast<std::uint32_t>(first);
    if (!entry.is_shown) return entry;
    out.count = std::max(1u, static_cast<std::uint32_t>(std::abs(count)));
    out.loop = static_cast<std::uint32_t>(std::clamp(loop, 0.0, static_cast<double>(out.count)));
    out.backwards = count < 0.0;
    out.rate = std::abs(rate) < min_rate ? 1.0 : std::abs(rate); // the game replaces 0 by 1
    return entry;
}

void warn(const ConfigRow& row, const ConfigEntry& entry, io::WarningLog& warnings)
{
    const std::string where = fmt::format("line {}", row.line);
    const bool is_whole = std::ranges::all_of(row.numbers, [](const auto& n) { return n.has_value(); });
    if ((!is_whole || !entry.is_shown) && warnings.accepts("md3_animation"))
        warnings.store("md3_animation",
                       fmt::format("{} is not a valid animation{}: first, count, loop and frames per second",
                                   io::shown(row.text), entry.is_shown ? " row" : ""),
                       where);
    const AnimationRow& animation = entry.animation;
    if (entry.is_shown && animation.loop > 0 && animation.loop < animation.count &&
        warnings.accepts("md3_loop"))
        warnings.store("md3_loop",
                       fmt::format("in the game the last {} of {} frames of {} loop; the clip is "
                                   "played as a whole",
                                   animation.loop, animation.count, io::shown(animation.name)),
                       where);
}

// Subtracts the torso's own frames, which precede the legs' and are not in the legs' file.
void subtract_torso_frames(std::vector<ConfigEntry>& entries)
{
    const auto first_of = [&](BodyParts body_parts) {
        return std::ranges::find_if(entries, [=](const ConfigEntry& entry) {
            return entry.has_first && entry.animation.body_parts == body_parts;
        });
    };
    const auto torso = first_of(BodyParts::torso), legs = first_of(BodyParts::legs);
    if (torso == entries.end() || legs == entries.end() || legs->animation.first < torso->animation.first)
        return;
    const std::uint32_t skipped = legs->animation.first - torso->animation.first;
    for (ConfigEntry& entry : entries) {
        std::uint32_t& first = entry.animation.first;
        if (entry.animation.body_parts == BodyParts::legs) first -= std::min(first, skipped);
    }
}

} // namespace

std::vector<AnimationRow> parse_animation_config(Bytes bytes, io::WarningLog& warnings, FrameNumbering files)
{
    if (bytes.size() > max_config_bytes) return {};
    std::string storage;
    std::vector<ConfigEntry> entries;
    const ConfigWords config = split_config(io::as_text(bytes, storage));
    if (config.open_comment > 0 && warnings.accepts("md3_comment"))
        warnings.store("md3_comment", "a comment is not closed; the rest of the file is ignored",
                       fmt::format("line {}", config.open_comment));
    for (const ConfigRow& row : read_rows(config.words)) {
        entries.push_back(entry_of(row, entries.size()));
        warn(row, entries.back(), warnings);
    }
    if (files == FrameNumbering::separate_files) subtract_torso_frames(entries);
    std::vector<AnimationRow> animations;
    for (ConfigEntry& entry : entries) {
        if (entry.is_shown) animations.push_back(std::move(entry.animation));
    }
    return animations;
}

} // namespace vitrine::md3

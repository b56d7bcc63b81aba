#include "loaders/md3/player.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/shared_parts.hpp"
#include "loaders/quake/loops.hpp"

namespace vitrine::md3 {
namespace {

constexpr double default_rate = 15.0; // frames per second

std::string lower_base(std::string_view name)
{
    return ascii::lower(io::base_name(name));
}

bool is_level_of_detail(std::string_view base)
{
    const std::string_view stem = base.substr(0, base.size() - io::extension_of(base).size());
    return stem.size() > 2 && stem[stem.size() - 2] == '_' && stem.back() >= '1' && stem.back() <= '9';
}

bool is_named(const ModelPart& part, std::string_view name)
{
    return lower_base(part.name()) == name;
}

FrameSchedule schedule_of(std::uint32_t first, std::uint32_t count, double rate, bool backwards = false)
{
    FrameSchedule out;
    for (std::uint32_t f = 0; f < count; ++f) {
        out.frames.push_back(first + (backwards ? count - 1 - f : f));
        out.times.push_back(static_cast<float>(f / rate));
    }
    return out;
}

// The last frame runs into the first one.
void close_loop(FrameSchedule& schedule, scene::Clip& clip)
{
    clip.duration = clip.frames / clip.frame_rate;
    schedule.frames.push_back(schedule.frames[0]);
    schedule.times.push_back(static_cast<float>(clip.duration));
}

} // namespace

PlayerFiles find_player_files(const Source& source)
{
    PlayerFiles files;
    if (lower_base(source.main_name()) == "upper.md3") files.upper = source.main_name();
    for (const auto& [part, owner] : io::find_shared_parts(source.names())) {
        const std::string base = lower_base(part);
        if (owner != source.main_name()) continue;
        if (base == "upper.md3")
            files.upper = part;
        else if (base == "head.md3")
            files.head = part;
        else if (!is_level_of_detail(base))
            files.weapon = part;
    }
    return files;
}

std::vector<std::string> find_level_files(const Source& source, std::string_view part)
{
    const std::string base = lower_base(part);
    const std::string stem = base.substr(0, base.size() - io::extension_of(base).size());
    std::map<std::string, std::string> levels; // by the base name, which ends in one digit
    for (const std::string& name : source.names())
        if (const std::string other = lower_base(name);
            io::folder_of(name) == io::folder_of(part) && is_level_of_detail(other) &&
            other.size() == base.size() + 2 && other.starts_with(stem + "_") && other.ends_with(".md3"))
            levels.emplace(other, name);
    std::vector<std::string> files;
    for (auto& [key, name] : levels)
        files.push_back(std::move(name));
    return files;
}

bool is_only_model(const Source& source)
{
    const std::string_view folder = io::folder_of(source.main_name());
    return std::ranges::none_of(source.names(), [&](const std::string& name) {
        const std::string base = lower_base(name);
        return name != source.main_name() && io::folder_of(name) == folder && base.ends_with(".md3") &&
               !is_level_of_detail(base);
    });
}

std::string find_animation_config(const Source& source)
{
    const std::string_view folder = io::folder_of(source.main_name());
    const auto found = std::ranges::find_if(source.names(), [&](const std::string& name) {
        return io::folder_of(name) == folder && lower_base(name) == "animation.cfg";
    });
    return found == source.names().end() ? std::string() : *found;
}

bool is_body_part(const ModelPart& part)
{
    return is_named(part, "lower") || is_named(part, "upper");
}

ClipMaker::ClipMaker(std::vector<const ModelPart*> parts, std::vector<AnimationRow> animations,
                     std::string name, std::span<const scene::Mesh> meshes)
    : parts_(std::move(parts)), animations_(std::move(animations)), name_(std::move(name)), meshes_(meshes)
{
    std::erase_if(animations_, [&](const AnimationRow& animation) {
        return std::ranges::none_of(parts_, [&](const ModelPart* part) {
            return role_of(*part, animation.body_parts) == PartRole::animated;
        });
    });
}

// Heads and weapons have poses instead of animations and stay unchanged. The parts of a single model are all
// animated.
ClipMaker::PartRole ClipMaker::role_of(const ModelPart& part, BodyParts body_parts) const
{
    if (is_named(part, "lower"))
        return body_parts == BodyParts::torso ? PartRole::fixed_frame : PartRole::animated;
    if (is_named(part, "upper"))
        return body_parts == BodyParts::legs ? PartRole::fixed_frame : PartRole::animated;
    return parts_.size() == 1 ? PartRole::animated : PartRole::not_animated;
}

// The number of frames available in the longest animated part, at least one.
std::uint32_t ClipMaker::frames_of(const AnimationRow& animation) const
{
    std::uint32_t available = 0;
    for (const ModelPart* part : parts_) {
        if (role_of(*part, animation.body_parts) == PartRole::animated)
            available = std::max(available, part->file().frame_count);
    }
    const std::uint32_t left = available - std::min(available, animation.first);
    return std::clamp(animation.count, 1u, std::max(left, 1u));
}

// Legs use LEGS_IDLE during torso animations, the torso uses TORSO_STAND during leg animations.
std::uint32_t ClipMaker::held_frame(const ModelPart& part) const
{
    const std::string_view name = is_named(part, "lower") ? "LEGS_IDLE" : "TORSO_STAND";
    const auto found = std::ranges::find(animations_, name, &AnimationRow::name);
    return found == animations_.end() ? 0 : std::min(found->first, part.file().frame_count - 1);
}

std::uint64_t ClipMaker::key_values() const
{
    std::uint64_t values = 0;
    for (const AnimationRow& animation : animations_) {
        for (const ModelPart* part : parts_)
            values += part->key_values(std::size_t{frames_of(animation)} + 1);
    }
    for (const ModelPart* part : parts_)
        values += part->key_values(std::size_t{part->file().frame_count} + 1);
    return values;
}

scene::Clip ClipMaker::make_clip(const AnimationRow& animation, io::WarningLog& warnings) const
{
    const std::uint32_t frames = frames_of(animation);
    if (frames < animation.count && warnings.accepts("md3_frames_missing")) {
        warnings.store("md3_frames_missing",
                       fmt::format("the files contain {} of its {} frames", frames, animation.count),
                       animation.name);
    }
    scene::Clip clip{.name = animation.name,
                     .duration = (frames - 1) / animation.rate,
                     .frame_rate = animation.rate,
                     .frames = frames,
                     .channels = {}};
    FrameSchedule moving = schedule_of(animation.first, frames, animation.rate, animation.backwards);
    const bool loops = animation.loop == animation.count && frames == animation.count;
    if (loops && frames > 1) close_loop(moving, clip);
    for (const ModelPart* part : parts_) {
        const PartRole role = role_of(*part, animation.body_parts);
        if (role == PartRole::animated) part->add_channels(clip, moving);
        if (role == PartRole::fixed_frame) part->add_channels(clip, {{held_frame(*part)}, {0.0f}}, true);
    }
    return clip;
}

// By the name of the file, else by its frames; what moves must have as many frames.
bool ClipMaker::loops_as_a_whole(std::uint32_t frames) const
{
    const auto is_other = [&](std::uint32_t count) { return count > 1 && count != frames; };
    if (std::ranges::any_of(parts_,
                            [&](const ModelPart* part) { return is_other(part->file().frame_count); }))
        return false;
    std::vector<const scene::Mesh*> moving;
    for (const scene::Mesh& mesh : meshes_)
        if (mesh.frames.count == frames) moving.push_back(&mesh);
    return quake::loops(name_, moving, 0, frames);
}

scene::Clip ClipMaker::whole_clip() const
{
    std::uint32_t frames = 1;
    for (const ModelPart* part : parts_)
        frames = std::max(frames, part->file().frame_count);
    scene::Clip clip{.name = name_,
                     .duration = (frames - 1) / default_rate,
                     .frame_rate = default_rate,
                     .frames = frames,
                     .channels = {}};
    const bool loops = loops_as_a_whole(frames);
    for (const ModelPart* part : parts_) {
        FrameSchedule schedule = schedule_of(0, part->file().frame_count, default_rate);
        if (loops && part->file().frame_count == frames) close_loop(schedule, clip);
        part->add_channels(clip, schedule);
    }
    return clip;
}

std::vector<scene::Clip> ClipMaker::make(io::WarningLog& warnings) const
{
    std::vector<scene::Clip> clips;
    for (const AnimationRow& animation : animations_)
        clips.push_back(make_clip(animation, warnings));
    if (clips.empty()) clips.push_back(whole_clip());
    return clips;
}

} // namespace vitrine::md3

#include "api/check_profile.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>
#include <re2/re2.h>

#include "api/json_reader.hpp"
#include "loaders/base/checksum.hpp"
#include "loaders/base/printable.hpp"

namespace vitrine::api {
namespace {

namespace json = boost::json;
using scene::CheckProfile;
using scene::Rule;

constexpr std::size_t max_pattern_bytes = 1000;
constexpr int max_pattern_steps = 2000; // instructions of the compiled pattern
constexpr std::size_t max_list_items = 1000;
constexpr std::size_t max_clip_demands = 100;
constexpr std::size_t max_shown_bytes = 80; // of untrusted text in a message

constexpr std::array<std::pair<std::string_view, Rule>, 12> budgets{
    {{"triangles", Rule::model_triangles},
     {"vertices", Rule::model_vertices},
     {"meshes", Rule::model_meshes},
     {"primitives", Rule::model_primitives},
     {"joints", Rule::model_joints},
     {"influences", Rule::model_influences},
     {"morphTargets", Rule::model_morph_targets},
     {"materials", Rule::model_materials},
     {"images", Rule::model_images},
     {"clips", Rule::model_clips},
     {"textureSide", Rule::texture_side},
     {"textureBytes", Rule::texture_bytes}}};

constexpr std::array<std::string_view, scene::named_kind_count> named_lists{"nodes",     "joints", "meshes",
                                                                            "materials", "clips",  "images"};
constexpr std::array<std::string_view, 6> axes{"X", "-X", "Y", "-Y", "Z", "-Z"};

std::string shown(std::string_view text)
{
    return "'" + printable(text, max_shown_bytes) + "'";
}

// Reads a profile until the first mistake.
class ProfileReader : JsonReader {
public:
    std::expected<CheckProfile, std::string> read(const json::value& root)
    {
        profile_ = scene::default_profile();
        profile_.name = "custom";
        profile_.description.clear();
        const JsonPlace top{root, ""};
        if (const auto* object = root.if_object())
            if (const auto* base = object->if_contains("extends")) read_base(top.member("extends", *base));
        for_members(top, [&](std::string_view key, const JsonPlace& at) { return read_member(key, at); });
        if (has_failed()) return std::unexpected(error());
        return std::move(profile_);
    }

private:
    scene::NamePattern pattern(const JsonPlace& at)
    {
        const auto source = text(at);
        if (has_failed()) return {};
        RE2::Options options;
        options.set_log_errors(false);
        options.set_max_mem(4 << 20);
        const auto compiled = std::make_shared<const RE2>(source, options);
        if (source.size() > max_pattern_bytes || compiled->error_code() == RE2::ErrorPatternTooLarge ||
            compiled->ProgramSize() > max_pattern_steps)
            reject(at, "is too large for a pattern");
        else if (!compiled->ok())
            reject(at, "is no regular expression: " + printable(compiled->error(), max_shown_bytes));
        return {source, [compiled](std::string_view name) {
                    return RE2::FullMatch(re2::StringPiece(name.data(), name.size()), *compiled);
                }};
    }

    void read_base(const JsonPlace& at)
    {
        const auto name = text(at);
        if (has_failed()) return;
        auto base = scene::find_shipped_profile(name);
        if (!base) return reject(at, no_profile_message(name));
        base->name = profile_.name;
        profile_ = *std::move(base);
    }

    bool read_member(std::string_view key, const JsonPlace& at)
    {
        if (key == "extends") return true; // read before
        if (key == "name")
            profile_.name = text(at);
        else if (key == "description")
            profile_.description = text(at);
        else if (key == "rules")
            for_members(at, [&](std::string_view id, const JsonPlace& one) { return read_rule(id, one); });
        else if (key == "budgets")
            for_members(at,
                        [&](std::string_view name, const JsonPlace& one) { return read_budget(name, one); });
        else if (key == "names")
            for_members(at,
                        [&](std::string_view name, const JsonPlace& one) { return read_names(name, one); });
        else if (key == "space")
            for_members(at,
                        [&](std::string_view name, const JsonPlace& one) { return read_space(name, one); });
        else if (key == "required")
            for_members(
                at, [&](std::string_view name, const JsonPlace& one) { return read_required(name, one); });
        else if (key == "clips")
            for_elements(at, max_clip_demands, [&](const JsonPlace& one) { read_demand(one); });
        else
            return false;
        return true;
    }

    void read_severity(const JsonPlace& at, Rule rule)
    {
        const auto severity = scene::find_severity(text(at));
        if (has_failed()) return;
        if (!severity) return reject(at, "must be one of off, note, warning, error");
        profile_.setting(rule).severity = *severity;
    }

    bool read_rule(std::string_view id, const JsonPlace& at)
    {
        const auto rule = scene::find_rule(id);
        if (!rule) {
            reject(at, "there is no such rule");
            return true;
        }
        if (at.value.is_string()) {
            read_severity(at, *rule);
            return true;
        }
        if (!at.value.is_object()) {
            reject(at, "must be a severity or an object");
            return true;
        }
        for_members(at, [&](std::string_view name, const JsonPlace& one) {
            if (name == "severity")
                read_severity(one, *rule);
            else if (name == "limit" && scene::info_of(*rule).has_limit)
                profile_.setting(*rule).limit = number(one);
            else if (name == "limit")
                reject(one, "this rule has no limit");
            else
                return false;
            return true;
        });
        return true;
    }

    bool read_budget(std::string_view name, const JsonPlace& at)
    {
        for (const auto& [known, rule] : budgets) {
            if (known != name) continue;
            profile_.setting(rule).limit = number(at);
            return true;
        }
        return false;
    }

    bool read_names(std::string_view name, const JsonPlace& at)
    {
        for (std::size_t i = 0; i < named_lists.size(); ++i) {
            if (named_lists[i] != name) continue;
            profile_.names[i] = pattern(at);
            return true;
        }
        return false;
    }

    bool read_space(std::string_view name, const JsonPlace& at)
    {
        if (name == "upAxis") {
            const auto axis = text(at);
            if (std::ranges::find(axes, axis) == axes.end()) reject(at, "must be one of X, -X, Y, -Y, Z, -Z");
            profile_.up_axis = axis;
        } else if (name == "unitMetres") {
            profile_.unit_meters = number(at);
        } else if (name == "minSize") {
            profile_.size.min = number(at);
        } else if (name == "maxSize") {
            profile_.size.max = number(at);
        } else {
            return false;
        }
        return true;
    }

    bool read_required(std::string_view name, const JsonPlace& at)
    {
        if (name == "joints")
            profile_.joints = texts(at, max_list_items);
        else if (name == "clips")
            profile_.clips = texts(at, max_list_items);
        else
            return false;
        return true;
    }

    void read_demand(const JsonPlace& at)
    {
        scene::ClipDemand demand;
        for_members(at, [&](std::string_view name, const JsonPlace& one) {
            if (name == "name")
                demand.clips = pattern(one);
            else if (name == "loops")
                demand.loops = flag(one);
            else if (name == "inPlace")
                demand.in_place = flag(one);
            else if (name == "minSpeed")
                demand.speed.min = number(one);
            else if (name == "maxSpeed")
                demand.speed.max = number(one);
            else if (name == "minSeconds")
                demand.seconds.min = number(one);
            else if (name == "maxSeconds")
                demand.seconds.max = number(one);
            else if (name == "frameRate")
                demand.frame_rate = number(one);
            else if (name == "joints")
                demand.joints = texts(one, max_list_items);
            else if (name == "durationSpread")
                demand.duration_spread = number(one);
            else if (name == "phaseSpread")
                demand.phase_spread = number(one);
            else
                return false;
            return true;
        });
        if (!demand.clips.matches) return reject(at, "has no name");
        profile_.clip_demands.push_back(std::move(demand));
    }

    CheckProfile profile_;
};

} // namespace

std::expected<CheckProfile, std::string> parse_check_profile(std::string_view text)
{
    if (text.size() > max_profile_bytes)
        return std::unexpected(fmt::format("the profile: must have at most {} bytes", max_profile_bytes));
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    const auto document = parse_json(text);
    if (!document) return std::unexpected(document.error());
    auto profile = ProfileReader().read(*document);
    if (profile) profile->revision = fmt::format("{:016x}", checksum(std::as_bytes(std::span(text))));
    return profile;
}

std::string no_profile_message(std::string_view name)
{
    std::string known;
    for (const auto& profile : scene::shipped_profiles())
        known.append(known.empty() ? "" : ", ").append(profile.name);
    return fmt::format("there is no profile {}; the profiles are {}", shown(name), known);
}

} // namespace vitrine::api

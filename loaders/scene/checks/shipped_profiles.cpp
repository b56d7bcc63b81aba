// The profiles that come with the program.
#include <algorithm>
#include <array>
#include <initializer_list>

#include "loaders/scene/checks/profile.hpp"

namespace vitrine::scene {
namespace {

using enum Rule;

constexpr double mebibyte = 1 << 20;

// What a target can draw and keep in memory.
struct TargetBudget {
    double triangles, joints, influences, materials, primitives, texture_side, texture_bytes;
};

constexpr TargetBudget game_console{250'000, 256, 8, 12, 48, 4096, 512 * mebibyte};
constexpr TargetBudget mobile{25'000, 64, 4, 4, 16, 1024, 32 * mebibyte};
constexpr TargetBudget webgl{40'000, 96, 4, 6, 24, 2048, 96 * mebibyte};
constexpr TargetBudget vr{70'000, 96, 4, 4, 16, 2048, 128 * mebibyte};
constexpr TargetBudget film_preview{5'000'000, 2'000, no_limit, no_limit, no_limit, 8192, 8192 * mebibyte};

CheckProfile make_profile(std::string_view name, const TargetBudget& budget)
{
    auto profile = default_profile();
    profile.name = name;
    const std::initializer_list<std::pair<Rule, double>> limits{
        {model_triangles, budget.triangles},   {model_joints, budget.joints},
        {model_influences, budget.influences}, {model_materials, budget.materials},
        {model_primitives, budget.primitives}, {texture_side, budget.texture_side},
        {texture_bytes, budget.texture_bytes}};
    for (const auto& [rule, limit] : limits)
        profile.setting(rule).limit = limit;
    return profile;
}

// Of engines that have no scale in their joints, keep the pose of joints that a clip does not move, and draw
// vertices without joints at the origin.
CheckProfile for_games(CheckProfile profile)
{
    for (const Rule rule :
         {clip_scale_keys, clip_missing_joints, skin_unweighted_vertices, texture_power_of_two})
        profile.setting(rule).severity = Severity::warning;
    profile.size = {.min = 0.01, .max = 1000.0};
    return profile;
}

CheckProfile make_default()
{
    return default_profile();
}
CheckProfile make_game_console()
{
    return for_games(make_profile("game-console", game_console));
}
CheckProfile make_mobile()
{
    auto profile = for_games(make_profile("mobile", mobile));
    profile.setting(texture_power_of_two).severity = Severity::error;
    return profile;
}
CheckProfile make_webgl()
{
    return for_games(make_profile("webgl", webgl));
}
CheckProfile make_vr()
{
    return for_games(make_profile("vr", vr));
}
CheckProfile make_film_preview()
{
    return make_profile("film-preview", film_preview);
}

constexpr std::array profile_table{
    ShippedProfile{"default", "Faults of clips, skins, textures and names, without budgets", make_default},
    ShippedProfile{"game-console", "A character of a game on a console or a desktop computer",
                   make_game_console},
    ShippedProfile{"mobile", "A character of a game on a phone", make_mobile},
    ShippedProfile{"webgl", "A model of a web page", make_webgl},
    ShippedProfile{"vr", "A character drawn twice at 90 frames per second", make_vr},
    ShippedProfile{"film-preview", "A model of a preview that renders offline", make_film_preview},
};

} // namespace

CheckProfile default_profile()
{
    CheckProfile profile{.name = "default", .description = std::string(profile_table.front().description)};
    for (const auto& info : all_rules())
        profile.rules.push_back({info.severity, info.limit});
    return profile;
}

std::span<const ShippedProfile> shipped_profiles()
{
    return profile_table;
}

std::optional<CheckProfile> find_shipped_profile(std::string_view name)
{
    const auto found = std::ranges::find(profile_table, name, &ShippedProfile::name);
    if (found == profile_table.end()) return std::nullopt;
    auto profile = found->make();
    profile.description = found->description;
    return profile;
}

} // namespace vitrine::scene

// Profiles of checks. What is accepted judges a model, and errors are one line.

#include "api/check_profile.hpp"
#include "loaders/scene/checks/checks.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine;
    static const scene::Scene rig = [] {
        scene::Scene made;
        made.nodes.push_back({.name = "hips"});
        made.nodes.push_back({.name = "foot.L", .parent = 0});
        made.clips.push_back({.name = "walk", .duration = 1.0, .channels = {}});
        made.clips.front().channels.push_back(
            {.node = 0, .path = scene::Path::translation, .times = {0, 1}, .values = {0, 0, 0, 0, 0, 2}});
        return made;
    }();
    const auto profile = api::parse_check_profile(test::text_of(data, size));
    if (!profile) {
        test::demand(!profile.error().empty() && profile.error().find('\n') == std::string::npos);
        return 0;
    }
    test::demand(profile->rules.size() == scene::all_rules().size());
    for (const auto& finding : scene::check_scene(rig, *profile, 1))
        test::demand(finding.severity != scene::Severity::off && !finding.message.empty());
    return 0;
}

#include "loaders/scene/checks/checks.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "loaders/base/printable.hpp"
#include "loaders/base/stop.hpp"
#include "loaders/scene/checks/check_parts.hpp"

namespace vitrine::scene {
namespace {

constexpr std::size_t max_shown_bytes = 80; // of a name in a message

} // namespace

void FindingList::add(Rule rule, std::string path, FindingValue value, FindingValue limit,
                      std::string message)
{
    if (!is_on(rule)) return;
    auto& [findings, count] = by_rule_[rule];
    if (++count > max_findings_per_rule) return;
    findings.push_back({rule, profile_.setting(rule).severity, std::move(path), std::move(value),
                        std::move(limit), std::move(message)});
}

std::vector<Finding> FindingList::take()
{
    std::vector<Finding> all;
    for (auto& [rule, found] : by_rule_) {
        const auto more = found.count - found.findings.size();
        std::ranges::move(found.findings, std::back_inserter(all));
        if (more > 0)
            all.push_back({rule,
                           profile_.setting(rule).severity,
                           "",
                           static_cast<double>(more),
                           {},
                           fmt::format("{} more findings of this rule", more)});
    }
    return all;
}

std::string quoted_name(std::string_view name)
{
    return "'" + printable(name, max_shown_bytes) + "'";
}

std::string pointer_to(std::string_view list, std::size_t index)
{
    return fmt::format("/{}/{}", list, index);
}

std::vector<Finding> check_scene(const Scene& scene, const std::vector<ClipFacts>& facts,
                                 const CheckProfile& profile)
{
    FindingList findings(profile);
    check_clips(scene, facts, findings);
    check_clip_demands(scene, facts, profile, findings);
    check_clip_groups(scene, facts, profile, findings);
    check_channel_ranges(scene, findings);
    check_joint_scales(scene, findings);
    check_counts(scene, findings);
    check_skins(scene, findings);
    check_textures(scene, findings);
    check_names(scene, profile, findings);
    check_space(scene, profile, findings);
    check_warnings(scene, findings);
    return findings.take();
}

std::vector<Finding> check_scene(const Scene& scene, const CheckProfile& profile, unsigned threads)
{
    const auto facts = compute_all_clip_facts(scene, threads, thread_stop_token());
    check_stop();
    return check_scene(scene, facts, profile);
}

Severity worst_severity(const std::vector<Finding>& findings)
{
    Severity worst = Severity::off;
    for (const auto& finding : findings)
        worst = std::max(worst, finding.severity);
    return worst;
}

} // namespace vitrine::scene

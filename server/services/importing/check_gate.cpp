#include "server/services/importing/check_gate.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace vitrine::server {
namespace {

constexpr std::size_t max_gate_warnings = 100;

std::vector<scene::Finding> find_errors(const CheckGate& gate, const scene::Scene& scene,
                                        const std::vector<scene::ClipFacts>& facts)
{
    if (!gate.profile) return {};
    auto findings = scene::check_scene(scene, facts, *gate.profile);
    std::erase_if(findings, [](const auto& found) { return found.severity != scene::Severity::error; });
    return findings;
}

} // namespace

std::vector<scene::Warning> gate_warnings(const CheckGate& gate, const scene::Scene& scene,
                                          const std::vector<scene::ClipFacts>& facts)
{
    std::vector<scene::Warning> warnings;
    for (auto& finding : find_errors(gate, scene, facts)) {
        if (warnings.size() == max_gate_warnings) break;
        warnings.push_back({std::string(scene::info_of(finding.rule).id), std::move(finding.message),
                            std::move(finding.path)});
    }
    return warnings;
}

std::optional<ServiceError> find_rejection(const CheckGate& gate, const scene::Scene& scene,
                                           const std::stop_token& stop)
{
    if (!gate.profile || gate.action != GateAction::reject) return std::nullopt;
    const auto facts = scene::compute_all_clip_facts(scene, 1, stop);
    if (stop.stop_requested()) return std::nullopt;
    const auto errors = find_errors(gate, scene, facts);
    if (errors.empty()) return std::nullopt;
    const auto& first = errors.front();
    return ServiceError{Errc::unprocessable, "check_failed", first.path,
                        fmt::format("the profile {} finds {} error{}, the first of rule {}: {}",
                                    gate.profile->name, errors.size(), errors.size() == 1 ? "" : "s",
                                    scene::info_of(first.rule).id, first.message)};
}

} // namespace vitrine::server

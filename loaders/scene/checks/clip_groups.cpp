// Clips that a program blends at one time: how long they are, and when feet touch the ground.
#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <numbers>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "loaders/scene/checks/check_parts.hpp"

namespace vitrine::scene {
namespace {

constexpr double min_concentration = 0.5; // of contacts about one phase; below it they have none
constexpr double end_tolerance = 0.05;    // of the duration

using Contacts = std::map<std::uint32_t, std::vector<TimeSpan>>; // by foot, in the order of time

// Contacts across the end of a clip that loops are one: it begins before the clip.
void join_at_end(std::vector<TimeSpan>& contacts, double duration)
{
    const double near = end_tolerance * duration;
    if (contacts.size() < 2 || contacts.front().from > near || contacts.back().to < duration - near) return;
    contacts.front().from = contacts.back().from - duration;
    contacts.pop_back();
}

Contacts contacts_of(const ClipFacts& facts, double duration)
{
    Contacts contacts;
    for (const auto& contact : facts.feet.contacts)
        contacts[contact.node].push_back(contact.time);
    if (facts.looping.loops)
        for (auto& [foot, spans] : contacts)
            join_at_end(spans, duration);
    return contacts;
}

// By foot: where in its step it stands on the ground, in steps: 0 at the start of the clip. Feet that touch
// the ground n times take n steps in the clip.
std::map<std::uint32_t, double> phases_of(const ClipFacts& facts, double duration)
{
    std::map<std::uint32_t, double> phases;
    for (const auto& [foot, spans] : contacts_of(facts, duration)) {
        const auto steps = static_cast<double>(spans.size());
        std::complex<double> sum = 0.0;
        for (const TimeSpan& span : spans)
            sum += std::polar(1.0, std::numbers::pi * steps * (span.from + span.to) / duration);
        if (std::abs(sum) < min_concentration * steps) continue;
        phases[foot] = std::arg(sum) / (2.0 * std::numbers::pi);
    }
    return phases;
}

// The largest difference of a foot in both, 0 to 0.5 steps; nothing without one.
std::optional<double> phase_difference(const std::map<std::uint32_t, double>& a,
                                       const std::map<std::uint32_t, double>& b)
{
    std::optional<double> largest;
    for (const auto& [foot, phase] : a) {
        const auto other = b.find(foot);
        if (other == b.end()) continue;
        const double apart = std::remainder(phase - other->second, 1.0);
        largest = std::max(largest.value_or(0.0), std::abs(apart));
    }
    return largest;
}

class GroupCheck {
public:
    GroupCheck(const Scene& scene, const std::vector<ClipFacts>& facts, const ClipDemand& demand,
               FindingList& findings)
        : scene_(scene), facts_(facts), demand_(demand), findings_(findings)
    {
        for (std::size_t i = 0; i < scene.clips.size(); ++i)
            if (demand.clips.matches(scene.clips[i].name)) group_.push_back(i);
    }

    // Each clip beside the first.
    void run() const
    {
        for (std::size_t i = 1; i < group_.size(); ++i) {
            if (demand_.duration_spread) check_duration(group_[i]);
            if (demand_.phase_spread) check_phase(group_[i]);
        }
    }

private:
    const Clip& first() const { return scene_.clips[group_.front()]; }

    void check_duration(std::size_t index) const
    {
        const Clip& clip = scene_.clips[index];
        const double apart = std::abs(clip.duration - first().duration);
        if (apart <= *demand_.duration_spread) return;
        findings_.add(Rule::clip_group_duration, pointer_to("clips", index), apart, *demand_.duration_spread,
                      fmt::format("the clip {} lasts {:.4g} s, the clip {} of its group {:.4g} s",
                                  quoted_name(clip.name), clip.duration, quoted_name(first().name),
                                  first().duration));
    }

    void check_phase(std::size_t index) const
    {
        const Clip& clip = scene_.clips[index];
        if (!(clip.duration > 0.0 && first().duration > 0.0)) return;
        const auto apart = phase_difference(phases_of(facts_[group_.front()], first().duration),
                                            phases_of(facts_[index], clip.duration));
        if (!apart || *apart <= *demand_.phase_spread) return;
        findings_.add(Rule::clip_group_phase, pointer_to("clips", index), *apart, *demand_.phase_spread,
                      fmt::format("a foot of the clip {} is on the ground {:.2g} of a step before or after "
                                  "that of the clip {} of its group",
                                  quoted_name(clip.name), *apart, quoted_name(first().name)));
    }

    const Scene& scene_;
    const std::vector<ClipFacts>& facts_;
    const ClipDemand& demand_;
    FindingList& findings_;
    std::vector<std::size_t> group_; // clips
};

} // namespace

void check_clip_groups(const Scene& scene, const std::vector<ClipFacts>& facts, const CheckProfile& profile,
                       FindingList& findings)
{
    for (const auto& demand : profile.clip_demands)
        if (demand.duration_spread || demand.phase_spread) GroupCheck(scene, facts, demand, findings).run();
}

} // namespace vitrine::scene

// What a profile demands of clips.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "loaders/scene/checks/check_parts.hpp"
#include "loaders/scene/helper_nodes.hpp"
#include "loaders/scene/motion/frame_rate.hpp"

namespace vitrine::scene {
namespace {

constexpr double equal_frame_rates = 0.01; // frames per second

// "at least 1", "at most 2", "1 to 2"
std::string interval_text(const NumberInterval& interval)
{
    if (interval.max == no_limit) return fmt::format("at least {}", interval.min);
    if (interval.min == -no_limit) return fmt::format("at most {}", interval.max);
    return fmt::format("{} to {}", interval.min, interval.max);
}

// One clip and one demand that applies to it.
struct DemandCheck {
    const Scene& scene;
    std::size_t index;
    const ClipFacts& facts;
    const ClipDemand& demand;
    FindingList& findings;

    const Clip& clip() const { return scene.clips[index]; }
    void add(Rule rule, FindingValue value, FindingValue limit, const std::string& what) const
    {
        findings.add(rule, pointer_to("clips", index), std::move(value), std::move(limit),
                     fmt::format("the clip {} {}", quoted_name(clip().name), what));
    }

    void check_motion() const
    {
        const bool loops = facts.looping.loops, in_place = facts.root.in_place;
        if (demand.loops && *demand.loops != loops)
            add(Rule::clip_not_looping, loops, *demand.loops,
                loops ? "loops"
                      : fmt::format("does not loop; its end misses its start by {:.3g} m",
                                    facts.looping.end_seam));
        if (demand.in_place && *demand.in_place != in_place)
            add(Rule::clip_root_motion, in_place, *demand.in_place,
                in_place ? std::string("stays in place")
                         : fmt::format("moves the root by {:.3g} m", facts.root.distance));
        check_interval(Rule::clip_speed, facts.root.speed, demand.speed, "moves the root by", "m/s");
        check_interval(Rule::clip_duration, clip().duration, demand.seconds, "lasts", "s");
        const double rate = frame_rate_or_default(clip());
        if (demand.frame_rate && std::abs(rate - *demand.frame_rate) > equal_frame_rates)
            add(Rule::clip_frame_rate, rate, *demand.frame_rate,
                fmt::format("has {:.4g} frames per second instead of {:.4g}", rate, *demand.frame_rate));
    }

    void check_joints() const
    {
        std::set<std::string_view> moved;
        for (const Channel& channel : clip().channels)
            if (!demand.joints.empty() && !channel.times.empty() && !channel.is_placeholder)
                moved.insert(scene.nodes[file_node(scene, channel.node)].name);
        for (const auto& name : demand.joints) {
            if (!moved.contains(name))
                add(Rule::clip_required_joint, std::monostate(), name,
                    fmt::format("does not move the joint {}", quoted_name(name)));
        }
    }

private:
    void check_interval(Rule rule, double value, const NumberInterval& wanted, std::string_view does,
                        std::string_view unit) const
    {
        if (wanted.contains(value)) return;
        add(rule, value, value < wanted.min ? wanted.min : wanted.max,
            fmt::format("{} {:.4g} {} instead of {} {}", does, value, unit, interval_text(wanted), unit));
    }
};

} // namespace

void check_clip_demands(const Scene& scene, const std::vector<ClipFacts>& facts, const CheckProfile& profile,
                        FindingList& findings)
{
    for (std::size_t i = 0; i < scene.clips.size(); ++i)
        for (const auto& demand : profile.clip_demands) {
            if (!demand.clips.matches(scene.clips[i].name)) continue;
            const DemandCheck check{scene, i, facts[i], demand, findings};
            check.check_motion();
            check.check_joints();
        }
}

} // namespace vitrine::scene

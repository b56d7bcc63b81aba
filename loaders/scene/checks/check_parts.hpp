#pragma once
// The parts of check_scene(). Private to loaders/scene/checks.

#include <map>

#include "loaders/scene/checks/checks.hpp"

namespace vitrine::scene {

// Collects findings with the severities of a profile.
class FindingList {
public:
    explicit FindingList(const CheckProfile& profile) : profile_(profile) {}

    bool is_on(Rule rule) const { return profile_.setting(rule).severity != Severity::off; }
    double limit_of(Rule rule) const { return profile_.setting(rule).limit; }
    void add(Rule rule, std::string path, FindingValue value, FindingValue limit, std::string message);
    // Adds a finding if the value is above the rule's limit. `message`: called only then.
    template <class Message>
    void limit(Rule rule, const std::string& path, double value, const Message& message)
    {
        if (is_on(rule) && value > limit_of(rule)) add(rule, path, value, limit_of(rule), message());
    }
    // In the order of rules.
    std::vector<Finding> take();

private:
    struct OfRule {
        std::vector<Finding> findings;
        std::size_t count = 0; // with those that were left out
    };

    const CheckProfile& profile_;
    std::map<Rule, OfRule> by_rule_;
};

void check_clips(const Scene& scene, const std::vector<ClipFacts>& facts, FindingList& findings);
void check_clip_demands(const Scene& scene, const std::vector<ClipFacts>& facts, const CheckProfile& profile,
                        FindingList& findings);
void check_clip_groups(const Scene& scene, const std::vector<ClipFacts>& facts, const CheckProfile& profile,
                       FindingList& findings);
void check_channel_ranges(const Scene& scene, FindingList& findings);
void check_joint_scales(const Scene& scene, FindingList& findings);
void check_counts(const Scene& scene, FindingList& findings);
void check_skins(const Scene& scene, FindingList& findings);
void check_textures(const Scene& scene, FindingList& findings);
void check_names(const Scene& scene, const CheckProfile& profile, FindingList& findings);
void check_space(const Scene& scene, const CheckProfile& profile, FindingList& findings);
void check_warnings(const Scene& scene, FindingList& findings);

// A name of the file for a message, quoted.
std::string quoted_name(std::string_view name);
// "/clips/3"
std::string pointer_to(std::string_view list, std::size_t index);

} // namespace vitrine::scene

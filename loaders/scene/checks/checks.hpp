#pragma once
// Checks a model against a profile. Pure functions of a validated scene.

#include <string>
#include <variant>
#include <vector>

#include "loaders/scene/checks/profile.hpp"
#include "loaders/scene/facts/clip_facts.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// What was found, and what is wanted.
using FindingValue = std::variant<std::monostate, bool, double, std::string>;

struct Finding {
    Rule rule = Rule::file_warning;
    Severity severity = Severity::note;
    // JSON pointer: /clips/3, /meshes/0, /nodes/7, /materials/0, /images/2, /counts/triangles, /fileSpace;
    // indices as in the output of `inspect`. Empty: the whole model.
    std::string path;
    FindingValue value{};
    FindingValue limit{};
    std::string message; // one sentence without the file's name
};

// Names that may be found wrong, of one rule. More are counted by the last finding of the rule.
inline constexpr std::size_t max_findings_per_rule = 1000;

// Returns the findings by rule, then in the order of the file. `facts`: of all clips.
std::vector<Finding> check_scene(const Scene& scene, const std::vector<ClipFacts>& facts,
                                 const CheckProfile& profile);
// As above; computes the facts by `threads` threads.
std::vector<Finding> check_scene(const Scene& scene, const CheckProfile& profile, unsigned threads);

// The severest one; off: there is none.
Severity worst_severity(const std::vector<Finding>& findings);

} // namespace vitrine::scene

// Names, required joints and clips, and what the loader reported.
#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include <fmt/format.h>

#include "loaders/scene/checks/check_parts.hpp"
#include "loaders/scene/helper_nodes.hpp"
#include "loaders/scene/preview/bone_geometry.hpp"

namespace vitrine::scene {
namespace {

constexpr std::string_view invalid_keys_code = "invalid_keys";
constexpr std::string_view unnormalized_rotations_code = "unnormalized_rotations";

void check_duplicates(const std::vector<std::pair<std::string_view, std::string>>& names, Rule rule,
                      std::string_view what, FindingList& findings)
{
    std::map<std::string_view, std::size_t> counts;
    for (const auto& [name, path] : names)
        ++counts[name];
    std::set<std::string_view> reported;
    for (const auto& [name, path] : names) {
        if (name.empty() || counts[name] < 2 || !reported.insert(name).second) continue;
        findings.add(rule, path, std::string(name), std::monostate(),
                     fmt::format("{} {} are named {}", counts[name], what, quoted_name(name)));
    }
}

// Names of one kind with a demand of the profile.
class PatternCheck {
public:
    PatternCheck(const CheckProfile& profile, NamedKind kind, FindingList& findings)
        : pattern_(profile.names[static_cast<std::size_t>(kind)]),
          rule_(
              static_cast<Rule>(static_cast<std::size_t>(Rule::name_node) + static_cast<std::size_t>(kind))),
          findings_(findings)
    {
    }
    void check(const std::string& name, std::string_view list, std::size_t index, std::string_view what)
    {
        if (!pattern_ || !findings_.is_on(rule_) || pattern_->matches(name)) return;
        findings_.add(
            rule_, pointer_to(list, index), name, pattern_->text,
            fmt::format("the name of the {} {} does not match {}", what, quoted_name(name), pattern_->text));
    }

private:
    const std::optional<NamePattern>& pattern_;
    Rule rule_;
    FindingList& findings_;
};

template <class List>
void check_pattern(const List& list, std::string_view member, std::string_view what, PatternCheck check)
{
    for (std::size_t i = 0; i < list.size(); ++i)
        check.check(list[i].name, member, i, what);
}

void check_patterns(const Scene& scene, const std::vector<std::uint32_t>& joints, const CheckProfile& profile,
                    FindingList& findings)
{
    PatternCheck nodes(profile, NamedKind::node, findings);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
        if (!is_helper(scene.nodes[i])) nodes.check(scene.nodes[i].name, "nodes", i, "node");
    PatternCheck of_joints(profile, NamedKind::joint, findings);
    for (const auto joint : joints)
        of_joints.check(scene.nodes[joint].name, "nodes", joint, "joint");
    check_pattern(scene.meshes, "meshes", "mesh", {profile, NamedKind::mesh, findings});
    check_pattern(scene.materials, "materials", "material", {profile, NamedKind::material, findings});
    check_pattern(scene.clips, "clips", "clip", {profile, NamedKind::clip, findings});
    check_pattern(scene.images, "images", "image", {profile, NamedKind::image, findings});
}

void check_required(const Scene& scene, const std::vector<std::uint32_t>& joints, const CheckProfile& profile,
                    FindingList& findings)
{
    std::set<std::string_view> joint_names, clip_names;
    for (const auto joint : joints)
        joint_names.insert(scene.nodes[joint].name);
    for (const auto& clip : scene.clips)
        clip_names.insert(clip.name);
    for (const auto& name : profile.joints)
        if (!joint_names.contains(name))
            findings.add(Rule::required_joint, "/skeleton/joints", std::monostate(), name,
                         fmt::format("there is no joint {}", quoted_name(name)));
    for (const auto& name : profile.clips)
        if (!clip_names.contains(name))
            findings.add(Rule::required_clip, "/clips", std::monostate(), name,
                         fmt::format("there is no clip {}", quoted_name(name)));
}

bool is_of_image(const Warning& warning)
{
    return warning.code == "missing_image" || warning.code == "invalid_image";
}

Rule rule_of(const Warning& warning)
{
    if (is_of_image(warning)) return Rule::texture_missing;
    if (warning.code == invalid_keys_code) return Rule::clip_invalid_keys;
    return warning.code == unnormalized_rotations_code ? Rule::clip_quaternion_norm : Rule::file_warning;
}

// The number that a message begins with.
double leading_number(std::string_view text)
{
    double number = 0.0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

} // namespace

void check_names(const Scene& scene, const CheckProfile& profile, FindingList& findings)
{
    const auto joints = skeleton_joints(scene);
    std::vector<std::pair<std::string_view, std::string>> joint_names, clip_names;
    for (const auto joint : joints)
        joint_names.emplace_back(scene.nodes[joint].name, pointer_to("nodes", joint));
    for (std::size_t i = 0; i < scene.clips.size(); ++i)
        clip_names.emplace_back(scene.clips[i].name, pointer_to("clips", i));
    check_duplicates(joint_names, Rule::name_duplicate_joint, "joints", findings);
    check_duplicates(clip_names, Rule::name_duplicate_clip, "clips", findings);
    check_patterns(scene, joints, profile, findings);
    check_required(scene, joints, profile, findings);
}

void check_warnings(const Scene& scene, FindingList& findings)
{
    // Of images that the scene lists, check_image() reports what is missing; other loaders leave them out.
    const bool lists_missing = std::ranges::any_of(
        scene.images, [](const Image& image) { return !image.is_available() && image.width == 0; });
    for (const auto& warning : scene.warnings) {
        if (is_of_image(warning) && lists_missing) continue;
        const auto rule = rule_of(warning);
        const auto place = warning.where.empty() ? std::string() : " (" + warning.where + ")";
        if (rule == Rule::clip_quaternion_norm)
            findings.limit(rule, "", leading_number(warning.message),
                           [&] { return warning.message + place; });
        else
            findings.add(rule, "", warning.code, std::monostate(), warning.message + place);
    }
}

} // namespace vitrine::scene

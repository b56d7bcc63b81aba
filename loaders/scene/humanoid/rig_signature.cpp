#include "loaders/scene/humanoid/rig_signature.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <iterator>
#include <ranges>
#include <unordered_set>
#include <utility>

#include "loaders/base/ascii.hpp"
#include "loaders/scene/helper_nodes.hpp"
#include "loaders/scene/humanoid/human_bone_map.hpp"
#include "loaders/scene/motion/file_nodes.hpp"

namespace vitrine::scene {
namespace {

constexpr std::size_t max_set_joints = 1024;
constexpr std::size_t max_sets = 64;
constexpr std::size_t max_signature_clips = 4096;

class SetBuilder {
public:
    SetBuilder(const Scene& scene, const std::vector<HumanBone>& bones) : scene_(scene), bones_(bones) {}

    void add(std::uint32_t node)
    {
        if (node == none || scene_.nodes[node].name.empty()) return;
        if (!bones_.empty() && bones_[node] != HumanBone::none)
            set_.bones |= std::uint64_t{1} << static_cast<unsigned>(bones_[node]);
        const auto hash = joint_name_hash(scene_.nodes[node].name);
        if (set_.names.size() < max_set_joints && seen_.insert(hash).second) set_.names.push_back(hash);
    }

    JointSet finish()
    {
        std::ranges::sort(set_.names);
        return std::move(set_);
    }

private:
    const Scene& scene_;
    const std::vector<HumanBone>& bones_;
    std::unordered_set<std::uint32_t> seen_; // the names of the set
    JointSet set_;
};

JointSet joints_of(const Scene& scene, const std::vector<HumanBone>& bones)
{
    SetBuilder set(scene, bones);
    for (const auto& skin : scene.skins)
        for (const auto joint : skin.joints)
            set.add(file_node(scene, joint));
    // Hips without vertices of their own are no joints of the skin.
    for (std::uint32_t node = 0; node < bones.size(); ++node)
        if (bones[node] != HumanBone::none) set.add(node);
    for (std::uint32_t node = 0; scene.skins.empty() && node < scene.nodes.size(); ++node)
        if (!is_helper(scene.nodes[node])) set.add(node);
    return set.finish();
}

JointSet moved_by(const Scene& scene, const Clip& clip, const std::vector<HumanBone>& bones)
{
    SetBuilder set(scene, bones);
    std::uint32_t last = none;
    for (const auto& channel : clip.channels) {
        if (channel.path == Path::weights || channel.path == Path::vertex_frame) continue;
        const auto node = channel_node(scene, channel);
        if (node != last) set.add(node);
        last = node;
    }
    return set.finish();
}

void append(std::string& text, std::uint64_t number)
{
    char digits[16];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), number, 16).ptr;
    text.append(digits, end);
}

// "bones,name,name,..."
void append(std::string& text, const JointSet& set)
{
    append(text, set.bones);
    for (const auto name : set.names)
        append(text += ',', name);
}

// Hexadecimal numbers between commas.
std::optional<std::vector<std::uint64_t>> parse_numbers(std::string_view text)
{
    std::vector<std::uint64_t> numbers;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        auto [rest, error] = std::from_chars(at, end, numbers.emplace_back(), 16);
        if (error != std::errc() || (rest != end && *rest != ',')) return std::nullopt;
        at = rest == end ? end : rest + 1;
    }
    return numbers;
}

std::optional<JointSet> parse_set(std::string_view text)
{
    const auto numbers = parse_numbers(text);
    if (!numbers || numbers->empty()) return std::nullopt;
    JointSet set{.names = {}, .bones = numbers->front()};
    for (const auto name : *numbers | std::views::drop(1))
        set.names.push_back(static_cast<std::uint32_t>(name));
    return std::ranges::is_sorted(set.names) ? std::optional(std::move(set)) : std::nullopt;
}

std::size_t common_names(const JointSet& a, const JointSet& b)
{
    std::size_t count = 0;
    for (auto at_a = a.names.begin(), at_b = b.names.begin();
         at_a != a.names.end() && at_b != b.names.end();) {
        count += *at_a == *at_b;
        const bool step_a = *at_a <= *at_b, step_b = *at_b <= *at_a;
        at_a += step_a;
        at_b += step_b;
    }
    return count;
}

} // namespace

std::uint32_t joint_name_hash(std::string_view name)
{
    const auto colon = name.find_last_of(":|");
    if (colon != std::string_view::npos && colon + 1 < name.size()) name.remove_prefix(colon + 1);
    std::uint32_t hash = 2166136261u;
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(ascii::to_lower(c))) * 16777619u;
    return hash;
}

RigSignature rig_signature(const Scene& scene)
{
    RigSignature rig;
    const auto map = find_human_bones(scene);
    const auto bones = map.is_humanoid() ? bones_by_node(scene, map) : std::vector<HumanBone>();
    if (!scene.meshes.empty()) rig.joints = joints_of(scene, bones);
    std::size_t names = rig.joints.names.size();
    for (const auto& clip : scene.clips) {
        if (rig.clips.size() == max_signature_clips) break;
        auto moved = moved_by(scene, clip, bones);
        auto found = std::ranges::find(rig.moved, moved);
        if (found == rig.moved.end()) {
            names += moved.names.size();
            if (rig.moved.size() == max_sets || names > max_rig_names) break;
            rig.moved.push_back(std::move(moved));
            found = rig.moved.end() - 1;
        }
        rig.clips.push_back(static_cast<std::uint32_t>(found - rig.moved.begin()));
    }
    return rig;
}

// "joints;set;set|clip,clip", as few bytes as possible: a list reads those of all assets.
std::string to_text(const RigSignature& rig)
{
    std::string text;
    append(text, rig.joints);
    for (const auto& set : rig.moved)
        append(text += ';', set);
    text += '|';
    for (std::size_t i = 0; i < rig.clips.size(); ++i)
        append(i == 0 ? text : text += ',', rig.clips[i]);
    return text;
}

std::optional<RigSignature> parse_rig_signature(std::string_view text)
{
    const auto bar = text.find('|');
    if (bar == std::string_view::npos) return std::nullopt;
    RigSignature rig;
    bool is_first = true;
    for (const auto part : text.substr(0, bar) | std::views::split(';')) {
        auto set = parse_set(std::string_view(part.begin(), part.end()));
        if (!set) return std::nullopt;
        if (std::exchange(is_first, false))
            rig.joints = std::move(*set);
        else
            rig.moved.push_back(std::move(*set));
    }
    const auto clips = parse_numbers(text.substr(bar + 1));
    if (!clips || is_first) return std::nullopt;
    for (const auto set : *clips) {
        if (set >= rig.moved.size()) return std::nullopt;
        rig.clips.push_back(static_cast<std::uint32_t>(set));
    }
    return rig;
}

ClipFit fit_of(const JointSet& character, const JointSet& moved)
{
    if (moved.names.empty() || character.names.empty()) return {};
    const auto all = static_cast<double>(moved.names.size());
    const double by_name = static_cast<double>(common_names(character, moved)) / all;
    const auto common = static_cast<double>(std::popcount(character.bones & moved.bones));
    const double by_role = std::min(common / all, 1.0);
    return by_name >= 0.5 || by_name >= by_role ? ClipFit{by_name, false} : ClipFit{by_role, true};
}

} // namespace vitrine::scene

#include <algorithm>
#include <thread>

#include "api/json_text.hpp"
#include "api/scene_json.hpp"
#include "loaders/base/stop.hpp"
#include "loaders/scene/facts/clip_facts.hpp"

namespace vitrine::api {
namespace {

namespace json = boost::json;
using scene::Scene;

json::value range_json(const std::optional<scene::TimeSpan>& range)
{
    if (!range) return nullptr;
    return json::array{number(range->from), number(range->to)};
}

json::value root_json(const Scene& scene, std::uint32_t node)
{
    if (node == scene::none) return nullptr;
    return json::object{{"node", node}, {"name", scene.nodes[node].name}};
}

json::value jump_json(const Scene& scene, const scene::MotionJump& jump)
{
    if (jump.node == scene::none) return nullptr;
    return json::object{{"joint", scene.nodes[jump.node].name},
                        {"node", jump.node},
                        {"time", number(jump.time)},
                        {"distance", number(jump.distance)}};
}

json::array names_json(const Scene& scene, const std::vector<std::uint32_t>& nodes)
{
    json::array out;
    for (const auto node : nodes)
        out.emplace_back(scene.nodes[node].name);
    return out;
}

json::array contacts_json(const Scene& scene, const scene::FootFacts& feet)
{
    json::array out;
    for (const auto& [node, time] : feet.contacts)
        out.push_back(json::object{{"joint", scene.nodes[node].name},
                                   {"node", node},
                                   {"from", number(time.from)},
                                   {"to", number(time.to)}});
    return out;
}

void add_keys(json::object& object, const scene::KeyFacts& keys)
{
    object["keys"] = keys.keys;
    object["frozen"] = keys.frozen;
    object["constantTracks"] = keys.constant_tracks;
    object["duplicateKeys"] = keys.duplicate_keys;
    object["redundantKeys"] = keys.redundant_keys;
    object["quaternionFlips"] = keys.quaternion_flips;
    object["nonUnitQuaternions"] = keys.non_unit_quaternions;
    object["scaleKeys"] = keys.has_scale;
    object["nonUniformScale"] = keys.has_non_uniform_scale;
}

json::object facts_json(const Scene& scene, const scene::ClipFacts& facts)
{
    const auto& [root, looping, feet, keys, peak_speed, peak_acceleration, start_difference, start_rotation,
                 size, jump, missing_joints] = facts;
    json::object object{{"root", root_json(scene, root.node)},
                        {"loops", looping.loops},
                        {"loopRange", range_json(looping.range)},
                        {"loopSeam", number(looping.seam)},
                        {"endSeam", number(looping.end_seam)},
                        {"seamSpeed", number(looping.seam_speed)},
                        {"inPlace", root.in_place},
                        {"rootDistance", number(root.distance)},
                        {"rootPath", number(root.path)},
                        {"rootSpeed", number(root.speed)},
                        {"rootTurn", number(root.turn)},
                        {"footContacts", contacts_json(scene, feet)},
                        {"footSlide", number(feet.slide)}};
    add_keys(object, keys);
    object["peakSpeed"] = number(peak_speed);
    object["peakAcceleration"] = number(peak_acceleration);
    object["startDifference"] = number(start_difference);
    object["startRotation"] = number(start_rotation);
    object["size"] = number(size);
    object["jump"] = jump_json(scene, jump);
    object["missingJoints"] = names_json(scene, missing_joints);
    return object;
}

} // namespace

json::object clip_facts_json(const Scene& scene, std::uint32_t clip)
{
    return facts_json(scene, scene::compute_clip_facts(scene, clip));
}

json::array clips_with_facts_json(const Scene& scene)
{
    const auto facts = scene::compute_all_clip_facts(scene, std::max(std::thread::hardware_concurrency(), 1u),
                                                     thread_stop_token());
    check_stop();
    json::array out;
    for (std::uint32_t clip = 0; clip < scene.clips.size(); ++clip) {
        auto object = clip_json(scene, clip);
        object["facts"] = facts_json(scene, facts[clip]);
        out.push_back(std::move(object));
    }
    return out;
}

} // namespace vitrine::api

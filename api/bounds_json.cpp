#include "api/bounds_json.hpp"

#include <algorithm>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

#include "api/json_text.hpp"
#include "loaders/scene/lookup.hpp"

namespace vitrine::api {
namespace {

namespace json = boost::json;

json::object to_json(const ClipBoxes& bounds)
{
    return {{"clip", scene::clip_id(bounds.clip)},
            {"exact", bounds_json(bounds.exact)},
            {"conservative", bounds_json(bounds.conservative)}};
}

// Converts each element with `convert`.
template <class List, class Convert>
json::array array_of(const List& list, const Convert& convert)
{
    json::array rows;
    for (const auto& element : list)
        rows.push_back(convert(element));
    return rows;
}

void add_groups(json::object& object, const scene::Scene& scene, const BoundsReport& report)
{
    const auto& nodes = scene.nodes;
    if (report.total) {
        object["exact"] = bounds_json(report.total->exact);
        object["conservative"] = bounds_json(report.total->conservative);
    }
    if (report.frames)
        object["frames"] = array_of(*report.frames, [](const FrameBox& frame) {
            return json::object{{"time", number(frame.time)}, {"exact", bounds_json(frame.exact)}};
        });
    if (report.joints)
        object["joints"] = array_of(*report.joints, [&](const JointBox& joint) {
            return json::object{{"node", joint.node},
                                {"name", nodes[joint.node].name},
                                {"conservative", bounds_json(joint.conservative)}};
        });
    if (report.instances)
        object["meshes"] = array_of(*report.instances, [&](const InstanceBox& instance) {
            return json::object{{"node", instance.node},
                                {"mesh", instance.mesh},
                                {"name", nodes[instance.node].name},
                                {"exact", bounds_json(instance.exact)}};
        });
}

} // namespace

json::value bounds_json(const scene::Aabb& box)
{
    if (box.empty()) return nullptr;
    return json::object{{"min", numbers(box.min)}, {"max", numbers(box.max)}};
}

json::value bounds_json(const scene::OffsetBox& offset)
{
    const auto& [box, origin] = offset;
    if (box.empty() || origin == glm::dvec3(0.0)) return bounds_json(box);
    return json::object{{"min", numbers(origin + glm::dvec3(box.min))},
                        {"max", numbers(origin + glm::dvec3(box.max))}};
}

json::object to_json(const scene::Scene& scene, const BoundsReport& report)
{
    json::object object;
    add_groups(object, scene, report);
    if (report.clip == scene::none) {
        object["static"] = bounds_json(report.static_pose);
        return object;
    }
    object["clip"] = scene::clip_id(report.clip);
    if (report.declared)
        object["declared"] = array_of(*report.declared, [](const DeclaredFrameBox& declared) {
            return json::object{{"time", number(declared.time)}, {"box", bounds_json(declared.box)}};
        });
    object["from"] = number(report.from);
    object["to"] = number(report.to);
    return object;
}

std::string bounds_text(const scene::OffsetBox& static_pose, std::span<const ClipBoxes> clips)
{
    return to_text(
        json::object{{"static", bounds_json(static_pose)},
                     {"clips", array_of(clips, [](const ClipBoxes& bounds) { return to_json(bounds); })}});
}

std::string replace_clip_bounds(std::string_view known, std::size_t first, std::span<const ClipBoxes> clips)
{
    auto document = json::parse(known).as_object();
    auto& rows = document.at("clips").as_array();
    rows.resize(std::min(rows.size(), first));
    for (const auto& bounds : clips)
        rows.push_back(to_json(bounds));
    return to_text(document);
}

} // namespace vitrine::api

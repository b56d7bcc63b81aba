#include "api/pose_json.hpp"

#include <array>
#include <utility>

#include "api/json_text.hpp"
#include "api/scene_json.hpp"
#include "loaders/scene/lookup.hpp"
#include "loaders/scene/motion/file_nodes.hpp"

namespace vitrine::api {
namespace {

namespace json = boost::json;
using scene::none;

json::array weights_json(const scene::Pose& pose, std::size_t node)
{
    json::array out;
    for (auto i = pose.first_weight[node]; i < pose.first_weight[node + 1]; ++i)
        out.push_back(number(pose.morph_weights[i]));
    return out;
}

scene::Trs node_trs(const scene::Scene& scene, const scene::Pose& pose, std::uint32_t node, PoseSpace space)
{
    return space == PoseSpace::local ? scene::file_local(scene, &pose, node)
                                     : scene::decompose(pose.model[node]);
}

void append_numbers(std::string& text, std::span<const float> values)
{
    text += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) text += ',';
        append_number(text, values[i]);
    }
    text += ']';
}

void append_floats(std::string& bytes, const float* values, std::size_t count)
{
    bytes.append(reinterpret_cast<const char*>(values), count * sizeof(float));
}

} // namespace

std::vector<std::uint32_t> listed_nodes(const scene::Scene& scene)
{
    std::vector<std::uint32_t> listed;
    for (std::uint32_t i = 0; i < scene.nodes.size(); ++i)
        if (!scene::is_helper(scene.nodes[i])) listed.push_back(i);
    return listed;
}

std::vector<std::uint32_t> mesh_nodes(const scene::Scene& scene)
{
    std::vector<std::uint32_t> at(scene.nodes.size());
    for (std::uint32_t i = 0; i < at.size(); ++i)
        at[i] = i;
    for (std::uint32_t i = 0; i < at.size(); ++i)
        if (const auto of = scene.nodes[i].helper_of;
            of != none && scene.nodes[i].mesh != none && scene.nodes[of].mesh == none && at[of] == of)
            at[of] = i;
    return at;
}

std::vector<std::uint32_t> parents_in(const scene::Scene& scene, const std::vector<std::uint32_t>& nodes)
{
    std::vector<std::uint32_t> index_of(scene.nodes.size(), none);
    for (std::size_t i = nodes.size(); i-- > 0;)
        index_of[nodes[i]] = static_cast<std::uint32_t>(i);
    const auto parents = scene::file_parents(scene);
    std::vector<std::uint32_t> out;
    for (const auto node : nodes)
        out.push_back(parents[node] == none ? none : index_of[parents[node]]);
    return out;
}

json::object trs_json(const scene::Trs& trs)
{
    const auto& q = trs.rotation;
    return {{"translation", numbers(trs.translation)},
            {"rotation", json::array{number(q.x), number(q.y), number(q.z), number(q.w)}},
            {"scale", numbers(trs.scale)}};
}

json::array matrix_json(const glm::mat4& matrix)
{
    json::array out;
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row)
            out.push_back(number(matrix[column][row]));
    return out;
}

json::object pose_json(const scene::Scene& scene, std::uint32_t clip, std::optional<double> time,
                       const scene::Pose& pose)
{
    return {{"clip", clip == none ? json::value(nullptr) : json::value(clip_json(scene, clip))},
            {"time", time ? number(*time) : json::value(nullptr)},
            {"nodes", nodes_json(scene, pose)}};
}

json::array nodes_json(const scene::Scene& scene, const scene::Pose& pose)
{
    json::array out;
    const auto listed = listed_nodes(scene);
    const auto parents = parents_in(scene, listed);
    const auto shown_at = mesh_nodes(scene);
    for (std::size_t index = 0; index < listed.size(); ++index) {
        const auto i = listed[index];
        out.push_back(json::object{{"index", index},
                                   {"node", i},
                                   {"name", scene.nodes[i].name},
                                   {"parent", index_or_null(parents[index])},
                                   {"local", trs_json(scene::file_local(scene, &pose, i))},
                                   {"model", matrix_json(pose.model[i])},
                                   {"morphWeights", weights_json(pose, shown_at[i])}});
    }
    return out;
}

PosesWriter::PosesWriter(const scene::Scene& scene, const PoseSelection& selection,
                         std::span<const double> times, const Sink& sink)
    : scene_(scene), selection_(selection), sink_(sink)
{
    const auto parents = parents_in(scene, selection.nodes);
    for (std::size_t index = 0; index < selection.nodes.size(); ++index) {
        const auto node = selection.nodes[index];
        const json::object names{
            {"node", node}, {"name", scene.nodes[node].name}, {"parent", index_or_null(parents[index])}};
        auto text = to_text(names);
        names_.push_back(text.substr(1, text.size() - 2)); // without the braces
    }
    json::array all_times;
    for (const double time : times)
        all_times.push_back(number(time));
    const json::value clip =
        selection.clip == none ? json::value() : json::value(scene::clip_id(selection.clip));
    const json::object head{{"clip", clip},
                            {"space", selection.space == PoseSpace::local ? "local" : "model"},
                            {"times", std::move(all_times)}};
    std::string text = to_text(head);
    text.pop_back(); // the closing brace, which finish() writes
    sink_(text + ",\"poses\":[");
}

void PosesWriter::append_node(std::string& text, const scene::Pose& pose, std::size_t index) const
{
    const auto node = selection_.nodes[index];
    const auto trs = node_trs(scene_, pose, node, selection_.space);
    const auto& q = trs.rotation;
    const auto matrix = selection_.space == PoseSpace::model ? pose.model[node]
                                                             : scene::file_local_matrix(scene_, &pose, node);
    text += "{\"translation\":";
    append_numbers(text, {&trs.translation.x, 3});
    text += ",\"rotation\":";
    append_numbers(text, std::array{q.x, q.y, q.z, q.w});
    text += ",\"scale\":";
    append_numbers(text, {&trs.scale.x, 3});
    text += ',';
    text += names_[index];
    text += ",\"matrix\":";
    append_numbers(text, {&matrix[0].x, 16});
    text += '}';
}

void PosesWriter::add(double time, const scene::Pose& pose)
{
    std::string text = first_ ? "{\"time\":" : ",{\"time\":";
    first_ = false;
    text += to_text(number(time)) + ",\"nodes\":[";
    for (std::size_t i = 0; i < selection_.nodes.size(); ++i) {
        if (i > 0) text += ',';
        append_node(text, pose, i);
    }
    text += "]}";
    sink_(text);
}

void PosesWriter::finish()
{
    sink_("]}");
}

void append_packed_pose(std::string& bytes, const scene::Scene& scene, const scene::Pose& pose,
                        const PoseSelection& selection)
{
    for (const auto node : selection.nodes) {
        if (selection.space == PoseSpace::model) {
            append_floats(bytes, &pose.model[node][0][0], 16);
            continue;
        }
        const auto trs = node_trs(scene, pose, node, selection.space);
        const float rotation[4] = {trs.rotation.x, trs.rotation.y, trs.rotation.z, trs.rotation.w};
        append_floats(bytes, &trs.translation.x, 3);
        append_floats(bytes, rotation, 4);
        append_floats(bytes, &trs.scale.x, 3);
    }
}

std::size_t packed_floats_per_node(PoseSpace space)
{
    return space == PoseSpace::local ? 10 : 16;
}

} // namespace vitrine::api

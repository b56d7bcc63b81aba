// Poses as text.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "api/json_text.hpp"
#include "api/pose_json.hpp"
#include "api/scene_json.hpp"
#include "loaders/scene/lookup.hpp"
#include "loaders/scene/motion/file_nodes.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "tests/support/random_scene.hpp"

using namespace vitrine;
namespace json = boost::json;

namespace {

// `selected`: the nodes of the list, among which the parent is named by its place.
json::object expected_node(const scene::Scene& scene, const scene::Pose& pose, std::uint32_t node,
                           const std::vector<std::uint32_t>& selected, bool local)
{
    const auto trs = local ? scene::file_local(scene, &pose, node) : scene::decompose(pose.model[node]);
    auto object = api::trs_json(trs);
    object["node"] = node;
    object["name"] = scene.nodes[node].name;
    const auto parent = std::ranges::find(selected, scene::file_parents(scene)[node]);
    const auto place = static_cast<std::uint32_t>(parent - selected.begin());
    object["parent"] = api::index_or_null(parent == selected.end() ? scene::none : place);
    object["matrix"] =
        api::matrix_json(local ? scene::file_local_matrix(scene, &pose, node) : pose.model[node]);
    return object;
}

} // namespace

TEST(PosesWriter, WritesTheTextOfTheValues)
{
    auto scene = test::random_scene(4);
    scene.nodes[2].name = "a \"quoted\"\n\\ name \xC3\xA9";
    for (const bool local : {true, false}) {
        const api::PoseSelection selection{
            .clip = 0, .nodes = {0, 2, 3, 7}, .space = local ? api::PoseSpace::local : api::PoseSpace::model};
        const std::array times{0.0, 0.7};
        std::string text;
        const api::PosesWriter::Sink sink = [&](std::string_view piece) { text += piece; };
        api::PosesWriter writer(scene, selection, times, sink);
        json::array poses;
        scene::Pose pose;
        for (const double time : times) {
            scene::sample_pose(scene, 0, time, pose);
            writer.add(time, pose);
            json::array nodes;
            const auto& selected = selection.nodes;
            for (const auto node : selected)
                nodes.push_back(expected_node(scene, pose, node, selected, local));
            poses.push_back(json::object{{"time", api::number(time)}, {"nodes", nodes}});
        }
        writer.finish();
        const json::object expected{{"clip", scene::clip_id(0)},
                                    {"space", local ? "local" : "model"},
                                    {"times", json::array{api::number(0.0), api::number(0.7)}},
                                    {"poses", poses}};
        EXPECT_EQ(text, api::to_text(expected));
    }
}

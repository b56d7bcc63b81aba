#include <fmt/format.h>
#include <gmock/gmock.h>

#include "loaders/scene/motion/pose.hpp"
#include "tests/unit/dae/document.hpp"

namespace vitrine::dae::test {
namespace {

using testing::Each;
using testing::Field;
using testing::SizeIs;

// A curve of angles of one node, a key each second.
std::string angles(const std::string& id, const std::string& target, const std::vector<int>& degrees)
{
    std::string times, values, kinds;
    for (std::size_t i = 0; i < degrees.size(); ++i) {
        times += std::to_string(i) + " ";
        values += std::to_string(degrees[i]) + " ";
        kinds += "CARDINAL ";
    }
    const auto keys = static_cast<int>(degrees.size());
    return "<animation>" + source(id + "i", times, keys, 1) + source(id + "o", values, keys, 1) +
           names(id + "k", kinds) + "<sampler id='" + id + "s'><input semantic='INPUT' source='#" + id +
           "i'/><input semantic='OUTPUT' source='#" + id + "o'/><input semantic='INTERPOLATION' source='#" +
           id + "k'/></sampler><channel source='#" + id + "s' target='" + target + "'/></animation>";
}

// Nodes that rotate about two axes at once.
scene::Scene turning(int nodes, const std::vector<int>& degrees)
{
    std::string tree, animations;
    for (int n = 0; n < nodes; ++n) {
        const std::string id = "n" + std::to_string(n);
        tree += "<node id='" + id +
                "'><rotate sid='z'>0 0 1 0</rotate><rotate sid='x'>1 0 0 0</rotate>"
                "<instance_geometry url='#g'/></node>";
        animations += angles(id + "z", id + "/z.ANGLE", degrees) + angles(id + "x", id + "/x.ANGLE", degrees);
    }
    return loaded(Document{
        .libraries = library("geometries", square("g")) + library("animations", animations), .nodes = tree}
                      .text());
}

std::ptrdiff_t count_coarse(const scene::Scene& scene)
{
    return std::ranges::count(scene.warnings, "animation_coarse", &scene::Warning::code);
}

// The rotation about x is visible in it when the rotation about z is a quarter turn.
glm::vec3 z_axis_at(const scene::Scene& scene, double time)
{
    scene::Pose pose;
    scene::sample_pose(scene, 0, time, pose);
    return glm::vec3(pose.model.back()[2]);
}

TEST(DaeSampling, OrdinaryTurnsAreKeptExactly)
{
    const scene::Scene scene = turning(3, {0, 90, 360, 40});
    EXPECT_EQ(count_coarse(scene), 0);
}

TEST(DaeSampling, OneComplexCurveIsSampledAtEvenSteps)
{
    const scene::Scene scene = turning(1, {0, 3'600'000, -3'600'000, 7'200'000, 0});
    EXPECT_EQ(count_coarse(scene), 1);
    const auto& times = scene.clips.at(0).channels.at(0).times;
    EXPECT_LE(times.size(), 4096 + 16 * 5 + 5);
    const auto before = [&](float time) { return std::ranges::lower_bound(times, time) - times.begin(); };
    EXPECT_EQ(before(1.0f), before(4.0f) - before(3.0f));
    EXPECT_GT(before(1.0f), 500);
}

// The number of samples follows from the file's content, and each node gets its share.
TEST(DaeSampling, ManyComplexCurvesAreSampledAtEvenSteps)
{
    constexpr int nodes = 150;
    std::vector<int> degrees;
    for (int i = 0; i < 60; ++i)
        degrees.push_back(i * 7919 % 7200);
    degrees.push_back(90);
    const scene::Scene scene = turning(nodes, degrees);
    EXPECT_EQ(count_coarse(scene), 1);
    const scene::Clip& clip = scene.clips.at(0);
    EXPECT_THAT(clip.channels, SizeIs(nodes));
    EXPECT_THAT(clip.channels, Each(Field(&scene::Channel::times, SizeIs(clip.channels[0].times.size()))));
    const std::size_t file_keys = nodes * degrees.size() * 2;
    EXPECT_LE(nodes * clip.channels[0].times.size(), ((1u << 21) + 20 * file_keys) / 3);
    EXPECT_NEAR(z_axis_at(scene, 60.0).x, 1.0f, 1e-4f);
}

// The limit is reached within a node that was split into several.
TEST(DaeSampling, NodesWithSeveralBindingsAreSampledTogether)
{
    std::vector<int> degrees;
    for (int i = 0; i < 60; ++i)
        degrees.push_back(i * 7919 % 7200);
    std::string tree, animations;
    for (int n = 0; n < 30; ++n) {
        const std::string id = "n" + std::to_string(n);
        tree += "<node id='" + id + "'>";
        for (int link = 0; link < 8; ++link) {
            const std::string turn = "r" + std::to_string(link);
            tree += fmt::format("<rotate sid='{0}'>0 0 1 0</rotate><rotate>1 0 0 30</rotate>"
                                "<rotate sid='b{0}'>0 1 0 0</rotate><scale>1 2 3</scale>",
                                turn);
            animations += angles(id + turn, fmt::format("{}/{}.ANGLE", id, turn), degrees);
            animations +=
                angles(fmt::format("{}b{}", id, turn), fmt::format("{}/b{}.ANGLE", id, turn), degrees);
        }
        tree += "<instance_geometry url='#g'/></node>";
    }
    const scene::Scene scene = loaded(Document{
        .libraries = library("geometries", square("g")) + library("animations", animations), .nodes = tree}
                                          .text());
    EXPECT_EQ(count_coarse(scene), 1);
    EXPECT_GE(scene.clips.at(0).channels.size(), 30u * 8u);
}

} // namespace
} // namespace vitrine::dae::test

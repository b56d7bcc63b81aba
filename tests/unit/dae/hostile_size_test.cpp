// Small files whose parts multiply: what is read once must not be read again for each use. Each of these took
// minutes, or more memory than there is, while it was.

#include <gmock/gmock.h>

#include "tests/unit/dae/document.hpp"

namespace vitrine::dae::test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

std::string repeat(int count, const std::string& text)
{
    std::string out;
    for (int i = 0; i < count; ++i)
        out += text;
    return out;
}

std::size_t count_warnings(const scene::Scene& scene, std::string_view code)
{
    return static_cast<std::size_t>(std::ranges::count(scene.warnings, code, &scene::Warning::code));
}

void expect_refused(const LoadResult<scene::Scene>& scene, const std::string& detail)
{
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().code, LoadErrc::limit_exceeded);
    EXPECT_THAT(scene.error().detail, HasSubstr(detail));
    EXPECT_THAT(scene.error().where, testing::StartsWith("line "));
}

TEST(DaeHostileSize, ANodeIsReadOnceHoweverOftenItIsPlaced)
{
    const std::string node =
        "<node id='n'>" + repeat(30'000, "<extra/>") + "<translate>1 two 3</translate></node>";
    const scene::Scene scene = loaded(Document{
        .libraries = library("nodes", node), .nodes = repeat(8'000, "<node><instance_node url='#n'/></node>")}
                                          .text());
    EXPECT_THAT(scene.nodes, SizeIs(16'000));
    EXPECT_EQ(count_warnings(scene, "invalid_transform"), 1u);
}

// What is said of an element's unit is found without looking through the <asset> each time.
TEST(DaeHostileSize, AnAssetIsReadOnce)
{
    const std::string node = "<node id='n'><asset>" + repeat(30'000, "<extra/>") +
                             "<unit meter='10'/></asset><translate>1 0 0</translate></node>";
    const scene::Scene scene = loaded(Document{
        .libraries = library("nodes", node), .nodes = repeat(8'000, "<node><instance_node url='#n'/></node>")}
                                          .text());
    EXPECT_THAT(scene.nodes, SizeIs(16'000));
    EXPECT_EQ(scene.nodes[1].local.translation.x, 10.0f);
}

TEST(DaeHostileSize, PlacesThatBringNoNodesAreBounded)
{
    const std::string nowhere = "<node id='n'>" + repeat(500, "<instance_node url='#x'/>") + "</node>",
                      missing = "<node id='n'>" + repeat(500, "<instance_geometry url='#x'/>") + "</node>";
    Limits limits;
    limits.nodes = 5'000;
    const std::string nodes = repeat(1'000, "<node><instance_node url='#n'/></node>");
    expect_refused(load(Document{.libraries = library("nodes", nowhere), .nodes = nodes}.text(), limits),
                   "nodes are placed more often than the limit nodes = 5000");
    expect_refused(load(Document{.libraries = library("nodes", missing), .nodes = nodes}.text(), limits),
                   "meshes are placed more often than the limit nodes = 5000");
}

TEST(DaeHostileSize, TransformsInManyUnitsAreBounded)
{
    const std::string node = "<node id='n'>" + repeat(1'000, "<scale/>") + "</node>";
    std::string nodes;
    for (int i = 2; i < 100; ++i)
        nodes +=
            "<node><asset><unit meter='" + std::to_string(i) + "'/></asset><instance_node url='#n'/></node>";
    Limits limits;
    limits.nodes = 5'000;
    expect_refused(load(Document{.libraries = library("nodes", "<asset><unit meter='1'/></asset>" + node),
                                 .nodes = nodes}
                            .text(),
                        limits),
                   "transforms than the limit nodes = 5000");
}

} // namespace
} // namespace vitrine::dae::test

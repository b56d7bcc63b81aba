// GET /v1/assets/{id}/similar over models that are imported.

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include "loaders/export/gltf/gltf_writer.hpp"
#include "tests/integration/http_fixture.hpp"
#include "tests/support/humanoid/humanoid_rigs.hpp"

namespace vitrine::test {
namespace {

namespace json = boost::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A tetrahedron without symmetry, at an offset. `backward`: the order of its triangles.
std::string block(double size, double offset, double mirror = 1.0, bool backward = false)
{
    constexpr double corners[4][3] = {{0, 0, 0}, {6, 0, 0}, {1, 3, 0}, {1, 0.5, 1.5}};
    constexpr int faces[4][3] = {{1, 3, 2}, {1, 2, 4}, {2, 3, 4}, {3, 1, 4}};
    std::string text;
    for (const auto& c : corners)
        text += fmt::format("v {} {} {}\n", offset + mirror * size * c[0], size * c[1], size * c[2]);
    for (int i = 0; i < 4; ++i) {
        const auto& f = faces[backward ? 3 - i : i];
        text += mirror > 0 ? fmt::format("f {} {} {}\n", f[0], f[1], f[2])
                           : fmt::format("f {} {} {}\n", f[1], f[0], f[2]);
    }
    return text;
}

class HttpSimilar : public Http {
protected:
    static json::value read(const std::string& path)
    {
        const auto reply = get(port(), path);
        EXPECT_EQ(reply.status, 200) << path << " " << reply.body;
        return reply.status == 200 ? json::parse(reply.body) : json::value();
    }
    static json::value similar(const std::string& id, const std::string& query)
    {
        return read("/v1/assets/" + id + "/similar?" + query);
    }
    static std::vector<std::string> ids(const json::value& page)
    {
        std::vector<std::string> all;
        for (const auto& item : page.at("items").as_array())
            all.emplace_back(item.at_pointer("/asset/id").as_string());
        return all;
    }
    static UploadFile dancer(const std::string& name, const HumanoidRig& options)
    {
        const auto bytes = *exporting::write_glb(make_humanoid(options));
        return {name, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
    }
};

TEST_F(HttpSimilar, SurfacesAreFoundHoweverTheyAreStored)
{
    const auto own = import_asset(port(), {{"block.obj", block(1, 0)}});
    const auto large = import_asset(port(), {{"large.obj", block(2.5, 40, 1, true)}});
    const auto mirrored = import_asset(port(), {{"mirrored.obj", block(1, 0, -1)}});
    const auto copy = import_asset(port(), {{"copy.obj", block(1, 0)}});
    const auto page = similar(own, "by=mesh");
    EXPECT_THAT(ids(page), ::testing::UnorderedElementsAre(large, mirrored, copy));
    EXPECT_TRUE(page.at("complete").as_bool());
    for (const auto& item : page.at("items").as_array()) {
        const std::string id(item.at_pointer("/asset/id").as_string());
        EXPECT_GT(item.at("score").to_number<double>(), 0.99);
        EXPECT_EQ(item.at_pointer("/mesh/mirrored").as_bool(), id == mirrored);
        EXPECT_NEAR(item.at_pointer("/mesh/scale").to_number<double>(), id == large ? 2.5 : 1.0, 1e-3);
        EXPECT_EQ(item.at_pointer("/mesh/triangles"), 4);
        if (id == large) EXPECT_EQ(item.at("reason"), "the same surface, 2.5 times as large");
    }
    EXPECT_THAT(ids(similar(own, "by=bytes")), ElementsAre(copy));
    EXPECT_EQ(similar(own, "by=bytes").at_pointer("/items/0/reason"), "the same files");
    const auto first = similar(own, "limit=2");
    const std::string next(first.at("next").as_string());
    EXPECT_EQ(ids(similar(own, "limit=2&cursor=" + next)).size(), 1u);
    ASSERT_EQ(fetch(port(), "DELETE", "/v1/assets/" + copy).status, 204);
    EXPECT_THAT(ids(similar(own, "by=bytes")), ElementsAre());
}

TEST_F(HttpSimilar, RigsAndMotions)
{
    const auto own = import_asset(port(), {dancer("own.glb", {.names = NamingStyle::vrm})});
    const auto tall = import_asset(port(), {dancer("tall.glb", {.names = NamingStyle::vrm, .height = 2.4f})});
    const auto rigs = similar(own, "by=rig");
    EXPECT_THAT(ids(rigs), ::testing::Contains(tall));
    EXPECT_TRUE(rigs.at_pointer("/items/0/rig/sameNames").as_bool());
    const auto motions = similar(own, "by=motion");
    ASSERT_THAT(ids(motions), ::testing::Contains(tall));
    const auto& pair = motions.at_pointer("/items/0/clips/0");
    EXPECT_EQ(pair.at_pointer("/clip/name"), pair.at_pointer("/of/name"));
    EXPECT_GT(pair.at("score").to_number<double>(), 0.9);
    EXPECT_THAT(ids(similar(own, "by=motion&clip=0")), ::testing::Contains(tall));
}

TEST_F(HttpSimilar, SaysWhatIsWrong)
{
    const auto own = import_asset(port(), {{"wrong.obj", block(1, 3)}});
    for (const auto* query :
         {"by=color", "score.min=2", "clip=1", "by=motion&clip=x", "limit=0", "cursor=x", "q=1"})
        EXPECT_EQ(get(port(), fmt::format("/v1/assets/{}/similar?{}", own, query)).status, 400) << query;
    EXPECT_EQ(get(port(), "/v1/assets/nobody/similar").status, 404);
}

} // namespace
} // namespace vitrine::test

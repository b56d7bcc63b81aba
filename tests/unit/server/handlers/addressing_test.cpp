// How clips and joints are addressed in URLs (loaders/scene/lookup.hpp).

#include <gmock/gmock.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;

// The bar has the nodes 0 "lower" and 1 "upper" and the clip c0 "bend".
class Addressing : public HandlerTest {
protected:
    // Numbers of the nodes of a pose.
    std::vector<std::int64_t> nodes(const std::string& query)
    {
        const auto answered = get("/v1/assets/" + bar + "/clips/c0/pose?" + query);
        EXPECT_EQ(answered.status(), 200) << query;
        std::vector<std::int64_t> numbers;
        const auto pose = answered.json();
        for (const auto& node : pose.at_pointer("/poses/0/nodes").as_array())
            numbers.push_back(node.at("node").as_int64());
        return numbers;
    }

    std::string bar = imported("bar.obj");
};

TEST_F(Addressing, JointsByNodeNumberOrName)
{
    EXPECT_THAT(nodes("joint=1"), ElementsAre(1));
    EXPECT_THAT(nodes("joint=upper&joint=0"), ElementsAre(1, 0));
    for (const char* none : {"joint=99", "joint=Upper", "joint=-1", "joint="}) {
        const auto answered = get("/v1/assets/" + bar + "/clips/c0/pose?" + none);
        EXPECT_EQ(answered.status(), 400) << none;
        EXPECT_EQ(answered.json().at_pointer("/errors/0/pointer").as_string(), "/query/joint") << none;
    }
}

TEST_F(Addressing, ClipsByIdIndexOrName)
{
    for (const char* clip : {"c0", "0", "bend"})
        EXPECT_EQ(get("/v1/assets/" + bar + "/clips/" + clip).json().at("id").as_string(), "c0") << clip;
    for (const char* none : {"c1", "1", "ben", "none"})
        EXPECT_EQ(get("/v1/assets/" + bar + "/clips/" + none).code(), "no_clip") << none;
}

} // namespace
} // namespace vitrine::server::testing

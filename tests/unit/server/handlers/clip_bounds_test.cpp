// Bounds of a clip over a range of times.

#include <gmock/gmock.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

namespace json = boost::json;
using ::testing::ElementsAreArray;

// The bar's rings at y = 0, 1 and 2 are 0.2 wide. At time t the upper half is rotated by 90 t degrees about
// (0, 1, 0); the middle ring is the mean of rotated and unrotated.
class ClipBounds : public HandlerTest {
protected:
    json::value bounds(std::string_view query)
    {
        const auto answered = get("/v1/assets/" + bar + "/clips/c0/bounds?" + std::string(query));
        EXPECT_EQ(answered.status(), 200) << query;
        return answered.json();
    }
    static void expect_box(const json::value& box, const std::array<double, 6>& wanted, double margin = 1e-5)
    {
        std::vector<double> numbers;
        for (const char* end : {"min", "max"})
            for (const auto& number : box.at(end).as_array())
                numbers.push_back(number.to_number<double>());
        std::vector<::testing::Matcher<double>> near;
        for (const double value : wanted)
            near.push_back(::testing::DoubleNear(value, margin));
        EXPECT_THAT(numbers, ElementsAreArray(near));
    }

    std::string bar = imported("bar.obj");
    static constexpr std::array<double, 6> straight{-0.1, 0.0, -0.1, 0.1, 2.0, 0.1};
    static constexpr std::array<double, 6> bent{-1.0, 0.0, -0.1, 0.1, 1.1, 0.1};
};

TEST_F(ClipBounds, AtOneTimeEqualThePose)
{
    expect_box(bounds("from=0&to=0").at("exact"), straight);
    expect_box(bounds("from=1&to=1").at("exact"), bent);
}

// As a pose at such a time.
TEST_F(ClipBounds, OutsideTheClipHoldItsEnds)
{
    expect_box(bounds("from=-2&to=-1").at("exact"), straight);
    expect_box(bounds("from=5&to=9").at("exact"), bent);
    expect_box(bounds("from=5").at("exact"), bent);
    EXPECT_EQ(bounds("from=-1&to=9").at("exact"), bounds("").at("exact"));
    const auto clip = "/v1/assets/" + bar + "/clips/c0";
    EXPECT_EQ(get(clip + "/pose?t=9&space=model").json().at_pointer("/poses/0/nodes"),
              get(clip + "/pose?t=1&space=model").json().at_pointer("/poses/0/nodes"));
    EXPECT_EQ(get(clip + "/keys?t=9").json().at("at"), get(clip + "/keys?t=1").json().at("at"));
    EXPECT_EQ(get(clip + "/bounds?from=2&to=1").status(), 400);
}

TEST_F(ClipBounds, IncludeBothEnds)
{
    const auto whole = bounds("");
    EXPECT_EQ(whole.at("clip").as_string(), "c0");
    EXPECT_EQ(whole.at("from").to_number<double>(), 0.0);
    EXPECT_EQ(whole.at("to").to_number<double>(), 1.0);
    const auto& box = whole.at("exact");
    // Its corners are at most 1 + cos a + 0.1 sin a and -sin a - 0.1 cos a, where a sum is at most the square
    // root of 1.01.
    EXPECT_GE(box.at("max").at(1).to_number<double>(), 2.0 - 1e-5) << "as it begins";
    EXPECT_LE(box.at("max").at(1).to_number<double>(), 2.00499);
    EXPECT_LE(box.at("min").at(0).to_number<double>(), -1.0 + 1e-5) << "as it ends";
    EXPECT_GE(box.at("min").at(0).to_number<double>(), -1.00499);
    expect_box(bounds("to=0").at("exact"), straight);
    for (const char* end : {"min", "max"})
        for (std::size_t i = 0; i < 3; ++i) {
            const double exact = box.at(end).at(i).to_number<double>();
            const double around = whole.at("conservative").at(end).at(i).to_number<double>();
            EXPECT_GE(end == std::string_view("min") ? exact - around : around - exact, -1e-5) << end << i;
        }
}

// As poses and images play it: alone, on the joints of this asset.
TEST_F(ClipBounds, AreThoseOfAClipOfAnotherAssetToo)
{
    const auto other = imported("bar2.obj") + ":0";
    const auto ask_for = [&](std::string_view rest) {
        return get("/v1/assets/" + bar + "/clips/" + other + std::string(rest));
    };
    EXPECT_EQ(ask_for("/bounds").json(), bounds(""));
    const auto own = get("/v1/assets/" + bar + "/clips/c0/facts");
    const auto facts = ask_for("/facts");
    EXPECT_EQ(facts.json(), own.json());
    EXPECT_NE(facts.header("ETag"), own.header("ETag"));
    EXPECT_EQ(
        get("/v1/assets/" + bar + "/clips/" + other + "/facts", {{"If-None-Match", facts.header("ETag")}})
            .status(),
        304);
    EXPECT_EQ(ask_for("/keys?t=0.5").json(), get("/v1/assets/" + bar + "/clips/c0/keys?t=0.5").json());
    EXPECT_EQ(ask_for("/tracks").json(), get("/v1/assets/" + bar + "/clips/c0/tracks").json());
    EXPECT_EQ(ask_for("").json().at("name"), get("/v1/assets/" + bar + "/clips/c0").json().at("name"));
    EXPECT_EQ(ask_for("/bounds?to=1e99").status(), 400) << "no time of a clip";
    for (const auto* wrong : {"nobody:0", "frames:0-1"}) {
        const auto path = "/v1/assets/" + bar + "/clips/" + wrong;
        const int status = wrong[0] == 'n' ? 404 : 422;
        for (const auto* rest : {"/bounds", "/facts", "/keys", "/tracks", ""})
            EXPECT_EQ(get(path + rest).status(), status) << path << rest;
    }
    EXPECT_EQ(get("/v1/assets/" + bar + "/clips/" + bar + ":none-such/facts").code(), "no_clip");
    EXPECT_EQ(get("/v1/assets/" + bar + "/clips/" + imported("cube.obj") + ":0/facts").status(), 404);
}

TEST_F(ClipBounds, AreGivenPerFrameMeshAndJoint)
{
    const auto answer = bounds("per=frame");
    const auto& frames = answer.at("frames").as_array();
    ASSERT_GE(frames.size(), 2u);
    EXPECT_EQ(frames.front().at("time").to_number<double>(), 0.0);
    EXPECT_EQ(frames.back().at("time").to_number<double>(), 1.0);
    expect_box(frames.front().at("exact"), straight);
    expect_box(frames.back().at("exact"), bent);
    const auto meshes = bounds("per=mesh&from=1&to=1");
    ASSERT_EQ(meshes.at("meshes").as_array().size(), 1u);
    expect_box(meshes.at_pointer("/meshes/0/exact"), bent);
    const auto joints = bounds("per=joint&from=1&to=1");
    ASSERT_EQ(joints.at("joints").as_array().size(), 2u);
    EXPECT_EQ(joints.at_pointer("/joints/0/name").as_string(), "lower");
    // "lower" influences rings 0 and 1; "upper" rings 1 and 2, from (+-0.1, 0 to 1) rotated by 90 degrees.
    expect_box(joints.at_pointer("/joints/0/conservative"), {-0.1, 0.0, -0.1, 0.1, 1.0, 0.1}, 1e-4);
    expect_box(joints.at_pointer("/joints/1/conservative"), {-1.0, 0.9, -0.1, 0.0, 1.1, 0.1}, 1e-4);
}

TEST_F(ClipBounds, RangesThatAreNoneAreRejected)
{
    const auto rejected = [&](std::string_view query) {
        return get("/v1/assets/" + bar + "/clips/c0/bounds?" + std::string(query)).status();
    };
    EXPECT_EQ(rejected("to=1e99"), 400);
    EXPECT_EQ(rejected("to=-1"), 400) << "before from, which is 0";
    EXPECT_EQ(rejected("from=0.5&to=0.25"), 400);
    EXPECT_EQ(get("/v1/assets/" + bar + "/clips/c7/bounds").status(), 404);
}

} // namespace
} // namespace vitrine::server::testing

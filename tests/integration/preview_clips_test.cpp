// Clips of other assets in a live preview: shown, blended into, and rejected.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <optional>

#include <boost/json/parse.hpp>

#include "tests/integration/http_fixture.hpp"
#include "tests/integration/preview_client.hpp"
#include "tests/support/arm_model.hpp"

namespace vitrine::test {
namespace {

namespace json = boost::json;

struct Box {
    std::array<float, 3> min{}, max{};
};

Box box_of(const Message& message)
{
    Box box;
    if (message.data.size() < 56) return box;
    std::memcpy(box.min.data(), message.data.data() + 32, 12);
    std::memcpy(box.max.data(), message.data.data() + 44, 12);
    return box;
}

Box box_of(const json::value& bounds)
{
    Box box;
    for (std::size_t i = 0; i < 3; ++i) {
        box.min[i] = bounds.at("min").at(i).to_number<float>();
        box.max[i] = bounds.at("max").at(i).to_number<float>();
    }
    return box;
}

// A frame and what was said before it.
struct SeenFrame {
    PreviewFrame frame;
    Box bounds;            // of the pose
    Box fit;               // by which the image is framed
    bool is_framed = true; // false: no framing was sent yet
};

// A viewer who acknowledges each frame.
class ClipViewer {
public:
    ClipViewer(int port, const std::string& asset) : socket_(port, asset) { socket_.next(); }

    void say(std::string_view members) { socket_.say(fmt::format(R"({{"type":"view",{}}})", members)); }
    SeenFrame next()
    {
        auto message = socket_.next();
        for (; message.opcode == 1; message = socket_.next())
            hear(json::parse(message.data));
        SeenFrame seen{parse(message), box_of(message), fit_.value_or(Box{}), fit_.has_value()};
        acknowledge(socket_, seen.frame);
        return seen;
    }
    // The next message of the type, without frames.
    json::value next_text(std::string_view type)
    {
        for (auto message = socket_.next(); message.opcode > 0 && message.opcode != 8;
             message = socket_.next()) {
            if (message.opcode == 2) acknowledge(socket_, parse(message));
            if (message.opcode != 1) continue;
            auto text = json::parse(message.data);
            hear(text);
            if (text.at("type") == json::string(type)) return text;
        }
        ADD_FAILURE() << "no message " << type;
        return json::object{};
    }

private:
    void hear(const json::value& message)
    {
        if (message.at("type") == "framing") fit_ = box_of(message.at("fit"));
    }

    WebSocket socket_;
    std::optional<Box> fit_;
};

class PreviewClips : public Http {
protected:
    static void SetUpTestSuite()
    {
        Http::SetUpTestSuite();
        arm = import_asset(port(), {{"arm.gltf", std::string(arm_gltf)}, {"arm.bin", arm_buffer()}});
        auto leaning = std::string(arm_gltf);
        leaning.replace(leaning.find("bend"), 4, "lean");
        other = import_asset(port(), {{"other.gltf", leaning}, {"arm.bin", arm_buffer()}});
    }
    static inline std::string arm, other;
};

constexpr std::string_view fade_view =
    R"("width":64,"height":64,"background":"black","camera":{"yaw":0,"pitch":9})";

TEST_F(PreviewClips, AnotherAssetsClipIsShownAsTheAnswersOfRestAre)
{
    ClipViewer viewer(port(), arm);
    viewer.say(fmt::format(R"({},"clip":"{}:lean","time":0.75)", fade_view, other));
    const auto seen = viewer.next();
    EXPECT_EQ(seen.frame.time, 0.75);
    const auto still = [](const std::string& clip) {
        return get(port(), fmt::format("/v1/assets/{}/render?w=64&h=64&background=black&view=0,9&format="
                                       "jpeg&clip={}&t=0.75",
                                       arm, clip))
            .body;
    };
    EXPECT_EQ(seen.frame.payload, still(other + ":lean"));
    EXPECT_EQ(seen.frame.payload, still("bend")) << "the same motion";
    viewer.say(R"("clip":"bend")");
    viewer.say(R"("time":0.75)");
    auto own = viewer.next();
    while (own.frame.sequence != 0 && own.frame.time != 0.75)
        own = viewer.next();
    EXPECT_EQ(own.frame.payload, seen.frame.payload);
}

TEST_F(PreviewClips, TheFormerClipStaysIfTheOtherCannotBeShown)
{
    const auto stranger = import_asset(
        port(), {{"turn.gltf",
                  R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"wheel"}],
"animations":[{"name":"spin","channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],
"samplers":[{"input":0,"output":1}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[1]},
{"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"}],
"bufferViews":[{"buffer":0,"byteOffset":96,"byteLength":8},{"buffer":0,"byteOffset":136,"byteLength":24}],
"buffers":[{"byteLength":160,"uri":"arm.bin"}]})"},
                 {"arm.bin", arm_buffer()}});
    ASSERT_FALSE(stranger.empty());
    ClipViewer viewer(port(), arm);
    viewer.say(fmt::format(R"({},"clip":"slide","time":0.5)", fade_view));
    const auto former = viewer.next();
    const std::array<std::pair<std::string, std::string>, 3> wrong{
        {{other + ":nope", "The asset " + other + " has no clip 'nope'."},
         {"nobody:lean", "This asset has no clip 'nobody:lean'."},
         {stranger + ":spin", "No joint of this asset has the name"}}};
    for (const auto& [clip, why] : wrong) {
        viewer.say(fmt::format(R"("clip":"{}","layers":["bend"],"playing":true)", clip));
        const auto problem = viewer.next_text("problem");
        EXPECT_EQ(problem.at("code"), "cannot_draw");
        EXPECT_TRUE(text_at(problem, "/detail").starts_with(why)) << problem;
        const auto state = viewer.next_text("state");
        EXPECT_EQ(state.at("clip"), 1);
        EXPECT_EQ(state.at("time").to_number<double>(), 0.5);
        EXPECT_EQ(state.at("playing"), false);
    }
    viewer.say(R"("input":1,"background":"white")");
    viewer.say(R"("input":2,"background":"black")");
    auto last = viewer.next();
    while (last.frame.sequence != 0 && last.frame.input != 2)
        last = viewer.next();
    EXPECT_EQ(last.frame.payload, former.frame.payload);
}

// The arm leaves "slide" at its end, 2 m to the right, and begins to lean. With the weight w of the new clip
// at its time t, the root is at x = 2 (1 - w) and the arm leans by 90 t w degrees.
Box expected_bounds(double w, double t)
{
    const double angle = 0.5 * std::numbers::pi * t * w, root = 2.0 * (1.0 - w);
    const double tip = root - 2.0 * std::sin(angle);
    return {{static_cast<float>(std::min(root, tip)), 0.0f, 0.0f},
            {static_cast<float>(root + 1.0), static_cast<float>(1.0 + 2.0 * std::cos(angle)), 0.0f}};
}

void expect_near(const Box& actual, const Box& expected, float tolerance)
{
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(actual.min[i], expected.min[i], tolerance);
        EXPECT_NEAR(actual.max[i], expected.max[i], tolerance);
    }
}

TEST_F(PreviewClips, BoxesFollowAFadeIntoAnotherAssetsClip)
{
    constexpr double fade = 0.6;
    ClipViewer viewer(port(), arm);
    viewer.say(fmt::format(R"({},"clip":"slide","time":1)", fade_view));
    const auto former = viewer.next();
    expect_near(former.fit, {{0, 0, 0}, {3, 3, 0}}, 1e-4f);
    viewer.say(fmt::format(
        R"("clip":"{}:lean","loop":"once","time":0,"playing":true,"fade":{},"fadeCurve":"linear")", other,
        fade));
    std::vector<SeenFrame> frames;
    do
        frames.push_back(viewer.next());
    while (frames.back().frame.sequence != 0 && frames.back().frame.time < 1.0);
    ASSERT_GE(frames.size(), 4u);
    const double start = frames.front().frame.time;
    std::size_t faded = 0;
    for (const auto& [frame, bounds, fit, is_framed] : frames) {
        const double w = std::min(1.0, (frame.time - start) / fade);
        SCOPED_TRACE(fmt::format("time {} of {}", frame.time, start));
        ASSERT_TRUE(is_framed);
        faded += w < 1.0 ? 1 : 0;
        expect_near(bounds, expected_bounds(w, frame.time), 1e-3f);
        const auto at = static_cast<float>(w);
        expect_near(fit, {{-2.0f * at, 0, 0}, {3.0f - 2.0f * at, 3, 0}}, 1e-3f);
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_LE(fit.min[i], bounds.min[i] + 1e-4f) << "the model is in the framed box";
            EXPECT_GE(fit.max[i], bounds.max[i] - 1e-4f);
        }
    }
    EXPECT_GE(faded, 2u);
    EXPECT_LT(faded, frames.size()) << "and after the fade the box is that of the new clip";
}

} // namespace
} // namespace vitrine::test

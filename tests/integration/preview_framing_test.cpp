// Framing of live views: equal to stills, includes the joints of a visible skeleton, and is sent to the
// viewer.

#include <cmath>
#include <limits>
#include <span>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loaders/images/image.hpp"
#include "tests/integration/http_fixture.hpp"
#include "tests/integration/preview_client.hpp"

namespace vitrine::test {
namespace {

namespace json = boost::json;

// A plate of 16 x 16 meters around the origin that the first joint moves, and a vertical chain from there to
// `tip` meters.
std::string plate_mesh(double tip)
{
    return fmt::format(R"(MD5Version 10
numJoints 3
numMeshes 1
joints {{
"root" -1 ( 0 0 0 ) ( 0 0 0 )
"arm" 0 ( 0 0 2 ) ( 0 0 0 )
"tip" 1 ( 0 0 {} ) ( 0 0 0 )
}}
mesh {{
shader "plate"
numverts 4
vert 0 ( 0 0 ) 0 1
vert 1 ( 1 0 ) 1 1
vert 2 ( 1 1 ) 2 1
vert 3 ( 0 1 ) 3 1
numtris 2
tri 0 0 1 2
tri 1 0 2 3
numweights 4
weight 0 0 1 ( 0 -8 -8 )
weight 1 0 1 ( 0 8 -8 )
weight 2 0 1 ( 0 8 8 )
weight 3 0 1 ( 0 -8 8 )
}}
)",
                       tip);
}

// The clip of plate_mesh() that raises the tip by 8 meters within a second.
std::string plate_animation(double tip)
{
    return fmt::format(R"(MD5Version 10
numFrames 2
numJoints 3
frameRate 1
numAnimatedComponents 1
hierarchy {{
"root" -1 0 0
"arm" 0 0 0
"tip" 1 4 0
}}
bounds {{
( 0 -8 -8 ) ( 0 8 8 )
( 0 -8 -8 ) ( 0 8 8 )
}}
baseframe {{
( 0 0 0 ) ( 0 0 0 )
( 0 0 2 ) ( 0 0 0 )
( 0 0 {0} ) ( 0 0 0 )
}}
frame 0 {{
{0}
}}
frame 1 {{
{1}
}}
)",
                       tip - 2, tip + 6);
}

std::vector<UploadFile> plate_with_chain(double tip)
{
    return {{"plate.md5mesh", plate_mesh(tip)}, {"raise.md5anim", plate_animation(tip)}};
}

struct Shown {
    std::vector<json::value> framings; // messages before the frame
    std::string jpeg;
};

// A viewer at rest: each frame is a JPEG of full quality.
class RestingViewer {
public:
    RestingViewer(int port, const std::string& asset) : socket_(port, asset) {}

    // Returns the image of the view with these members changed.
    Shown look(std::string_view members)
    {
        socket_.say(fmt::format(R"({{"type":"view",{}}})", members));
        Shown shown;
        auto message = socket_.next();
        for (; message.opcode == 1; message = socket_.next())
            if (auto parsed = json::parse(message.data); parsed.at("type") == "framing")
                shown.framings.push_back(std::move(parsed));
        auto frame = parse(message);
        acknowledge(socket_, frame);
        shown.jpeg = std::move(frame.payload);
        return shown;
    }

private:
    WebSocket socket_;
};

constexpr std::string_view small_view =
    R"("width":160,"height":120,"background":"black","camera":{"yaw":70,"pitch":15})";

double top(const json::value& framing, std::string_view box)
{
    return framing.at(box).at("max").at(1).to_number<double>();
}

// Returns the mean difference of channel values; NaN for images that are invalid or of different size.
double difference(std::string_view a, std::string_view b)
{
    const auto decode = [](std::string_view bytes) {
        return images::decode_image(std::as_bytes(std::span(bytes)), "", Limits{});
    };
    const auto left = decode(a), right = decode(b);
    if (!left || !right || left->pixels.size() != right->pixels.size())
        return std::numeric_limits<double>::quiet_NaN();
    double sum = 0.0;
    for (std::size_t i = 0; i < left->pixels.size(); ++i)
        sum += std::abs(left->pixels[i] - right->pixels[i]);
    return sum / static_cast<double>(left->pixels.size());
}

class PreviewFraming : public Http {
protected:
    static std::string import_plate(double tip) { return import_asset(port(), plate_with_chain(tip)); }
    static std::string first_frame(const std::string& asset, std::string_view query)
    {
        return get(port(), fmt::format("/v1/assets/{}/render?w=160&h=120&format=png&background=black&{}",
                                       asset, query))
            .body;
    }
};

} // namespace

TEST_F(PreviewFraming, ShownJointsAreFramedAsInStills)
{
    const auto rig = import_plate(22.0);
    RestingViewer viewer(port(), rig);
    const auto plain = viewer.look(small_view);
    ASSERT_EQ(plain.framings.size(), 1u) << "before the first frame";
    EXPECT_TRUE(plain.framings[0].at("clip").is_null());
    EXPECT_EQ(plain.framings[0].at("fit"), plain.framings[0].at("bounds"));
    EXPECT_EQ(top(plain.framings[0], "bounds"), 8.0);
    const auto rigged = viewer.look(R"("overlays":["skeleton"])");
    ASSERT_EQ(rigged.framings.size(), 1u);
    EXPECT_EQ(rigged.framings[0].at("bounds"), plain.framings[0].at("bounds"));
    EXPECT_EQ(top(rigged.framings[0], "fit"), 22.0);
    const auto same = first_frame(rig, "view=70,15&overlay=skeleton");
    EXPECT_LT(difference(rigged.jpeg, same), 2.0);
    EXPECT_GT(difference(plain.jpeg, same), 8.0);
    const auto turned = viewer.look(R"("camera":{"yaw":100})");
    EXPECT_TRUE(turned.framings.empty()) << "an orbit keeps what is framed";
    EXPECT_LT(difference(turned.jpeg, first_frame(rig, "view=100,15&overlay=skeleton")), 2.0);
    const auto again = viewer.look(R"("overlays":[],"camera":{"yaw":70})");
    ASSERT_EQ(again.framings.size(), 1u);
    EXPECT_EQ(again.framings[0], plain.framings[0]);
    EXPECT_EQ(again.jpeg, plain.jpeg);
}

TEST_F(PreviewFraming, JointsAreFramedOverTheWholeClip)
{
    const auto rig = import_plate(12.0);
    RestingViewer viewer(port(), rig);
    viewer.look(small_view);
    const auto start = viewer.look(R"("clip":0,"overlays":["names"])");
    ASSERT_EQ(start.framings.size(), 1u);
    EXPECT_EQ(start.framings[0].at("clip"), 0);
    EXPECT_EQ(top(start.framings[0], "fit"), 20.0);
    EXPECT_EQ(top(start.framings[0], "bounds"), 8.0);
    EXPECT_TRUE(viewer.look(R"("time":0.9)").framings.empty());
}

TEST_F(PreviewFraming, JointsInsideTheModelDoNotChangeTheFraming)
{
    const auto rig = import_plate(-2.0); // 6 at the end of its clip
    RestingViewer viewer(port(), rig);
    viewer.look(std::string(small_view) + R"(,"clip":0)");
    EXPECT_TRUE(viewer.look(R"("overlays":["skeleton"])").framings.empty());
    EXPECT_TRUE(viewer.look(R"("overlays":["wireframe","names"])").framings.empty());
}

// After the user has set a distance, the image does not move.
TEST_F(PreviewFraming, SetDistanceKeepsTheFraming)
{
    const auto rig = import_plate(22.0);
    RestingViewer viewer(port(), rig);
    viewer.look(small_view);
    viewer.look(R"("camera":{"distance":40})");
    const auto rigged = viewer.look(R"("overlays":["skeleton"])");
    ASSERT_EQ(rigged.framings.size(), 1u) << "what fit would take in";
    EXPECT_EQ(top(rigged.framings[0], "fit"), 22.0);
    EXPECT_LT(difference(rigged.jpeg, first_frame(rig, "view=70,15,40&overlay=skeleton")), 2.0);
    EXPECT_LT(difference(rigged.jpeg, first_frame(rig, "view=70,15,40")), 4.0);
}

TEST_F(PreviewFraming, ShowsAttachmentsAndSkinningMethods)
{
    const auto blade =
        import_asset(port(), {{"blade.obj", "v 0 0 0\nv 2 0 0\nv 0 3 0\nv 0 3 1\nf 1 2 3\nf 1 3 4\n"}});
    WebSocket socket(port(), koi);
    socket.next(); // hello
    socket.say(R"({"type":"view","width":64,"height":64})");
    const auto plain = parse(socket.next_of(2));
    acknowledge(socket, plain);
    socket.say(fmt::format(
        R"({{"type":"view","skinning":"linear","attach":[{{"asset":"{}","joint":0}}],"turn":["0:0,90,0"]}})",
        blade));
    const auto attached = parse(socket.next_of(2));
    EXPECT_NE(attached.payload, plain.payload);
    acknowledge(socket, attached);
    socket.say(R"({"type":"view","attach":["nobody@0"]})");
    std::string problem;
    while (problem.empty()) {
        const auto message = socket.next();
        ASSERT_NE(message.opcode, -1);
        if (message.opcode == 1 && text_at(json::parse(message.data), "/type") == "problem")
            problem = text_at(json::parse(message.data), "/detail");
    }
    EXPECT_EQ(problem, "There is no asset nobody to attach.");
    socket.say(R"({"type":"view","attach":[],"skinning":null,"turn":[]})");
    EXPECT_EQ(parse(socket.next_of(2)).payload, plain.payload);
}

} // namespace vitrine::test

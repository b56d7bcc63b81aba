// Live previews of several assets side by side: they show what GET /v1/render, /v1/lineup and /v1/pick
// answer.

#include <boost/json/parse.hpp>

#include "tests/integration/http_fixture.hpp"
#include "tests/integration/preview_client.hpp"
#include "tests/support/arm_model.hpp"

namespace vitrine::test {
namespace {

namespace json = boost::json;

constexpr std::string_view box_obj =
    "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 1\nv 2 0 1\nv 2 2 1\nv 0 2 1\n"
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

// A viewer who acknowledges each frame.
class RowSocket {
public:
    RowSocket(int port, const std::string& query) : socket_(port, "/v1/preview?" + query) {}

    void view(std::string_view members) { socket_.say(fmt::format(R"({{"type":"view",{}}})", members)); }
    void say(std::string_view text) { socket_.say(text); }
    // The next message of the type, without frames.
    json::value next_text(std::string_view type)
    {
        for (auto message = socket_.next(); message.opcode > 0 && message.opcode != 8;
             message = socket_.next()) {
            if (message.opcode == 2) acknowledge(socket_, parse(message));
            if (message.opcode != 1) continue;
            auto text = json::parse(message.data);
            if (text.at("type") == json::string(type)) return text;
        }
        ADD_FAILURE() << "no message " << type;
        return json::object{};
    }
    // The image at rest of the view with this input.
    PreviewFrame still(std::uint32_t input)
    {
        for (;;) {
            const auto message = socket_.next_of(2);
            const auto frame = parse(message);
            if (frame.sequence == 0) return frame;
            acknowledge(socket_, frame);
            if (frame.input == input && (frame.flags & 2) != 0) return frame;
        }
    }
    int status() const { return socket_.status; }
    Message next_of(int opcode) { return socket_.next_of(opcode); }

private:
    WebSocket socket_;
};

class PreviewRows : public Http {
protected:
    static void SetUpTestSuite()
    {
        Http::SetUpTestSuite();
        arm = import_asset(port(), {{"arm.gltf", std::string(arm_gltf)}, {"arm.bin", arm_buffer()}});
        box = import_asset(port(), {{"box.obj", std::string(box_obj)}});
        ASSERT_FALSE(arm.empty() || box.empty());
    }
    static std::string image(const std::string& query)
    {
        const auto reply = get(port(), "/v1/render?w=96&h=64&background=black&view=0,9&format=jpeg&" + query);
        EXPECT_EQ(reply.status, 200) << reply.body;
        return reply.body;
    }
    static inline std::string arm, box;
};

constexpr std::string_view paused =
    R"("width":96,"height":64,"background":"black","camera":{"yaw":0,"pitch":9},"playing":false)";

TEST_F(PreviewRows, ShowTheImagesOfRest)
{
    const auto row = "asset=" + arm + "&asset=" + box + "&0.clip=bend";
    RowSocket viewer(port(), row);
    ASSERT_EQ(viewer.status(), 101);
    const auto hello = viewer.next_text("hello");
    EXPECT_TRUE(hello.at("asset").is_null());
    const auto places = viewer.next_text("row");
    const auto lineup = get(port(), "/v1/lineup?" + row).json();
    EXPECT_EQ(places.at("items"), lineup.at("items"));
    EXPECT_EQ(places.at("bounds"), lineup.at("bounds"));
    EXPECT_EQ(places.at("duration"), lineup.at_pointer("/items/0/clip/duration"));
    viewer.view(fmt::format(R"({},"input":1,"time":0.75)", paused));
    const auto frame = viewer.still(1);
    EXPECT_EQ(frame.time, 0.75);
    EXPECT_TRUE(frame.payload == image(row + "&t=0.75"));
    viewer.view(R"("input":2,"overlays":["skeleton","bounds"])");
    EXPECT_TRUE(viewer.still(2).payload == image(row + "&t=0.75&overlay=skeleton,bounds"));
    viewer.view(R"("input":3,"overlays":[],"crowd":4)");
    EXPECT_TRUE(viewer.still(3).payload == image(row + "&t=0.75&crowd=4"));
    viewer.view(R"("input":4,"crowd":1,"clip":null)");
    EXPECT_TRUE(viewer.still(4).payload != image(row + "&t=0.75")) << "the static poses, at the same places";
}

TEST_F(PreviewRows, ModelsAreChangedWithoutANewConnection)
{
    const auto row = "asset=" + arm + "&asset=" + box;
    RowSocket viewer(port(), row);
    EXPECT_EQ(viewer.next_text("row").at("duration").to_number<double>(), 0.0) << "nothing moves";
    viewer.view(fmt::format(R"({},"input":1)", paused));
    EXPECT_TRUE(viewer.still(1).payload == image(row));
    const auto other = "sizes=equal&asset=" + box + "&asset=" + arm + "&asset=" + box + "&1.clip=bend";
    viewer.view(fmt::format(R"("input":2,"row":"{}","time":0.5)", other));
    const auto shown = viewer.next_text("row");
    EXPECT_EQ(shown.at("query"), json::string(other));
    EXPECT_EQ(shown.at("sizes"), "equal");
    EXPECT_EQ(shown.at("items").as_array().size(), 3u);
    viewer.view(R"("input":3,"time":0.25)");
    EXPECT_TRUE(viewer.still(3).payload == image(other + "&t=0.25"));
    for (const auto* const wrong : {"asset=none", "x=1", "sizes=equal"}) {
        viewer.view(fmt::format(R"("row":"{}")", wrong));
        EXPECT_EQ(viewer.next_text("problem").at("code"), "cannot_draw") << wrong;
    }
    viewer.view(R"("input":4,"camera":{"yaw":10})");
    viewer.view(R"("input":5,"camera":{"yaw":0})");
    EXPECT_TRUE(viewer.still(5).payload == image(other + "&t=0.25")) << "the former row stays";
}

TEST_F(PreviewRows, PlayAndPick)
{
    RowSocket viewer(port(), "asset=" + box + "&asset=" + box + "&asset=" + arm + "&2.clip=bend");
    viewer.next_text("row");
    viewer.view(R"("width":96,"height":64,"playing":true,"camera":{"yaw":0,"pitch":0})");
    double last = 0.0;
    for (int frames = 0; frames < 4;) {
        const auto frame = parse(viewer.next_of(2));
        ASSERT_NE(frame.sequence, 0u);
        viewer.say(fmt::format(R"({{"type":"ack","sequence":{}}})", frame.sequence));
        if (frame.time != last) ++frames;
        last = frame.time;
    }
    viewer.view(R"("input":9,"playing":false,"time":0)");
    viewer.still(9);
    viewer.say(R"({"type":"pick","id":3,"x":0.5,"y":0.6})");
    const auto picked = viewer.next_text("picked");
    EXPECT_EQ(picked.at("id").to_number<int>(), 3);
    ASSERT_TRUE(picked.at("item").is_number());
    EXPECT_EQ(picked.at("item").to_number<int>(), 1) << "in the middle";
    EXPECT_EQ(picked.at("asset").at("id"), json::string(box));
    EXPECT_FALSE(picked.at("hit").is_null());
    viewer.say(R"({"type":"pick","id":4,"x":0.01,"y":0.01})");
    EXPECT_TRUE(viewer.next_text("picked").at("item").is_null());
    viewer.say(R"({"type":"step","steps":1})");
    EXPECT_EQ(viewer.next_text("stepped").at("clip"), "row");
}

TEST_F(PreviewRows, RejectionsAreThoseOfRest)
{
    const auto code = [](const std::string& query) {
        return text_at(get(port(), "/v1/preview?" + query).json(), "/code");
    };
    EXPECT_EQ(code("asset=" + arm), "websocket_required");
    EXPECT_EQ(code(""), "bad_query");
    EXPECT_EQ(code("asset=" + arm + "&w=5"), "bad_query") << "of images";
    EXPECT_EQ(code("asset=none"), "no_asset");
    EXPECT_EQ(code("asset=" + arm + "&clip=run"), "no_clip");
    EXPECT_EQ(RowSocket(port(), "asset=none").status(), 404);
}

} // namespace
} // namespace vitrine::test

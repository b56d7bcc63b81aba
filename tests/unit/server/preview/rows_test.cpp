// Preview sessions of several models side by side.

#include "tests/unit/server/preview/viewer.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

api::PreviewInfo row_info()
{
    return {.row = "asset=a&asset=b", .device = "test", .clips = {}, .yaw = 30.0f, .pitch = 8.0f};
}

// A session whose row plays for two seconds.
class RowViewer {
public:
    RowViewer()
    {
        session.set_make_layers([this](const api::PreviewMotion& base, const scene::AnimationTexts&)
                                    -> std::expected<MadeLayers, std::string> {
            if (base.text.empty()) return MadeLayers{};
            scene::AnimationLayers layers{.layers = {{.clip = 0}}, .key = played};
            return MadeLayers{std::make_shared<const scene::AnimationLayers>(std::move(layers)), duration};
        });
    }
    void say(std::string_view text) { EXPECT_TRUE(session.receive(text, now)); }
    RenderTask next()
    {
        now += 20ms;
        auto task = session.next_render(now);
        EXPECT_TRUE(task);
        if (!task) return {};
        session.rendered(*task);
        session.encoded(*task, {.width = 1, .height = 1, .payload_bytes = 1}, now);
        session.sending();
        say(R"({"type":"ack","sequence":)" + std::to_string(++shown) + "}");
        return *task;
    }
    // The messages of the type since the last call, except those of other types.
    std::vector<boost::json::value> take(std::string_view type)
    {
        std::vector<boost::json::value> found;
        for (const auto& text : session.take_texts())
            if (auto message = boost::json::parse(text); message.at("type") == boost::json::string(type))
                found.push_back(std::move(message));
        return found;
    }

    PreviewTime now{std::chrono::hours(1)};
    PreviewSession session{row_info(), {}, now};
    std::string played = "together";
    double duration = 2.0;
    int shown = 0;
};

} // namespace

TEST(PreviewRow, HelloNamesNoAssetAndTheRowFollows)
{
    RowViewer viewer;
    viewer.session.row_shown(2.0, {{"items", {1, 2}}});
    const auto texts = viewer.session.take_texts();
    ASSERT_EQ(texts.size(), 2u);
    const auto hello = boost::json::parse(texts[0]), row = boost::json::parse(texts[1]);
    EXPECT_TRUE(hello.at("asset").is_null());
    EXPECT_EQ(hello.at("clips").as_array().size(), 0u);
    EXPECT_EQ(hello.at("camera").at("pitch").to_number<double>(), 8.0);
    EXPECT_EQ(row.at("type"), "row");
    EXPECT_EQ(row.at("query"), "asset=a&asset=b");
    EXPECT_EQ(row.at("duration").to_number<double>(), 2.0);
    EXPECT_EQ(row.at("items").as_array().size(), 2u);
}

TEST(PreviewRow, PlaysAllClipsUntilTheStaticPosesAreWanted)
{
    RowViewer viewer;
    viewer.say(R"({"type":"view","playing":true,"layers":[],"variant":null,"turn":[],"hide":null})");
    const auto first = viewer.next();
    ASSERT_TRUE(first.clip_time.layers);
    EXPECT_EQ(first.clip_time.layers->key, "together");
    viewer.now += 2480ms;
    EXPECT_NEAR(viewer.next().clip_time.time, 0.52, 1e-6) << "it repeats after 2 seconds";
    viewer.say(R"({"type":"view","clip":null})");
    EXPECT_FALSE(viewer.next().clip_time.layers);
    viewer.say(R"({"type":"view","clip":"row","time":1.5,"playing":false})");
    const auto again = viewer.next();
    ASSERT_TRUE(again.clip_time.layers);
    EXPECT_EQ(again.clip_time.time, 1.5);
    EXPECT_TRUE(viewer.take("problem").empty());
}

TEST(PreviewRow, AnotherRowIsLoadedAndThenReported)
{
    RowViewer viewer;
    viewer.say(R"({"type":"view","playing":false,"time":0.5})");
    viewer.next();
    viewer.take("row");
    viewer.say(R"({"type":"view","row":"asset=a&asset=c"})");
    viewer.now += 1s;
    const auto choice = viewer.session.next_scene();
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->row, "asset=a&asset=c");
    EXPECT_FALSE(viewer.session.next_render(viewer.now)) << "it is being loaded";
    viewer.played = "others";
    viewer.duration = 4.0;
    viewer.session.scene_loaded(viewer.now);
    viewer.session.row_shown(4.0, {});
    const auto rows = viewer.take("row");
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].at("query"), "asset=a&asset=c");
    const auto task = viewer.next();
    EXPECT_EQ(task.clip_time.layers->key, "others");
    EXPECT_EQ(task.clip_time.time, 0.5) << "the time stays";
    viewer.say(R"({"type":"view","time":3.5})");
    EXPECT_EQ(viewer.next().clip_time.time, 3.5) << "of four seconds";
}

TEST(PreviewRow, RowThatCannotBeShownLeavesTheFormerOne)
{
    RowViewer viewer;
    viewer.say(R"({"type":"view"})");
    viewer.next();
    viewer.say(R"({"type":"view","row":"asset=none"})");
    ASSERT_TRUE(viewer.session.next_scene());
    viewer.session.scene_failed("There is no asset none.", viewer.now);
    const auto problems = viewer.take("problem");
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].at("code"), "cannot_draw");
    EXPECT_EQ(problems[0].at("detail"), "There is no asset none.");
    EXPECT_FALSE(viewer.session.next_scene()) << "it is not tried again";
    EXPECT_EQ(viewer.session.scene_choice().row, "asset=a&asset=b");
    viewer.say(R"({"type":"view","camera":{"yaw":5}})");
    EXPECT_EQ(viewer.next().clip_time.layers->key, "together");
}

TEST(PreviewRow, MembersOfOneModelAreRejected)
{
    RowViewer viewer;
    for (const std::string members :
         {R"("clip":0)", R"("clip":"walk")", R"("clip":"as_2:run")", R"("layers":["c0"])",
          R"("turn":["0:1,2,3"])", R"("move":["0:1,2,3"])", R"("scale":["0:1,2,3"])",
          R"("reach":["0:1,2,3"])", R"("attach":["a@0"])", R"("skinning":"linear")", R"("lod":1)",
          R"("hide":[1])", R"("only":[1])", R"("surface":"clay")", R"("variant":"day")", R"("row":5)"}) {
        viewer.say(R"({"type":"view",)" + members + "}");
        const auto problems = viewer.take("problem");
        ASSERT_EQ(problems.size(), 1u) << members;
        EXPECT_EQ(problems[0].at("code"), "bad_value") << members;
    }
    Viewer one;
    one.say(R"({"type":"view","row":"asset=a"})");
    EXPECT_EQ(one.problem(), "bad_value") << "of one asset";
    one.say(R"({"type":"view","clip":"row"})");
    EXPECT_EQ(one.problem(), "bad_value");
}

TEST(PreviewRow, PicksAreThoseOfTheRow)
{
    RowViewer viewer;
    viewer.say(R"({"type":"view"})");
    viewer.next();
    viewer.say(R"({"type":"pick","id":7,"x":0.5,"y":0.5})");
    const auto task = viewer.session.next_pick();
    ASSERT_TRUE(task);
    viewer.session.picked_in_row(*task, {{"item", 1}, {"asset", {{"id", "b"}}}, {"hit", nullptr}});
    const auto picked = viewer.take("picked");
    ASSERT_EQ(picked.size(), 1u);
    EXPECT_EQ(picked[0].at("id").to_number<int>(), 7);
    EXPECT_EQ(picked[0].at("item").to_number<int>(), 1);
    EXPECT_EQ(picked[0].at("asset").at("id"), "b");
}

} // namespace vitrine::server

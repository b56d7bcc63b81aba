// Preview sessions: what is framed while one motion is blended into another.

#include "tests/unit/server/preview/viewer.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

scene::Aabb box(float from, float to)
{
    return {glm::vec3(from, 0.0f, 0.0f), glm::vec3(to, 1.0f, 1.0f)};
}

render::Framing framing_of(const scene::Aabb& box)
{
    return {box, box};
}

void expect_box(const std::optional<scene::Aabb>& actual, const scene::Aabb& expected)
{
    ASSERT_TRUE(actual);
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(actual->min[i], expected.min[i], 1e-5f);
        EXPECT_NEAR(actual->max[i], expected.max[i], 1e-5f);
    }
}

// A viewer for whom the device frames each motion by `boxes`.
class FramedViewer : public LayersViewer {
public:
    RenderTask show_next()
    {
        const auto task = draw().value_or(RenderTask{});
        if (task.measured) session.measured(task, framing_of(box_of(*task.measured)));
        finish(task, 1000, framing_of(task.view.framing.value_or(box_of(task.clip_time))));
        if (auto text = session.take_framing()) framings.push_back(boost::json::parse(*text));
        say(R"({"type":"ack","sequence":)" + std::to_string(++shown) + "}");
        wait(20ms);
        return task;
    }
    std::vector<boost::json::value> framings; // messages

private:
    static scene::Aabb box_of(const render::ClipTime& motion)
    {
        if (motion.layers) return box(-5, 5);
        return motion.clip == 0 ? box(0, 3) : box(-1, 1);
    }
};

} // namespace

TEST(PreviewSession, TheFramingFollowsAFade)
{
    FramedViewer viewer;
    viewer.say(R"({"type":"view","clip":"walk"})");
    EXPECT_FALSE(viewer.show_next().view.framing);
    viewer.say(R"({"type":"view","clip":"idle","fade":0.4,"fadeCurve":"linear"})");
    const auto first = viewer.show_next();
    expect_box(first.view.framing, box(0, 3));
    EXPECT_EQ(first.measured, (render::ClipTime{.clip = 1})) << "what the fade leads to";
    viewer.wait(180ms);
    const auto half = viewer.show_next();
    expect_box(half.view.framing, box(-0.5, 2));
    EXPECT_FALSE(half.measured) << "it is known";
    viewer.wait(170ms);
    expect_box(viewer.show_next().view.framing, box(-0.975f, 1.05f));
    const auto last = viewer.show_next();
    EXPECT_FALSE(last.view.framing);
    EXPECT_FALSE(last.clip_time.layers);
    ASSERT_EQ(viewer.framings.size(), 5u) << "one for each frame";
    EXPECT_EQ(viewer.framings[2].at_pointer("/fit/max/0").to_number<double>(), 2.0);
    EXPECT_EQ(viewer.framings[4].at_pointer("/fit/max/0").to_number<double>(), 1.0);
    EXPECT_EQ(viewer.framings[4].at("clip"), 1);
}

TEST(PreviewSession, AFadeBeginsAtTheFramingOfTheFadeThatItInterrupts)
{
    FramedViewer viewer;
    viewer.say(R"({"type":"view","clip":"walk"})");
    viewer.show_next();
    viewer.say(R"({"type":"view","clip":"idle","fade":0.4,"fadeCurve":"linear"})");
    viewer.show_next();
    viewer.wait(180ms);
    viewer.say(R"({"type":"view","clip":"walk","fade":0.4})");
    expect_box(viewer.show_next().view.framing, box(-0.5, 2));
    viewer.wait(180ms);
    expect_box(viewer.show_next().view.framing, box(-0.25, 2.5));
}

// Without messages that would not be needed, and without the camera following a joint.
TEST(PreviewSession, LayersKeepTheFramingToWhichTheyFade)
{
    FramedViewer viewer;
    viewer.say(R"({"type":"view","clip":"walk"})");
    viewer.show_next();
    viewer.say(R"({"type":"view","clip":"as_2:run","turn":["head:0,30,0"],"fade":0.4})");
    EXPECT_TRUE(viewer.session.next_scene());
    viewer.session.scene_loaded(viewer.now);
    const auto first = viewer.show_next();
    expect_box(first.view.framing, box(0, 3));
    EXPECT_TRUE(first.measured);
    viewer.wait(400ms);
    expect_box(viewer.show_next().view.framing, box(-5, 5));
    viewer.say(R"({"type":"view","turn":["head:0,60,0"]})");
    expect_box(viewer.show_next().view.framing, box(-5, 5));
    EXPECT_EQ(viewer.framings.size(), 3u);
    viewer.say(R"({"type":"view","layers":["idle*0.5"],"fade":0.4})");
    const auto layered = viewer.show_next();
    EXPECT_FALSE(layered.measured) << "layers over one motion do not change its framing";
    expect_box(layered.view.framing, box(-5, 5));
}

} // namespace vitrine::server

#include "server/services/rendering/render_lanes.hpp"

#include <gmock/gmock.h>

namespace vitrine::server {
namespace {

using ::testing::ElementsAre;
using enum RenderPriority;

DeviceTask still(const std::string& name, std::uint32_t width, RenderPriority priority = picture)
{
    return {.order = {priority, name},
            .work = {},
            .still = std::make_shared<Still>(render::Shot{nullptr, {.width = width, .height = 8}, {}}),
            .done = {}};
}

DeviceTask work(const std::string& name, RenderPriority priority = picture)
{
    return {.order = {priority, name}, .work = [](RenderDevice&) {}, .still = {}, .done = {}};
}

template <class... Tasks>
void push(RenderLanes& lanes, Tasks... tasks)
{
    EXPECT_TRUE((lanes.push(tasks) && ...));
}

std::vector<std::string> names(const std::vector<DeviceTask>& tasks)
{
    std::vector<std::string> all;
    for (const auto& task : tasks)
        all.push_back(task.order.model);
    return all;
}

TEST(RenderLanes, TakeStillsOfASizeTogetherPastOtherWork)
{
    RenderLanes lanes({});
    push(lanes, still("a", 200), work("w"), still("b", 256), still("small", 60), still("c", 129),
         still("later", 256, batch), still("d", 130));
    EXPECT_THAT(names(lanes.take(3)), ElementsAre("a", "b", "c"));
    EXPECT_THAT(names(lanes.take(3)), ElementsAre("w"));
    EXPECT_THAT(names(lanes.take(3)), ElementsAre("small"));
    EXPECT_THAT(names(lanes.take(3)), ElementsAre("d"));
    EXPECT_THAT(names(lanes.take(3)), ElementsAre("later"));
    EXPECT_TRUE(lanes.take(3).empty());
}

TEST(RenderLanes, LeaveAloneWhatFailedAmongOthers)
{
    RenderLanes lanes({});
    auto failed = still("failed", 64), lost = still("lost", 64);
    failed.alone = true;
    lost.losses = 1;
    push(lanes, still("a", 64), std::move(failed), still("b", 64));
    lanes.push_anyway(lost);
    EXPECT_THAT(names(lanes.take(9)), ElementsAre("lost")) << "before all others";
    EXPECT_THAT(names(lanes.take(9)), ElementsAre("a", "b"));
    EXPECT_THAT(names(lanes.take(9)), ElementsAre("failed"));
}

TEST(RenderLanes, KeepTheirLimits)
{
    RenderLanes lanes({.interactive = 1, .picture = 2, .batch = 0});
    auto a = still("a", 9), b = work("b"), c = still("c", 9), d = work("d", batch),
         e = work("e", interactive);
    EXPECT_TRUE(lanes.push(a) && lanes.push(b) && lanes.push(e));
    EXPECT_FALSE(lanes.push(c));
    EXPECT_EQ(c.order.model, "c") << "as it was";
    EXPECT_FALSE(lanes.push(d));
    lanes.push_anyway(d);
    EXPECT_EQ(lanes.size(), 4u);
    EXPECT_THAT(names(lanes.take(1)), ElementsAre("e"));
}

} // namespace
} // namespace vitrine::server

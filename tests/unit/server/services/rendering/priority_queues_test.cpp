#include "server/services/rendering/priority_queues.hpp"

#include <gmock/gmock.h>

namespace vitrine::server {
namespace {

using ::testing::ElementsAre;
using enum RenderPriority;

DeviceTask pending_frame(const std::string& name, std::uint32_t width, RenderPriority priority = image)
{
    return {.request = {priority, name},
            .work = {},
            .pending_frame = std::make_shared<PendingFrame>(
                render::FrameRequest{nullptr, {.width = width, .height = 8}, {}}),
            .done = {}};
}

DeviceTask work(const std::string& name, RenderPriority priority = image)
{
    return {.request = {priority, name}, .work = [](RenderDevice&) {}, .pending_frame = {}, .done = {}};
}

template <class... Tasks>
void push(PriorityQueues& lanes, Tasks... tasks)
{
    EXPECT_TRUE((lanes.push(tasks) && ...));
}

std::vector<std::string> names(const std::vector<DeviceTask>& tasks)
{
    std::vector<std::string> all;
    for (const auto& task : tasks)
        all.push_back(task.request.content_hash);
    return all;
}

TEST(PriorityQueues, BatchStillsOfOneSizePastOtherWork)
{
    PriorityQueues lanes({});
    push(lanes, pending_frame("a", 200), work("w"), pending_frame("b", 256), pending_frame("small", 60),
         pending_frame("c", 129), pending_frame("later", 256, batch), pending_frame("d", 130));
    EXPECT_THAT(names(lanes.take(3)), ElementsAre("a", "b", "c"));
    EXPECT_THAT(names(lanes.take(3)), ElementsAre("w"));
    EXPECT_THAT(names(lanes.take(3)), ElementsAre("small"));
    EXPECT_THAT(names(lanes.take(3)), ElementsAre("d"));
    EXPECT_THAT(names(lanes.take(3)), ElementsAre("later"));
    EXPECT_TRUE(lanes.take(3).empty());
}

TEST(PriorityQueues, RunFailedBatchMembersAlone)
{
    PriorityQueues lanes({});
    auto failed = pending_frame("failed", 64), lost = pending_frame("lost", 64);
    failed.render_separately = true;
    lost.losses = 1;
    push(lanes, pending_frame("a", 64), std::move(failed), pending_frame("b", 64));
    lanes.push_unbounded(lost);
    EXPECT_THAT(names(lanes.take(9)), ElementsAre("lost")) << "before all others";
    EXPECT_THAT(names(lanes.take(9)), ElementsAre("a", "b"));
    EXPECT_THAT(names(lanes.take(9)), ElementsAre("failed"));
}

TEST(PriorityQueues, KeepTheirLimits)
{
    PriorityQueues lanes({.max_queued_interactive = 1, .max_queued_image = 2, .max_queued_batch = 0});
    auto a = pending_frame("a", 9), b = work("b"), c = pending_frame("c", 9), d = work("d", batch),
         e = work("e", interactive);
    EXPECT_TRUE(lanes.push(a) && lanes.push(b) && lanes.push(e));
    EXPECT_FALSE(lanes.push(c));
    EXPECT_EQ(c.request.content_hash, "c") << "as it was";
    EXPECT_FALSE(lanes.push(d));
    lanes.push_unbounded(d);
    EXPECT_EQ(lanes.size(), 4u);
    EXPECT_THAT(names(lanes.take(1)), ElementsAre("e"));
}

} // namespace
} // namespace vitrine::server

#include "server/services/rendering/priority_queues.hpp"

#include <gmock/gmock.h>

namespace vitrine::server {
namespace {

using ::testing::ElementsAre;
using enum RenderPriority;
using namespace std::chrono_literals;

constexpr PriorityQueues::TimePoint start{};

DeviceTask still(const std::string& name, std::uint32_t width, RenderPriority priority = image)
{
    return {.request = {priority, name},
            .work = {},
            .pending = std::make_shared<PendingFrames>(PendingFrames{
                .piece = {.first = 0, .frame_requests = {{nullptr, {.width = width, .height = 8}, {}}}},
                .source = {},
                .frames = {}}),
            .done = {}};
}

DeviceTask work(const std::string& name, RenderPriority priority = image)
{
    return {.request = {priority, name}, .work = [](RenderDevice&) {}, .pending = {}, .done = {}};
}

template <class... Tasks>
void push(PriorityQueues& lanes, Tasks... tasks)
{
    EXPECT_TRUE((lanes.push(tasks, start) && ...));
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
    push(lanes, still("a", 200), work("w"), still("b", 256), still("small", 60), still("c", 129),
         still("later", 256, batch), still("d", 130));
    EXPECT_THAT(names(lanes.take(3, start)), ElementsAre("a", "b", "c"));
    EXPECT_THAT(names(lanes.take(3, start)), ElementsAre("w"));
    EXPECT_THAT(names(lanes.take(3, start)), ElementsAre("small"));
    EXPECT_THAT(names(lanes.take(3, start)), ElementsAre("d"));
    EXPECT_THAT(names(lanes.take(3, start)), ElementsAre("later"));
    EXPECT_TRUE(lanes.take(3, start).empty());
}

TEST(PriorityQueues, RunFailedBatchMembersAlone)
{
    PriorityQueues lanes({});
    auto failed = still("failed", 64), lost = still("lost", 64);
    failed.render_separately = true;
    lost.losses = 1;
    push(lanes, still("a", 64), std::move(failed), still("b", 64));
    lanes.push_unbounded(lost, start);
    EXPECT_THAT(names(lanes.take(9, start)), ElementsAre("lost")) << "before all others";
    EXPECT_THAT(names(lanes.take(9, start)), ElementsAre("a", "b"));
    EXPECT_THAT(names(lanes.take(9, start)), ElementsAre("failed"));
}

// Live views and images without end: the queue of `always` is filled again after each take().
std::size_t turns_of(const std::string& rare, RenderPriority priority, RenderPriority always,
                     std::chrono::milliseconds during)
{
    PriorityQueues lanes({});
    std::size_t turns = 0;
    const auto fill = [&](const std::string& name, RenderPriority kind, PriorityQueues::TimePoint now) {
        auto task = work(name, kind);
        EXPECT_TRUE(lanes.push(task, now));
    };
    for (int i = 0; i < 60; ++i)
        fill(rare, priority, start);
    for (auto now = start; now < start + during; now += 10ms) { // the time of one task
        fill("frame", always, now);
        if (names(lanes.take(1, now)) == std::vector{rare}) ++turns;
    }
    return turns;
}

TEST(PriorityQueues, AreNotStarvedByMoreUrgentWork)
{
    EXPECT_EQ(turns_of("still", image, interactive, 1000ms), 9u) << "one in 100 ms";
    EXPECT_EQ(turns_of("film", batch, interactive, 1000ms), 3u) << "one in 250 ms";
    EXPECT_EQ(turns_of("film", batch, image, 1000ms), 3u);
}

TEST(PriorityQueues, OrderOverdueWork)
{
    PriorityQueues lanes({});
    push(lanes, work("film", batch), still("a", 64), work("view", interactive));
    const auto later = start + max_batch_wait;
    const auto next = [&](auto now) { return lanes.next(now)->request.content_hash; };
    EXPECT_EQ(next(start), "view");
    EXPECT_EQ(next(start + max_image_wait - 1ms), "view");
    EXPECT_EQ(next(start + max_image_wait), "a");
    EXPECT_EQ(next(later), "film");
    EXPECT_THAT(names(lanes.take(1, later)), ElementsAre("film"));
    EXPECT_THAT(names(lanes.take(1, later)), ElementsAre("a"));
    EXPECT_THAT(names(lanes.take(1, later)), ElementsAre("view"));
}

TEST(PriorityQueues, KeepTheirLimits)
{
    PriorityQueues lanes({.max_queued_interactive = 1, .max_queued_image = 2, .max_queued_batch = 0});
    auto a = still("a", 9), b = work("b"), c = still("c", 9), d = work("d", batch),
         e = work("e", interactive);
    EXPECT_TRUE(lanes.push(a, start) && lanes.push(b, start) && lanes.push(e, start));
    EXPECT_FALSE(lanes.push(c, start));
    EXPECT_EQ(c.request.content_hash, "c") << "as it was";
    EXPECT_FALSE(lanes.push(d, start));
    lanes.push_unbounded(d, start);
    EXPECT_EQ(lanes.size(), 4u);
    EXPECT_THAT(names(lanes.take(1, start)), ElementsAre("e"));
}

TEST(TraceOfTasks, IsThatOfAllOfThem)
{
    std::vector<DeviceTask> tasks;
    const auto add_with = [&](const std::string& trace) {
        const TraceScope scope(trace);
        tasks.push_back(still("model", 8));
    };
    const std::string one(32, 'a'), other(32, 'b');
    add_with(one);
    add_with(one);
    EXPECT_EQ(trace_of(tasks), one);
    add_with(other);
    EXPECT_EQ(trace_of(tasks), "");
}

} // namespace
} // namespace vitrine::server

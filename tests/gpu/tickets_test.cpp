// Images that are submitted and collected later equal those that are rendered at once.
#include <array>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"

namespace vitrine::test {
namespace {

using render::FrameRequest;

class GpuTickets : public Gpu {
protected:
    static void expect_equal(const std::vector<render::Frame>& frames,
                             const std::vector<FrameRequest>& frame_requests)
    {
        ASSERT_EQ(frames.size(), frame_requests.size());
        for (std::size_t i = 0; i < frames.size(); ++i) {
            const auto& [scene, view, clip_time] = frame_requests[i];
            const auto single = picture(scene, view, clip_time);
            EXPECT_TRUE(frames[i].pixels == single.pixels) << i;
            EXPECT_EQ(frames[i].bounds.max, single.bounds.max) << i;
        }
    }
};

TEST_F(GpuTickets, EqualImagesRenderedAtOnce)
{
    std::vector<std::shared_ptr<render::FrameTicket>> tickets;
    for (std::uint32_t number = 0; number < 7; ++number) // more than are in flight at once
        tickets.push_back(renderer().submit(requests(number)));
    const auto before = renderer().work_time();
    std::chrono::nanoseconds work{};
    for (std::uint32_t number = 0; number < 7; ++number) {
        auto& ticket = *tickets[number];
        ticket.wait();
        const auto frames = ticket.collect();
        EXPECT_GT(ticket.work_time().count(), 0);
        work += ticket.work_time();
        expect_equal(frames, requests(number));
    }
    EXPECT_GE(renderer().work_time(), before);
    EXPECT_GE(renderer().work_time(), work);
}

TEST_F(GpuTickets, StayValidDuringOtherCalls)
{
    const auto first = renderer().submit(requests(2)), second = renderer().submit(requests(3));
    const auto scene = share(mixture());
    const render::ClipTime clip_time{0, 0.3};
    const auto bounds = renderer().bounds(scene, {&clip_time, 1});
    EXPECT_THROW(renderer().submit(std::array{FrameRequest{scene, {.width = 0, .height = 4}, {}}}),
                 render::RenderError);
    EXPECT_THROW(renderer().submit(std::array{FrameRequest{scene, {.width = 9, .height = 9}, {7, 0.0}}}),
                 render::RenderError)
        << "the scene has no such clip";
    const auto live = picture(scene, {.width = 40, .height = 40}, clip_time);
    EXPECT_EQ(live.bounds.max, bounds[0].max);
    expect_equal(second->collect(), requests(3));
    expect_equal(first->collect(), requests(2));
}

TEST_F(GpuTickets, NeedNotBeCollected)
{
    for (std::uint32_t number = 0; number < 5; ++number)
        renderer().submit(requests(number));
    expect_equal(renderer().submit(requests(1))->collect(), requests(1));
    {
        render::Renderer other(tested());
        other.submit(requests(3));
    }
}

} // namespace
} // namespace vitrine::test

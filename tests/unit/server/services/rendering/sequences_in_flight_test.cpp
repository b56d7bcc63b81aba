// Pieces of sequences that the device works on while the render thread submits the next ones.
#include <future>
#include <numeric>

#include <gmock/gmock.h>

#include "tests/unit/server/services/rendering/slow_gpu.hpp"

namespace vitrine::server::testing {
namespace {

using enum RenderPriority;
using namespace std::chrono_literals;
using ::testing::ElementsAre;

class SequencesInFlight : public SlowGpuTest {
protected:
    static constexpr std::uint32_t first_width = 33;

    // Draws a sequence on a thread of its own. Returns the widths of the images as they arrive, which differ.
    std::future<std::vector<std::uint32_t>> sequence(std::uint32_t count)
    {
        return std::async(std::launch::async, [this, count] {
            std::vector<render::FrameRequest> requests;
            for (std::uint32_t i = 0; i < count; ++i)
                requests.push_back({nullptr, {.width = first_width + i, .height = 4}, {}});
            std::vector<std::uint32_t> widths;
            const auto drawn =
                render_frame_sequence(*pool, requests, {batch, "model"},
                                      [&](const render::Frame& frame) { widths.push_back(frame.width); });
            if (!drawn) error = drawn.error().code;
            return widths;
        });
    }
    void wait_for_batches(std::size_t count)
    {
        ASSERT_TRUE(test::eventually([&] { return gpu.batches() == count; })) << gpu.batches();
    }
    // Permits batches until the sequence is complete.
    std::vector<std::uint32_t> finished(std::future<std::vector<std::uint32_t>>& widths)
    {
        gpu.permit(1000);
        return widths.get();
    }
    static std::vector<std::uint32_t> in_order(std::uint32_t count)
    {
        std::vector<std::uint32_t> widths(count);
        std::iota(widths.begin(), widths.end(), first_width);
        return widths;
    }

    std::string error; // of a sequence that has ended
};

TEST_F(SequencesInFlight, HaveTheirNextPieceSubmittedBeforeThePreviousIsFinished)
{
    auto widths = sequence(40);
    wait_for_batches(1);
    EXPECT_TRUE(test::eventually([&] { return metrics.device(0).queue.Value() == 1.0; }));
    EXPECT_EQ(gpu.batches(), 1u) << "the cost of an image is unknown";
    gpu.permit(1);
    wait_for_batches(3);
    gpu.permit(1);
    wait_for_batches(4);
    EXPECT_EQ(finished(widths), in_order(40));
    EXPECT_THAT(std::vector(gpu.submitted.begin(), gpu.submitted.begin() + 3), ElementsAre(1u, 4u, 4u));
    EXPECT_EQ(gpu.single_images, 0u);
}

TEST_F(SequencesInFlight, ShareTheDeviceWithStills)
{
    auto widths = sequence(40);
    wait_for_batches(1);
    auto still = pool->request_frame({image, "another"}, {nullptr, {.width = 9, .height = 4}, {}}).value();
    wait_for_batches(2);
    gpu.permit(2);
    EXPECT_EQ(still.get().width, 9u);
    EXPECT_EQ(finished(widths), in_order(40));
}

TEST_F(SequencesInFlight, DelayAStillByAtMostTwoPieces)
{
    gpu.work = 300ms;
    auto widths = sequence(5);
    wait_for_batches(1);
    gpu.permit(1);
    wait_for_batches(2);
    EXPECT_TRUE(test::eventually([&] { return metrics.device(0).queue.Value() == 1.0; }));
    EXPECT_EQ(gpu.batches(), 2u) << "one takes longer than a piece may";
    EXPECT_EQ(finished(widths), in_order(5));
    EXPECT_EQ(gpu.batches(), 5u);
}

TEST_F(SequencesInFlight, AreRepeatedImageByImageAfterALoss)
{
    auto widths = sequence(40);
    wait_for_batches(1);
    gpu.permit(1);
    wait_for_batches(3);
    {
        const std::lock_guard lock(gpu.mutex);
        gpu.is_lost = true;
    }
    gpu.changed.notify_all();
    EXPECT_TRUE(test::eventually([&] {
        const std::lock_guard lock(gpu.mutex);
        return gpu.single_images == 8;
    })) << "both pieces in flight";
    EXPECT_EQ(finished(widths), in_order(40));
    EXPECT_EQ(pool->health().losses, 1u);
}

TEST_F(SequencesInFlight, AreDrawnImageByImageIfTheirPieceWasTooLarge)
{
    gpu.most_images = 3;
    auto widths = sequence(9);
    wait_for_batches(1);
    EXPECT_EQ(finished(widths), in_order(9));
    EXPECT_GE(gpu.single_images, 4u);
}

TEST_F(SequencesInFlight, EndWithTheirFirstError)
{
    gpu.poison = first_width;
    EXPECT_TRUE(sequence(40).get().empty());
    EXPECT_EQ(error, "render_quarantined");
    pool->stop();
    EXPECT_EQ(gpu.batches(), 0u) << "no other piece is drawn";
}

} // namespace
} // namespace vitrine::server::testing

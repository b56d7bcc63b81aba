// Replies with frames: pixels in place, and what the server does not accept.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/server/render_process/simulated_process.hpp"

namespace vitrine::render_process {
namespace {

// Where the device has written them, in any order.
TEST(FrameReceiver, ReadsPixelsInPlace)
{
    for (const std::uint64_t limit : {std::uint64_t{1} << 30, std::uint64_t{0}}) {
        SimulatedProcess process;
        FrameReceiver receiver(limit, process.calls());
        const std::vector<FrameSize> sizes{{128, 128}, {100, 60}};
        auto piece = receiver.prepare(sizes);
        const auto memory = process.bytes_of(piece->id);
        const Frames reply{{{128, 128, {}, {}, 1}, {100, 60, {}, {}, 1}}, {24'320, 256}, 0};
        ASSERT_EQ(find_fault(reply, sizes, piece->size()), nullptr);
        std::ranges::fill(memory.subspan(24'320, 128 * 128 * 4), std::byte{7});
        std::ranges::fill(memory.subspan(256, 100 * 60 * 4), std::byte{8});
        std::vector<render::Frame> frames;
        receiver.read(reply, std::move(piece), frames);
        EXPECT_TRUE(shows(frames[0], 7));
        EXPECT_TRUE(shows(frames[1], 8));
        EXPECT_EQ(frames[0].pixels.is_shared(), limit != 0);
    }
}

TEST(FrameReceiver, FindsFaultsOfReplies)
{
    const std::vector<FrameSize> sizes{{8, 9}};
    const FrameHead right{8, 9, {}, {}, 1}, wide{9, 9, {}, {}, 1};
    const auto fault = [&](std::vector<FrameHead> heads, std::vector<std::uint64_t> offsets = {}) {
        const auto* found = find_fault({std::move(heads), std::move(offsets), 0}, sizes, 400);
        return std::string(found != nullptr ? found : "");
    };
    EXPECT_EQ(fault({right}), "");
    EXPECT_THAT(fault({right, right}), testing::HasSubstr("number of frames"));
    EXPECT_THAT(fault({wide}), testing::HasSubstr("invalid frame"));
    EXPECT_EQ(fault({right}, {400 - 8 * 9 * 4}), "");
    EXPECT_THAT(fault({right}, {0, 0}), testing::HasSubstr("number of offsets"));
    EXPECT_THAT(fault({right}, {400 - 8 * 9 * 4 + 1}), testing::HasSubstr("outside the memory"));
    EXPECT_THAT(fault({right}, {UINT64_MAX}), testing::HasSubstr("outside the memory"));
}

} // namespace
} // namespace vitrine::render_process

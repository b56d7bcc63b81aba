// The memory through which pixels arrive from a render process, which is simulated.
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/server/render_process/simulated_process.hpp"

namespace vitrine::render_process {
namespace {

constexpr std::uint64_t no_limit = 1u << 30;
constexpr std::uint64_t one_file = 200u << 10; // of one frame of 128 x 128; less than two such files

int mapped_files()
{
    std::ifstream maps("/proc/self/maps");
    std::string line;
    int count = 0;
    while (std::getline(maps, line))
        count += line.contains("vitrine frames") ? 1 : 0;
    return count;
}

TEST(FrameReceiver, GivesFramesTheMemoryOfTheProcess)
{
    SimulatedProcess process;
    FrameReceiver receiver(no_limit, process.calls());
    const auto frames = process.draw(receiver, {{128, 128}, {100, 60}}, 7);
    ASSERT_EQ(frames.size(), 2u);
    EXPECT_TRUE(shows(frames[0], 7));
    EXPECT_TRUE(shows(frames[1], 8));
    EXPECT_EQ(frames[1].width, 100u);
    EXPECT_EQ(frames[1].render_us, 5u);
    EXPECT_TRUE(frames[0].pixels.may_change());
    process.bytes_of(process.last())[0] = std::byte{200};
    EXPECT_EQ(frames[0].pixels[0], 200) << "it is not a copy";
    auto copy = frames[1];
    copy.pixels.own()[0] = 9;
    EXPECT_FALSE(copy.pixels.may_change());
    EXPECT_TRUE(shows(frames[1], 8)) << "changes are made to a copy";
}

TEST(FrameReceiver, CopiesFewBytes)
{
    SimulatedProcess process;
    FrameReceiver receiver(no_limit, process.calls());
    const auto frames = process.draw(receiver, {{64, 64}, {8, 8}});
    EXPECT_FALSE(frames[0].pixels.is_shared());
    EXPECT_TRUE(shows(frames[0], 1));
    EXPECT_TRUE(shows(frames[1], 2));
    process.draw(receiver, {{64, 64}}, 9);
    EXPECT_EQ(process.files(), 1u) << "it is free at once";
    EXPECT_TRUE(shows(frames[0], 1));
}

TEST(FrameReceiver, FillsAFileAgainAfterItsLastFrame)
{
    SimulatedProcess process;
    FrameReceiver receiver(no_limit, process.calls());
    auto frames = process.draw(receiver, {{128, 128}, {128, 128}});
    const auto first = process.last();
    frames.pop_back();
    auto others = process.draw(receiver, {{128, 128}, {128, 128}}, 11);
    EXPECT_NE(process.last(), first) << "a frame uses it";
    EXPECT_TRUE(shows(frames[0], 1));
    frames.clear();
    frames = process.draw(receiver, {{128, 128}, {128, 128}}, 21);
    EXPECT_EQ(process.last(), first);
    EXPECT_TRUE(shows(frames[1], 22));
    EXPECT_TRUE(shows(others[1], 12));
    EXPECT_EQ(process.files(), 2u);
}

// A slow encoder stops no other draw.
TEST(FrameReceiver, CopiesWhileTheLimitIsReached)
{
    SimulatedProcess process;
    FrameReceiver receiver(one_file, process.calls());
    std::vector<std::vector<render::Frame>> held;
    for (std::uint8_t i = 1; i <= 40; ++i) {
        held.push_back(process.draw(receiver, {{128, 128}}, i));
        EXPECT_EQ(held.back()[0].pixels.is_shared(), i == 1) << int{i};
    }
    EXPECT_LE(process.files(), 2u);
    for (std::uint8_t i = 1; i <= 40; ++i)
        EXPECT_TRUE(shows(held[i - 1u][0], i)) << int{i};
    held.clear();
    EXPECT_TRUE(process.draw(receiver, {{128, 128}})[0].pixels.is_shared()) << "from now on again";
}

TEST(FrameReceiver, LimitsAllItsFiles)
{
    constexpr std::uint64_t limit = 4u << 20;
    SimulatedProcess process;
    FrameReceiver receiver(limit, process.calls());
    for (const std::uint32_t side : {128u, 700u, 256u, 900u, 512u, 64u, 900u, 128u, 700u}) {
        const auto frames = process.draw(receiver, {{side, side}});
        EXPECT_TRUE(shows(frames[0], 1));
        EXPECT_LE(process.mapped_bytes(), limit) << side;
    }
    EXPECT_GT(process.passed_bytes(), limit) << "older ones were released";
    const auto frames = process.draw(receiver, {{600, 600}});
    receiver.shrink();
    EXPECT_EQ(process.files(), 1u) << "which a frame uses";
    EXPECT_TRUE(shows(frames[0], 1));
}

// As a live view does.
TEST(FrameReceiver, ReusesTheFramesOfTheCaller)
{
    SimulatedProcess process;
    FrameReceiver receiver(no_limit, process.calls());
    std::vector<render::Frame> frames;
    for (std::uint8_t i = 1; i < 10; ++i) {
        const bool is_small = i % 3 == 0;
        const auto side = is_small ? 20u : 128u;
        process.draw(receiver, {{side, side}}, i, frames);
        EXPECT_TRUE(shows(frames[0], i)) << int{i};
        EXPECT_EQ(frames[0].pixels.is_shared(), !is_small);
    }
    EXPECT_LE(process.files(), 3u);
}

TEST(FrameReceiver, PassesMoreThanOneFileInPieces)
{
    SimulatedProcess process;
    FrameReceiver receiver(no_limit, process.calls());
    const std::vector<FrameSize> sizes(20, {1024, 1000}); // 16.4 of them fit into a file
    auto frames = process.draw(receiver, sizes);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        EXPECT_TRUE(shows(frames[i], static_cast<std::uint8_t>(i + 1))) << i;
        EXPECT_EQ(frames[i].pixels.is_shared(), i != 16) << i << ": only what lies in both is a copy";
    }
    EXPECT_EQ(process.files(), 2u);
    frames.clear();
    frames = process.draw(receiver, {{4096, 4096}, {4096, 4097}, {300, 300}});
    EXPECT_TRUE(frames[0].pixels.is_shared()) << "as large as a file";
    EXPECT_FALSE(frames[1].pixels.is_shared()) << "larger";
    for (std::size_t i = 0; i < frames.size(); ++i)
        EXPECT_TRUE(shows(frames[i], static_cast<std::uint8_t>(i + 1))) << i;
}

TEST(FrameReceiver, CopiesPiecesThroughOneFileAtTheLimit)
{
    SimulatedProcess process;
    FrameReceiver receiver(0, process.calls());
    const auto frames = process.draw(receiver, std::vector<FrameSize>(20, {1024, 1000}));
    for (std::size_t i = 0; i < frames.size(); ++i)
        EXPECT_TRUE(shows(frames[i], static_cast<std::uint8_t>(i + 1)) && !frames[i].pixels.is_shared()) << i;
    EXPECT_LE(process.mapped_bytes(), FrameReceiver::max_piece_bytes);
}

// The process is killed, and another one replaces it, while encoders work.
TEST(FrameReceiver, IsOutlivedByItsFrames)
{
    const auto before = mapped_files();
    std::vector<render::Frame> frames;
    {
        SimulatedProcess process;
        FrameReceiver receiver(no_limit, process.calls());
        frames = process.draw(receiver, {{128, 128}, {128, 128}});
        process.draw(receiver, {{128, 128}});
        process.fails = true;
        EXPECT_THROW(process.draw(receiver, std::vector<FrameSize>(17, {1024, 1000})), std::runtime_error);
    }
    EXPECT_EQ(mapped_files(), before + 1) << "the memory that frames use";
    EXPECT_TRUE(shows(frames[0], 1));
    SimulatedProcess process;
    FrameReceiver receiver(no_limit, process.calls());
    EXPECT_TRUE(shows(process.draw(receiver, {{128, 128}}, 3)[0], 3));
    receiver.shrink();
    EXPECT_TRUE(shows(frames[1], 2));
    std::thread([&] { frames.clear(); }).join();
    EXPECT_EQ(mapped_files(), before);
}

TEST(FrameReceiver, GoesOnAfterAFailedReply)
{
    SimulatedProcess process;
    FrameReceiver receiver(no_limit, process.calls());
    const auto first = receiver.prepare(std::vector<FrameSize>{{128, 128}})->id;
    EXPECT_TRUE(shows(process.draw(receiver, {{128, 128}})[0], 1));
    EXPECT_EQ(process.last(), first) << "the memory of a reply that did not come is free";
}

// The device's thread draws while encoders end frames, and drops the receiver before they have ended.
namespace {

// Threads that compare frames with the value that each shows, and end them.
class ComparingThreads {
public:
    ComparingThreads()
    {
        for (int i = 0; i < 3; ++i)
            threads_.emplace_back([this] { run(); });
    }
    void add(render::Frame frame, std::uint8_t value)
    {
        const std::lock_guard lock(mutex_);
        queue_.emplace_back(std::move(frame), value);
        changed_.notify_one();
    }
    // Returns the number of frames that showed another value.
    int finish()
    {
        {
            const std::lock_guard lock(mutex_);
            ended_ = true;
            changed_.notify_all();
        }
        for (auto& thread : threads_)
            thread.join();
        return wrong_;
    }

private:
    void run()
    {
        for (;;) {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return ended_ || !queue_.empty(); });
            if (queue_.empty()) return;
            const auto [frame, value] = std::move(queue_.front());
            queue_.pop_front();
            lock.unlock();
            const bool is_right = shows(frame, value);
            lock.lock();
            wrong_ += is_right ? 0 : 1;
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::pair<render::Frame, std::uint8_t>> queue_;
    bool ended_ = false;
    int wrong_ = 0;
    std::vector<std::thread> threads_;
};

} // namespace

TEST(FrameReceiver, AllowsFramesToEndOnOtherThreads)
{
    const auto before = mapped_files();
    ComparingThreads threads;
    {
        SimulatedProcess process;
        FrameReceiver receiver(1u << 20, process.calls());
        for (int i = 0; i < 300; ++i) {
            const auto first = static_cast<std::uint8_t>(i % 200);
            auto frames = process.draw(receiver, {{128, 128}, {130, 128}, {16, 16}}, first);
            for (std::size_t k = 0; k < frames.size(); ++k)
                threads.add(std::move(frames[k]), static_cast<std::uint8_t>(first + k));
        }
        EXPECT_LE(process.mapped_bytes(), 2u << 20);
    }
    EXPECT_EQ(threads.finish(), 0);
    EXPECT_EQ(mapped_files(), before);
}

} // namespace
} // namespace vitrine::render_process

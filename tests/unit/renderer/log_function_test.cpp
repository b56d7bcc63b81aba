#include <atomic>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "vk_renderer/base/options.hpp"

namespace vitrine::render {
namespace {

// The pipelines of a renderer are created on several threads, each of which may report a message.
TEST(LogFunctions, ReceiveOneMessageAtATime)
{
    constexpr int threads = 4, lines = 200;
    std::atomic<int> inside = 0, overlaps = 0;
    std::vector<std::string> received;
    const auto log = serialized([&](const std::string& line) {
        if (++inside > 1) ++overlaps;
        received.push_back(line);
        std::this_thread::yield();
        --inside;
    });
    std::latch all(threads);
    std::vector<std::jthread> running;
    for (int i = 0; i < threads; ++i)
        running.emplace_back([&] {
            all.arrive_and_wait();
            for (int line = 0; line < lines; ++line)
                log(std::to_string(line));
        });
    running.clear();
    EXPECT_EQ(overlaps, 0);
    EXPECT_EQ(received.size(), std::size_t{threads} * lines);
}

TEST(LogFunctions, StayEmpty)
{
    EXPECT_FALSE(serialized({}));
}

} // namespace
} // namespace vitrine::render

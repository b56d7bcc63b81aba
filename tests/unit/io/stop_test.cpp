#include "loaders/base/stop.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace vitrine {
namespace {

TEST(StopScopes, StopTheirThreadOnly)
{
    std::stop_source source;
    EXPECT_NO_THROW(check_stop()) << "without a scope";
    const StopScope scope(source.get_token());
    EXPECT_NO_THROW(check_stop());
    source.request_stop();
    EXPECT_THROW(check_stop(), Stopped);
    EXPECT_TRUE(thread_stop_token().stop_requested());
    std::jthread([] { EXPECT_NO_THROW(check_stop()); });
}

TEST(StopScopes, Nest)
{
    std::stop_source outer;
    {
        const StopScope scope(outer.get_token());
        outer.request_stop();
        {
            const StopScope inner((std::stop_token()));
            EXPECT_NO_THROW(check_stop());
        }
        EXPECT_THROW(check_stop(), Stopped);
    }
    EXPECT_NO_THROW(check_stop());
    EXPECT_FALSE(thread_stop_token().stop_possible());
}

} // namespace
} // namespace vitrine

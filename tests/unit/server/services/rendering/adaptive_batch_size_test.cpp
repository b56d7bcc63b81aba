#include "server/services/rendering/adaptive_batch_size.hpp"

#include <gtest/gtest.h>

namespace vitrine::server {
namespace {

using std::chrono::milliseconds;

TEST(AdaptiveBatchSize, FollowsTheTimePerImage)
{
    AdaptiveBatchSize size;
    EXPECT_EQ(size.next(interactive_budget), 2u);
    size.measured(2, milliseconds(8));
    EXPECT_EQ(size.next(interactive_budget), 5u);
    size.measured(5, milliseconds(5));
    EXPECT_EQ(size.next(interactive_budget), interactive_budget.images);
    size.measured(16, milliseconds(160));
    EXPECT_EQ(size.next(interactive_budget), 2u);
    size.measured(2, milliseconds(300));
    EXPECT_EQ(size.next(interactive_budget), 1u) << "one at least";
}

TEST(AdaptiveBatchSize, GrowsAtMostFourfold)
{
    AdaptiveBatchSize size;
    size.measured(1, milliseconds(0));
    EXPECT_EQ(size.next(interactive_budget), 4u);
    EXPECT_EQ(size.next(background_budget), 4u);
    size.measured(0, milliseconds(0));
    EXPECT_EQ(size.next(interactive_budget), 4u);
}

TEST(AdaptiveBatchSize, IsTheWholeSequenceWithoutOtherRequests)
{
    AdaptiveBatchSize size;
    EXPECT_EQ(size.next(background_budget), 1u) << "unknown cost";
    size.expect(milliseconds(2));
    EXPECT_EQ(size.next(background_budget), 125u);
    EXPECT_EQ(size.next(interactive_budget), 10u);
    size.expect(milliseconds(900));
    EXPECT_EQ(size.next(background_budget), 125u) << "the first that is known";
    size.measured(10, milliseconds(9000));
    EXPECT_EQ(size.next(background_budget), 1u);
}

TEST(AdaptiveBatchSize, IsLimited)
{
    AdaptiveBatchSize size;
    size.expect(std::chrono::nanoseconds(0));
    EXPECT_EQ(size.next(background_budget), background_budget.images);
}

} // namespace
} // namespace vitrine::server

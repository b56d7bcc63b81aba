#include "server/util/byte_budget.hpp"

#include <optional>

#include <gtest/gtest.h>
#include <prometheus/gauge.h>

namespace vitrine::server {
namespace {

class ByteBudgetTest : public ::testing::Test {
protected:
    prometheus::Gauge gauge;
    std::shared_ptr<ByteBudget> budget = std::make_shared<ByteBudget>(100, gauge);
};

TEST_F(ByteBudgetTest, GivesWhatItHas)
{
    {
        ByteReservation first(budget), second(budget);
        EXPECT_TRUE(first.grow_to(60));
        EXPECT_TRUE(first.grow_to(50)) << "it has more";
        EXPECT_FALSE(second.grow_to(41));
        EXPECT_TRUE(second.grow_to(40));
        EXPECT_EQ(gauge.Value(), 100.0);
        EXPECT_FALSE(first.grow_to(UINT64_MAX));
    }
    EXPECT_EQ(gauge.Value(), 0.0);
}

TEST_F(ByteBudgetTest, GivesMoreToTheOnlyOne)
{
    std::optional<ByteReservation> large(budget);
    EXPECT_FALSE(large->grow_to(150));
    EXPECT_TRUE(large->grow_alone_to(150));
    EXPECT_TRUE(large->grow_alone_to(170)) << "its own bytes do not count against it";
    ByteReservation other(budget);
    EXPECT_FALSE(other.grow_alone_to(1));
    large.reset();
    EXPECT_TRUE(other.grow_alone_to(90));
    ByteReservation third(budget);
    EXPECT_FALSE(third.grow_alone_to(150));
    EXPECT_EQ(gauge.Value(), 90.0);
}

} // namespace
} // namespace vitrine::server

#include "server/services/vectors/picture_walk.hpp"

#include <set>

#include <gtest/gtest.h>

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

class PictureWalkTest : public ::testing::Test {
protected:
    PictureWalk walk{1s};
    PictureWalk::Time start{PictureWalk::Time::clock::now()};

    PictureWalk::Work next(std::chrono::milliseconds after, std::int64_t last = 5'000)
    {
        return walk.next(start + after, [last] { return last; });
    }
};

TEST_F(PictureWalkTest, AllPartsOnceAnHour)
{
    std::set<std::int64_t> firsts;
    for (int i = 0; i < 3; ++i)
        firsts.insert(next(0s).parts.at(0).first);
    EXPECT_EQ(firsts, (std::set<std::int64_t>{1, 2'001, 4'001}));
    EXPECT_TRUE(next(1s).parts.empty());
    EXPECT_EQ(walk.next_time(), start + PictureWalk::interval);
    EXPECT_EQ(next(PictureWalk::interval).parts.size(), 1u);
    EXPECT_FALSE(next(3 * PictureWalk::interval, 0).parts.empty()) << "parts of the last walk are left";
}

TEST_F(PictureWalkTest, AnEmptyCatalogHasNoParts)
{
    EXPECT_TRUE(next(0s, 0).parts.empty());
}

TEST_F(PictureWalkTest, ThoseThatAreWantedComeFirst)
{
    (void)next(0s);
    walk.want({"a", 2});
    EXPECT_EQ(walk.next_time(), PictureWalk::Time{});
    const auto work = next(0s);
    ASSERT_EQ(work.owners.size(), 1u);
    EXPECT_EQ(work.owners[0].asset, "a");
    EXPECT_TRUE(work.parts.empty());
}

TEST_F(PictureWalkTest, MoreThanTheLimitAreFoundByAWalk)
{
    while (!next(0s).parts.empty()) {
    }
    for (std::size_t i = 0; i <= PictureWalk::max_wanted; ++i)
        walk.want({"a", 1});
    std::size_t wanted = 0;
    auto work = next(1s);
    for (; !work.owners.empty(); work = next(1s))
        wanted += work.owners.size();
    EXPECT_EQ(wanted, PictureWalk::max_wanted);
    EXPECT_EQ(work.parts.size(), 1u);
}

TEST_F(PictureWalkTest, FailuresPauseLongerAndLonger)
{
    walk.want({"a", 1});
    auto work = next(0s);
    walk.fail(start, work);
    EXPECT_EQ(walk.next_time(), start + 1s);
    EXPECT_TRUE(next(999ms).owners.empty());
    work = next(1s);
    ASSERT_EQ(work.owners.size(), 1u) << "it is not lost";
    walk.fail(start + 1s, work);
    EXPECT_EQ(walk.next_time(), start + 3s);
    for (int i = 0; i < 30; ++i)
        walk.fail(start, {});
    EXPECT_EQ(walk.next_time(), start + PictureWalk::max_pause);
    walk.succeed();
    walk.fail(start, {});
    EXPECT_EQ(walk.next_time(), start + 1s);
}

} // namespace
} // namespace vitrine::server

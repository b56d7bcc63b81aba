#include "server/services/piece_size.hpp"

#include <gtest/gtest.h>

namespace vitrine::server {
namespace {

using std::chrono::milliseconds;

TEST(PieceSize, FollowsWhatPicturesTake)
{
    PieceSize size;
    EXPECT_EQ(size.next(), 2u);
    size.measured(2, milliseconds(8));
    EXPECT_EQ(size.next(), 5u);
    size.measured(5, milliseconds(5));
    EXPECT_EQ(size.next(), PieceSize::largest);
    size.measured(16, milliseconds(160));
    EXPECT_EQ(size.next(), 2u);
    size.measured(2, milliseconds(300));
    EXPECT_EQ(size.next(), 1u) << "one at least";
}

TEST(PieceSize, GrowsByStepsFromAFewPictures)
{
    PieceSize size;
    size.measured(1, milliseconds(0));
    EXPECT_EQ(size.next(), 4u);
    size.measured(0, milliseconds(0));
    EXPECT_EQ(size.next(), 4u);
}

} // namespace
} // namespace vitrine::server

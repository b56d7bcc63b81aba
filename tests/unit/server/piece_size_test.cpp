#include "server/services/rendering/piece_size.hpp"

#include <gtest/gtest.h>

namespace vitrine::server {
namespace {

using std::chrono::milliseconds;

TEST(PieceSize, FollowsWhatPicturesTake)
{
    PieceSize size;
    EXPECT_EQ(size.next(watched_piece), 2u);
    size.measured(2, milliseconds(8));
    EXPECT_EQ(size.next(watched_piece), 5u);
    size.measured(5, milliseconds(5));
    EXPECT_EQ(size.next(watched_piece), watched_piece.pictures);
    size.measured(16, milliseconds(160));
    EXPECT_EQ(size.next(watched_piece), 2u);
    size.measured(2, milliseconds(300));
    EXPECT_EQ(size.next(watched_piece), 1u) << "one at least";
}

TEST(PieceSize, GrowsByStepsFromAFewPictures)
{
    PieceSize size;
    size.measured(1, milliseconds(0));
    EXPECT_EQ(size.next(watched_piece), 4u);
    EXPECT_EQ(size.next(unwatched_piece), 4u);
    size.measured(0, milliseconds(0));
    EXPECT_EQ(size.next(watched_piece), 4u);
}

TEST(PieceSize, IsAWholeFilmWhereNobodyWaits)
{
    PieceSize size;
    EXPECT_EQ(size.next(unwatched_piece), 1u) << "nobody knows what it takes";
    size.expect(milliseconds(2));
    EXPECT_EQ(size.next(unwatched_piece), 250u);
    EXPECT_EQ(size.next(watched_piece), 10u);
    size.expect(milliseconds(900));
    EXPECT_EQ(size.next(unwatched_piece), 250u) << "the first that is known";
    size.measured(10, milliseconds(9000));
    EXPECT_EQ(size.next(unwatched_piece), 1u);
}

TEST(PieceSize, HasAnEnd)
{
    PieceSize size;
    size.expect(std::chrono::nanoseconds(0));
    EXPECT_EQ(size.next(unwatched_piece), unwatched_piece.pictures);
}

} // namespace
} // namespace vitrine::server

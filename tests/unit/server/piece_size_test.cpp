#include "server/services/piece_size.hpp"

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

TEST(PieceSize, IsAWholeFilmWhereNobodyLooksOn)
{
    EXPECT_EQ(PieceSize(milliseconds(2)).next(unwatched_piece), 125u);
    EXPECT_EQ(PieceSize(milliseconds(2)).next(watched_piece), 2u) << "the first is short";
    EXPECT_EQ(PieceSize(std::chrono::nanoseconds(0)).next(unwatched_piece), unwatched_piece.pictures);
    EXPECT_EQ(PieceSize(milliseconds(900)).next(unwatched_piece), 1u);
}

} // namespace
} // namespace vitrine::server

#include "loaders/io/limits.hpp"

#include <gtest/gtest.h>

namespace vitrine::io {
namespace {

TEST(LimitExceeded, NamesTheQuantityAndTheLimit)
{
    const LoadError error = limit_exceeded_error("line 3", "7 meshes", "vertices", 5).error();
    EXPECT_EQ(error.code, LoadErrc::limit_exceeded);
    EXPECT_EQ(error.where, "line 3");
    EXPECT_EQ(error.detail, "7 meshes: more than the limit vertices = 5");
}

TEST(LimitExceeded, NeedsNoSubject)
{
    EXPECT_EQ(limit_exceeded_error({}, "clips", 0).error().detail, "more than the limit clips = 0");
}

} // namespace
} // namespace vitrine::io

#include "loaders/io/limits.hpp"

#include <gtest/gtest.h>

namespace vitrine::io {
namespace {

TEST(LimitExceeded, NamesTheQuantityAndTheLimit)
{
    const LoadError error = limit_exceeded_error("line 3", "the meshes have more", "vertices", 5).error();
    EXPECT_EQ(error.code, LoadErrc::limit_exceeded);
    EXPECT_EQ(error.where, "line 3");
    EXPECT_EQ(error.detail, "the meshes have more than the limit vertices = 5");
}

TEST(LimitExceeded, NeedsNoSubject)
{
    EXPECT_EQ(limit_exceeded_error({}, "clips", 0).error().detail, "more than the limit clips = 0");
}

} // namespace
} // namespace vitrine::io

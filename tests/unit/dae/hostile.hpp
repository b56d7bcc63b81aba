#pragma once
// Small files whose parts multiply: data read once must not be read again per use. Without the limits each of
// these tests took minutes or exhausted memory.

#include <algorithm>
#include <string>

#include <gmock/gmock.h>

#include "tests/unit/dae/document.hpp"

namespace vitrine::dae::test {

inline std::string repeat(int count, const std::string& text)
{
    std::string out;
    for (int i = 0; i < count; ++i)
        out += text;
    return out;
}

inline std::size_t count_warnings(const scene::Scene& scene, std::string_view code)
{
    return static_cast<std::size_t>(std::ranges::count(scene.warnings, code, &scene::Warning::code));
}

inline void expect_refused(const LoadResult<scene::Scene>& scene, const std::string& detail)
{
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().code, LoadErrc::limit_exceeded);
    EXPECT_THAT(scene.error().detail, testing::HasSubstr(detail));
    EXPECT_THAT(scene.error().where, testing::StartsWith("line "));
}

} // namespace vitrine::dae::test

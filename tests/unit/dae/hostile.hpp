#pragma once
// Small files whose parts multiply: data read once must not be read again per use. Without the limits each of
// these tests took minutes or exhausted memory. What they execute is counted (tests/support/work_count.hpp).

#include <algorithm>
#include <string>

#include <gmock/gmock.h>

#include "tests/support/repeated.hpp"
#include "tests/support/work_count.hpp"
#include "tests/unit/dae/document.hpp"

namespace vitrine::dae::test {

using ::vitrine::test::repeated;

// As load() and loaded(), in a time that the length of the text bounds.
inline LoadResult<scene::Scene> load_soon(const std::string& text, const Limits& limits = {},
                                          std::map<std::string, std::string> files = {})
{
    return vitrine::test::read_in_proportion(text.size(), 150,
                                             [&] { return load(text, limits, std::move(files)); });
}
inline scene::Scene loaded_soon(const std::string& text)
{
    return vitrine::test::valid(load_soon(text));
}

inline std::size_t count_warnings(const scene::Scene& scene, std::string_view code)
{
    return static_cast<std::size_t>(std::ranges::count(scene.warnings, code, &scene::Warning::code));
}

inline void expect_rejected(const LoadResult<scene::Scene>& scene, const std::string& detail)
{
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().code, LoadErrc::limit_exceeded);
    EXPECT_THAT(scene.error().detail, testing::HasSubstr(detail));
    EXPECT_THAT(scene.error().where, testing::StartsWith("line "));
}

} // namespace vitrine::dae::test

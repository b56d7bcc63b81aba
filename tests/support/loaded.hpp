#pragma once
// What holds for the result of every load, and how a test reads it.

#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "loaders/base/error.hpp"
#include "loaders/scene/validation/validate.hpp"

namespace vitrine::test {

// A warning that does not say where cannot be acted on.
inline void expect_places(const scene::Scene& scene)
{
    for (const auto& warning : scene.warnings) {
        EXPECT_NE(warning.code, "");
        EXPECT_NE(warning.message, "") << warning.code;
        EXPECT_NE(warning.where, "") << warning.code << ": " << warning.message;
    }
}

inline void expect_valid(const scene::Scene& scene, std::string_view what = {})
{
    const auto checked = scene::validate(scene);
    EXPECT_TRUE(checked) << checked.error().where << ": " << checked.error().detail << "\n" << what;
    expect_places(scene);
}

// "code at where: sentence"
inline std::string refusal(const LoadResult<scene::Scene>& loaded)
{
    if (loaded) return "loaded";
    const LoadError& error = loaded.error();
    return std::string(to_string(error.code)) + " at " + error.where + ": " + error.detail;
}

// The scene, which must have loaded and must be valid; an empty one where the test has failed.
inline scene::Scene valid(LoadResult<scene::Scene> loaded)
{
    if (!loaded) {
        ADD_FAILURE() << refusal(loaded);
        return {};
    }
    expect_valid(*loaded);
    return *std::move(loaded);
}

// Of the warnings, in order: "code code".
inline std::string codes(const scene::Scene& scene)
{
    std::string all;
    for (const auto& warning : scene.warnings)
        all += (all.empty() ? "" : " ") + warning.code;
    return all;
}

} // namespace vitrine::test

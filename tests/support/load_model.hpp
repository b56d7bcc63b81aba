#pragma once
// Checks that apply to every loaded scene, and helpers to read load results.

#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "loaders/base/error.hpp"
#include "loaders/scene/validation/validate.hpp"

namespace vitrine::test {

// Expects that every warning has a location.
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
inline std::string error_text(const LoadResult<scene::Scene>& loaded)
{
    if (loaded) return "loaded";
    const LoadError& error = loaded.error();
    return std::string(to_string(error.code)) + " at " + error.where + ": " + error.detail;
}

// Returns the scene, which must have loaded and be valid; an empty scene after a failure.
inline scene::Scene valid(LoadResult<scene::Scene> loaded)
{
    if (!loaded) {
        ADD_FAILURE() << error_text(loaded);
        return {};
    }
    expect_valid(*loaded);
    return *std::move(loaded);
}

// The format that the file has, and how many vertices and polygons it stores.
inline void expect_source(const scene::Scene& scene, std::string_view format, std::uint64_t vertices,
                          std::uint64_t polygons)
{
    EXPECT_EQ(scene.format, format);
    EXPECT_EQ(scene.source_vertices, vertices);
    EXPECT_EQ(scene.source_polygons, polygons);
}

// Codes of the warnings in order: "code code".
inline std::string codes(const scene::Scene& scene)
{
    std::string all;
    for (const auto& warning : scene.warnings)
        all += (all.empty() ? "" : " ") + warning.code;
    return all;
}

} // namespace vitrine::test

#pragma once
// What the robustness tests of glTF share: loading that must not crash, and ways to break a document.

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/unit/gltf/builder.hpp"

namespace vitrine::test {

inline Limits small_limits()
{
    Limits limits;
    limits.vertices = limits.indices = limits.influences = limits.key_values = limits.morph_deltas = 100'000;
    limits.image_pixels = limits.total_pixels = 10'000;
    return limits;
}

// Returns whether it loaded. Poses what loads, as everything behind the loader will.
inline bool load_safely(const std::string& name, const std::string& bytes, const Limits& limits)
{
    MemorySource source(name, {{name, bytes}});
    const auto scene = load_gltf(source, limits);
    if (!scene) {
        EXPECT_FALSE(scene.error().detail.empty());
        EXPECT_NE(scene.error().code, LoadErrc::internal);
        EXPECT_EQ(scene.error().detail.find('\n'), std::string::npos);
        return false;
    }
    const auto checked = scene::validate(*scene);
    if (!checked) {
        const bool size = checked.error().code == LoadErrc::limit_exceeded ||
                          checked.error().detail.find("out of the range of a float") != std::string::npos;
        EXPECT_TRUE(size) << checked.error().where << ": " << checked.error().detail;
        return false;
    }
    scene::Pose pose;
    for (std::uint32_t clip = 0; clip < scene->clips.size(); ++clip)
        scene::sample_pose(*scene, clip, 0.5 * scene->clips[clip].duration, pose);
    return true;
}

// Where the numbers of the text are: [begin, end).
inline std::vector<std::pair<std::size_t, std::size_t>> numbers_in(const std::string& text)
{
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t at = 1; at < text.size(); ++at) {
        const bool starts = text[at - 1] == ':' || text[at - 1] == '[' || text[at - 1] == ',';
        const std::size_t end = text.find_first_not_of("-+.eE0123456789", at);
        if (starts && end != at && end != std::string::npos) found.emplace_back(at, end);
    }
    return found;
}

// The GLB with another JSON chunk.
inline std::string with_json(const std::string& glb, std::string json)
{
    const auto u32 = [](std::size_t value) {
        const auto word = static_cast<std::uint32_t>(value);
        return std::string(reinterpret_cast<const char*>(&word), 4);
    };
    std::uint32_t old = 0;
    std::memcpy(&old, glb.data() + 12, 4);
    json.resize((json.size() + 3) / 4 * 4, ' ');
    const std::string rest = glb.substr(20 + old);
    return glb.substr(0, 8) + u32(20 + json.size() + rest.size()) + u32(json.size()) + "JSON" + json + rest;
}

// Every number of the JSON text replaced by others, one at a time.
inline void replace_numbers(const std::string& glb, const std::string& json)
{
    for (const auto& [begin, end] : numbers_in(json))
        for (const char* number : {"-1", "0", "1", "255", "0.5", "65536", "2147483648", "4294967295",
                                   "4294967296", "9007199254740991", "18446744073709551615", "1e30", "1e300",
                                   "-1e38", "null", "\"x\"", "[]", "{}", "true"}) {
            const std::string broken = json.substr(0, begin) + number + json.substr(end);
            load_safely("a.glb", with_json(glb, broken), small_limits());
        }
}

} // namespace vitrine::test

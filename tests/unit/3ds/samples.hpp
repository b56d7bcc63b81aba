#pragma once
// 3DS files from parts: every chunk is a string, nested by concatenation.

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/3ds/3ds.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine::test::threeds {

// Returns the bytes of numbers, consecutive, little-endian.
template <class... Numbers>
std::string raw(Numbers... numbers)
{
    std::string out;
    const auto append = [&](auto number) {
        char bytes[sizeof number];
        std::memcpy(bytes, &number, sizeof number);
        out.append(bytes, sizeof number);
    };
    (append(numbers), ...);
    return out;
}

inline std::string floats(const std::vector<float>& values)
{
    std::string out;
    for (const float value : values)
        out += raw(value);
    return out;
}

inline std::string words(const std::vector<int>& values)
{
    std::string out;
    for (const int value : values)
        out += raw(static_cast<std::uint16_t>(value));
    return out;
}

inline std::string text(std::string_view value)
{
    return std::string(value) + '\0';
}

inline std::string chunk(int id, const std::string& content)
{
    return raw(static_cast<std::uint16_t>(id), static_cast<std::uint32_t>(content.size() + 6)) + content;
}

// Faces are given as corners; every edge is visible.
inline std::string faces(const std::vector<int>& corners, const std::string& inside = {})
{
    std::string out = words({static_cast<int>(corners.size() / 3)});
    for (std::size_t i = 0; i < corners.size(); i += 3)
        out += words({corners[i], corners[i + 1], corners[i + 2], 7});
    return chunk(0x4120, out + inside);
}

inline std::string points(const std::vector<float>& coordinates)
{
    return chunk(0x4110, words({static_cast<int>(coordinates.size() / 3)}) + floats(coordinates));
}

inline std::string object(std::string_view name, const std::string& mesh, const std::string& beside = {})
{
    return chunk(0x4000, text(name) + chunk(0x4100, mesh) + beside);
}

// A triangle in the ground plane of the file (z = 0), seen from above.
inline const std::vector<float> triangle_points = {0, 0, 0, 1, 0, 0, 0, 1, 0};
inline std::string triangle(std::string_view name, const std::string& more = {})
{
    return object(name, points(triangle_points) + faces({0, 1, 2}) + more);
}

struct TestKey {
    int frame = 0;
    std::vector<float> values{};
    int flags = 0; // which spline parameters follow
    std::vector<float> parameters{};
};

inline std::string track(int id, const std::vector<TestKey>& keys, int flags = 0)
{
    std::string out = words({flags, 0, 0, 0, 0}) + raw(static_cast<std::uint32_t>(keys.size()));
    for (const TestKey& key : keys)
        out += raw(static_cast<std::int32_t>(key.frame)) + words({key.flags}) + floats(key.parameters) +
               floats(key.values);
    return chunk(id, out);
}

inline constexpr int no_parent = 0xFFFF;

inline std::string node(int id, std::string_view name, int parent, const std::string& more = {},
                        int kind = 0xB002)
{
    return chunk(kind,
                 chunk(0xB030, words({id})) + chunk(0xB010, text(name) + words({0x4000, 0, parent})) + more);
}

inline std::string position(float x, float y, float z)
{
    return track(0xB020, {{0, {x, y, z}}});
}

// Position 0, no rotation, scale 1 unless given.
inline std::string tracks(const std::string& positions = position(0, 0, 0),
                          const std::string& rotations = track(0xB021, {{0, {0, 0, 0, 0}}}),
                          const std::string& scales = track(0xB022, {{0, {1, 1, 1}}}))
{
    return positions + rotations + scales;
}

inline std::string segment(int first, int last)
{
    return chunk(0xB008, raw(first, last));
}

inline std::string file(const std::string& editor, const std::string& keyframer = {})
{
    const std::string animation = keyframer.empty() ? "" : chunk(0xB000, keyframer);
    return chunk(0x4D4D, chunk(0x0002, raw(std::uint32_t{3})) + chunk(0x3D3D, editor) + animation);
}

inline LoadResult<scene::Scene> load_3ds_bytes(const std::string& bytes,
                                               std::map<std::string, std::string> beside = {},
                                               const Limits& limits = {})
{
    beside["model.3ds"] = bytes;
    MemorySource source("model.3ds", std::move(beside));
    return load_3ds(source, limits);
}

// Returns a valid scene, or fails the test.
inline scene::Scene load_valid(const std::string& bytes)
{
    return valid(load_3ds_bytes(bytes));
}

} // namespace vitrine::test::threeds

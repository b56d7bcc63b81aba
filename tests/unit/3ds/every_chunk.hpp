#pragma once
// One small file with each supported kind of chunk.

#include "tests/unit/3ds/samples.hpp"

namespace vitrine::test::threeds {

inline std::string every_material_chunk()
{
    const auto color = chunk(0x0010, floats({0.2f, 0.4f, 0.6f})) + chunk(0x0011, "\1\2\3");
    const auto half = chunk(0x0030, words({50}));
    const auto map = half + chunk(0xA300, text("A.PNG")) + chunk(0xA351, words({8})) +
                     chunk(0xA354, floats({2})) + chunk(0xA358, floats({0.5f})) + chunk(0xA35C, floats({45}));
    return chunk(0xAFFF, chunk(0xA000, text("m")) + chunk(0xA020, color) +
                             chunk(0xA050, chunk(0x0031, floats({0.5f}))) + chunk(0xA041, half) +
                             chunk(0xA200, map) + chunk(0xA210, map) + chunk(0xA230, map));
}

inline std::string every_object_chunk()
{
    const auto smooth = chunk(0x4130, text("m") + words({2, 0, 1})) + chunk(0x4150, raw(1u, 3u));
    return object("box", points({0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 0, 1}) + faces({0, 1, 2, 1, 3, 2}, smooth) +
                             chunk(0x4140, words({4}) + floats({0, 0, 1, 0, 1, 1, 0, 1})) +
                             chunk(0x4160, floats({-1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0})));
}

inline std::string every_chunk()
{
    const auto moving = track(
        0xB020, {{0, {0, 0, 0}}, {9, {1, 2, 3}, 0x1F, {0.5f, -0.5f, 0.1f, 0.2f, 0.3f}}, {20, {0, 1, 0}}}, 3);
    const auto turning = track(0xB021, {{0, {1, 0, 0, 1}}, {10, {5, 0, 1, 0}}, {20, {1, 1, 0, 0}}}, 2);
    const auto growing = track(0xB022, {{0, {1, 1, 1}}, {20, {2, 2, 2}}});
    const auto hiding = track(0xB029, {{5, {}}, {8, {}}});
    const auto pivot = chunk(0xB013, floats({0, 0, 1}));
    const auto nodes = node(1, "box", 0, pivot + moving + turning + growing + hiding) +
                       node(2, "box", 3, chunk(0xB011, text("two")) + tracks()) +
                       node(0, "$$$DUMMY", no_parent, chunk(0xB011, text("root")) + tracks()) +
                       node(3, "eye", no_parent, moving + track(0xB024, {{0, {0}}, {20, {90}}}), 0xB003) +
                       node(4, "eye", no_parent, position(0, 5, 0), 0xB004);
    const auto header = chunk(0xB00A, words({5}) + text("MAXSCENE") + raw(20));
    return file(every_material_chunk() + every_object_chunk(), header + segment(0, 20) + nodes);
}

} // namespace vitrine::test::threeds

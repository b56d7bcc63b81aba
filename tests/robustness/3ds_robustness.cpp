// Whatever the bytes: load_3ds returns a scene that validate() accepts, or one sentence; soon, within limits.

#include <random>

#include <gtest/gtest.h>

#include "tests/robustness/expect_valid_or_error.hpp"
#include "tests/robustness/hostile.hpp"
#include "tests/unit/3ds/every_chunk.hpp"

using namespace vitrine;
using namespace vitrine::test;
using namespace vitrine::test::threeds;

namespace {

void load(const std::string& bytes)
{
    expect_sane(load_3ds_bytes(bytes));
}

} // namespace

TEST(Robust3ds, SampleItselfLoads)
{
    const auto loaded = load_3ds_bytes(every_chunk());
    ASSERT_TRUE(loaded) << loaded.error().detail;
    EXPECT_EQ(loaded->clips.size(), 1u);
    EXPECT_EQ(loaded->meshes.size(), 1u);
}

TEST(Robust3ds, CutEverywhere)
{
    cut_everywhere(every_chunk(), load);
}

TEST(Robust3ds, ChangedBytes)
{
    change_bytes(every_chunk(), load);
}

TEST(Robust3ds, Scrambled)
{
    scramble(every_chunk(), 3000, load);
}

TEST(Robust3ds, TinyLimits)
{
    for (std::uint64_t n = 0; n < 12; ++n) {
        const auto small = static_cast<std::uint32_t>(n);
        Limits all;
        all.vertices = all.indices = all.key_values = n;
        all.nodes = all.meshes = all.materials = all.images = all.clips = all.depth = small;
        expect_sane(load_3ds_bytes(every_chunk(), {}, all));
        Limits keys;
        keys.key_values = 20 * n;
        expect_sane(load_3ds_bytes(every_chunk(), {}, keys));
    }
}

// Chunks in any order, twice, inside each other where they do not belong, with junk between them.
TEST(Robust3ds, OddOrders)
{
    std::mt19937 random(11);
    const std::string whole = every_chunk();
    const std::vector<std::string> parts{every_material_chunk(),
                                         every_object_chunk(),
                                         triangle("box"),
                                         chunk(0x7777, every_object_chunk()),
                                         chunk(0x3D3D, every_object_chunk()),
                                         chunk(0xB000, node(0, "box", 1, tracks())),
                                         chunk(0xB000, segment(-5, 2'000'000'000)),
                                         chunk(0x0100, floats({0})),
                                         whole.substr(6)};
    for (int round = 0, count = rounds(500); round < count; ++round) {
        std::string inside;
        for (int i = 0; i < 6; ++i) {
            const std::string& part = parts[random() % parts.size()];
            inside += random() % 4 == 0 ? chunk(0x3D3D, part) : part;
        }
        load(chunk(0x4D4D, inside));
        load(file(inside, inside));
    }
}

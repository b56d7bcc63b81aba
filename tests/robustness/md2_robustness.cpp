// Whatever the bytes: load_md2 returns a scene that validate() accepts, or one sentence; soon, within limits.

#include <gtest/gtest.h>

#include "tests/robustness/expect_valid_or_error.hpp"
#include "tests/robustness/hostile.hpp"
#include "tests/support/largest_allocation.hpp"
#include "tests/support/work_count.hpp"
#include "tests/unit/md2/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

void load(const std::string& bytes)
{
    expect_sane(load_md2_files({{"tris.md2", bytes}}));
}
void load_weapon(const std::string& bytes)
{
    expect_sane(load_md2_files({{"tris.md2", Md2Model().write()}, {"weapon.md2", bytes}}));
}

} // namespace

TEST(RobustMd2, CutEverywhere)
{
    cut_everywhere(Md2Model().write(), load);
    cut_everywhere(Md2Model().write(), load_weapon);
}

TEST(RobustMd2, ChangedBytes)
{
    change_bytes(Md2Model().write(), load);
}

TEST(RobustMd2, Scrambled)
{
    scramble(Md2Model().write(), 3000, load);
    scramble(Md2Model().write(), 1000, load_weapon);
}

TEST(RobustMd2, TinyLimits)
{
    for (std::uint64_t n = 0; n < 8; ++n) {
        const auto small = static_cast<std::uint32_t>(n);
        Limits all;
        all.vertices = all.indices = all.key_values = n;
        all.nodes = all.meshes = all.materials = all.images = all.clips = small;
        expect_sane(load_model({}, all));
        expect_sane(load_model({}, {.file_bytes = n * 40}));
    }
}

TEST(RobustMd2, HugeCountsDoNotAllocate)
{
    for (const std::uint32_t count : {0x7FFFFFFFu, 0xFFFFFFFFu, 0x80000000u, 1'000'000u, 65'536u}) {
        for (std::size_t field = 2; field < 17; ++field)
            expect_no_allocation_above(std::to_string(field), 32'768,
                                       [&] { load(with_header_field(Md2Model().write(), field, count)); });
    }
}

TEST(RobustMd2, ManyThingsStayLinear)
{
    expect_nearly_linear("texture coordinates of one vertex", 1'000, [](int n) {
        Md2Model model;
        model.coords.clear();
        model.triangles.clear();
        for (int i = 0; i < n; ++i) {
            model.coords.push_back({static_cast<std::int16_t>(i), 0});
            model.triangles.push_back({0, 0, 0, static_cast<std::uint16_t>(i), 0, 1});
        }
        load(model.write());
    });
    expect_nearly_linear("frames that each have another name", 500, [](int n) {
        Md2Model names;
        const Md2Frame frame = names.frames[0];
        names.frames.clear();
        for (int i = 0; i < n; ++i) {
            names.frames.push_back(frame);
            names.frames.back().name = (i % 2 == 0 ? "a" : "b") + std::to_string(i * 7919 % 1000);
        }
        load(names.write());
    });
}

// Whatever the bytes: load_ply returns a scene that validate() accepts, or one sentence; soon, within limits.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/robustness/expect_valid_or_error.hpp"
#include "tests/robustness/hostile.hpp"
#include "tests/support/largest_allocation.hpp"
#include "tests/support/repeated.hpp"
#include "tests/support/work_count.hpp"
#include "tests/unit/ply/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

void load(const std::string& bytes)
{
    expect_sane(try_ply(bytes));
}

// A square with `n` faces: `properties` follow the list of corners, and each face is a copy of `row`.
std::string faces_ply(int n, std::string_view properties, std::string_view row)
{
    return ply_header("element vertex 4\n" + xyz + fmt::format("element face {}\n", n) + face_list +
                      std::string(properties)) +
           square_vertices + repeated(n, row);
}

} // namespace

TEST(RobustPly, CutEverywhere)
{
    for (const std::string& bytes : {rich_ply, every_type_ply(false), every_type_ply(true)})
        cut_everywhere(bytes, load);
}

TEST(RobustPly, ChangedBytes)
{
    for (const std::string& bytes : {rich_ply, every_type_ply(false), every_type_ply(true)})
        change_bytes(bytes, load);
}

TEST(RobustPly, Scrambled)
{
    scramble(rich_ply, 3000, load);
    scramble(every_type_ply(false), 3000, load);
}

TEST(RobustPly, TinyLimits)
{
    for (std::uint64_t n = 0; n < 40; ++n) {
        Limits all;
        all.vertices = all.indices = all.total_pixels = n;
        all.nodes = all.meshes = all.materials = all.images = static_cast<std::uint32_t>(n);
        expect_sane(try_ply(rich_ply, all), "limits");
    }
}

TEST(RobustPly, HugeCountsDoNotAllocate)
{
    for (const std::uint32_t count : {0xFFFFFFFFu, 0x7FFFFFFFu, 1'000'000u, 65'536u}) {
        for (const char* element : {"vertex", "face", "edge", "tristrips", "other"}) {
            const std::string header = fmt::format("element {} {}\n{}", element, count, xyz + face_list);
            for (const char* format : {"ascii", "binary_little_endian"})
                expect_no_allocation_above(element, 65'536,
                                           [&] { load(ply_header(header, format) + square_vertices); });
        }
        // An element without properties has no rows to read.
        load(ply_header(fmt::format("element vertex 1\n{}element none {}\n", xyz, count)) + "0 0 0\n");
        std::string bytes = ply_header("element vertex 1\n" + xyz + "property list uint uchar many\n",
                                       "binary_little_endian") +
                            std::string(12, '\0');
        put_value(bytes, count, false);
        expect_no_allocation_above("list", 65'536, [&] { load(bytes + "1234"); });
    }
}

TEST(RobustPly, ManyPointsStayLinear)
{
    expect_nearly_linear("points", 300, [&](int n) {
        load(ply_header(fmt::format("element vertex {}\n", n) + xyz) + repeated(n, "1 2 3\n"));
    });
    expect_nearly_linear("points that are not finite", 300, [&](int n) {
        load(ply_header(fmt::format("element vertex {}\n", n + 1) + xyz) + repeated(n, "nan 2 3\n") +
             "1 2 3\n");
    });
}

TEST(RobustPly, ManyFacesStayLinear)
{
    expect_nearly_linear("faces", 300, [&](int n) { load(faces_ply(n, "", "3 0 1 2\n")); });
    expect_nearly_linear("faces of missing vertices", 300,
                         [&](int n) { load(faces_ply(n, "", "3 0 1 9\n")); });
    expect_nearly_linear("corners of one face", 100, [&](int n) {
        load(ply_header("element vertex 4\n" + xyz +
                        "element face 1\nproperty list int int vertex_indices\n") +
             square_vertices + fmt::format("{} ", 4 * n) + repeated(n, "0 1 2 3 "));
    });
}

TEST(RobustPly, ManyFaceAttributesStayLinear)
{
    expect_nearly_linear("faces of other colors", 300, [&](int n) {
        std::string bytes =
            faces_ply(n, "property float red\nproperty float green\nproperty float blue\n", "");
        for (int i = 0; i < n; ++i)
            bytes += fmt::format("3 0 1 2 {} 0 0\n", static_cast<double>(i) / (n + 1));
        load(bytes);
    });
    expect_nearly_linear("faces of other textures", 300, [&](int n) {
        std::string bytes =
            ply_header("comment TextureFile a.png\nelement vertex 4\n" + xyz +
                       fmt::format("element face {}\n", n) + face_list + "property int texnumber\n") +
            square_vertices;
        for (int i = 0; i < n; ++i)
            bytes += fmt::format("3 0 1 2 {}\n", i);
        load(bytes);
    });
}

TEST(RobustPly, ManyStripsAndEdgesStayLinear)
{
    expect_nearly_linear("a strip", 300, [&](int n) {
        load(ply_header("element vertex 4\n" + xyz +
                        "element tristrips 1\nproperty list int int vertex_indices\n") +
             square_vertices + fmt::format("{} ", 4 * n) + repeated(n, "0 1 2 -1 "));
    });
    expect_nearly_linear("edges", 300, [&](int n) {
        load(ply_header("element vertex 4\n" + xyz + fmt::format("element edge {}\n", n) +
                        "property int vertex1\nproperty int vertex2\n") +
             square_vertices + repeated(n, "0 3\n"));
    });
}

TEST(RobustPly, ManyIgnoredThingsStayLinear)
{
    expect_nearly_linear("elements that are skipped", 300, [&](int n) {
        load(ply_header(fmt::format("element a {}\nproperty list int int b\nelement vertex 1\n", n) + xyz) +
             repeated(n, "3 1 2 3\n") + "0 0 0\n");
    });
    expect_nearly_linear("textures", 100, [&](int n) {
        load(ply_header(repeated(n, "comment TextureFile a.png\n") + "element vertex 1\n" + xyz) + "0 0 0\n");
    });
    expect_nearly_linear("elements without rows", 300, [&](int n) {
        load(ply_header("element vertex 1\n" + xyz + repeated(n, "element a 0\n")) + "0 0 0\n");
    });
}

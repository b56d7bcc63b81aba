// Header, text and both byte orders.

#include <gmock/gmock.h>

#include "tests/unit/ply/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

std::string ply_error(const std::string& bytes, const Limits& limits = {})
{
    return error_text(try_ply(bytes, limits));
}

std::string with_line_ends(const std::string& text, const std::string& end)
{
    std::string changed;
    for (const char c : text)
        changed += c == '\n' ? end : std::string(1, c);
    return changed;
}

} // namespace

TEST(PlyEncodings, TextBecomesAFlatMesh)
{
    const auto scene = load_flat_ply(square_ply);
    expect_source(scene, "ply", 4, 1);
    EXPECT_EQ(scene.generator, "made by hand");
    EXPECT_EQ(scene.file_space.unit_meters, 1.0);
    ASSERT_EQ(scene.meshes.size(), 1u);
    EXPECT_EQ(scene.meshes[0].name, "scan");
    EXPECT_THAT(scene.meshes[0].positions, testing::ElementsAre(glm::vec3(0), glm::vec3(1, 0, 0),
                                                                glm::vec3(1, 1, 0), glm::vec3(0, 1, 0)));
    EXPECT_THAT(scene.meshes[0].indices, testing::ElementsAre(0, 1, 2, 0, 2, 3));
    EXPECT_TRUE(scene.meshes[0].normals.empty());
    EXPECT_EQ(codes(scene), "");
}

TEST(PlyEncodings, TextMayHaveAnyLineEnds)
{
    for (const char* end : {"\r\n", "\r", " \n"}) {
        const auto scene = load_flat_ply(with_line_ends(square_ply, end));
        EXPECT_EQ(scene.meshes.at(0).indices.size(), 6u);
    }
    EXPECT_EQ(load_flat_ply("\xEF\xBB\xBF" + square_ply).source_polygons, 1u);
    EXPECT_EQ(load_flat_ply(ply_header("element vertex 1\n" + xyz) + "1 2\n3").meshes.at(0).positions[0],
              glm::vec3(1, 2, 3));
}

TEST(PlyEncodings, BinaryHasEveryTypeInBothByteOrders)
{
    for (const bool big_endian : {false, true}) {
        SCOPED_TRACE(big_endian);
        const auto scene = load_flat_ply(every_type_ply(big_endian));
        expect_source(scene, "ply", 3, 1);
        EXPECT_EQ(scene.generator, "everything");
        EXPECT_THAT(scene.meshes.at(0).positions,
                    testing::ElementsAre(glm::vec3(0), glm::vec3(300, 0, -2), glm::vec3(0, 300, -2)));
        EXPECT_THAT(scene.meshes[0].colors, testing::Each(glm::vec4(1, 0, 0, 1)));
        EXPECT_EQ(codes(scene), "ply_element_ignored ply_property_ignored ply_element_ignored");
        EXPECT_EQ(scene.warnings[1].message,
                  "properties of the element 'vertex' are not shown: 'tag', 'weight', 'quality'");
    }
}

// The first byte of the data may be a line feed.
TEST(PlyEncodings, BinaryDataBeginsBehindTheLineEnd)
{
    for (const char* end : {"\n", "\r\n", "\r"}) {
        std::string bytes = with_line_ends(
            ply_header("element vertex 1\nproperty uchar x\nproperty uchar y\nproperty uchar z\n",
                       "binary_little_endian"),
            end);
        bytes += "\x0B\x0A\x0D";
        const auto scene = load_ply_bytes(bytes);
        EXPECT_EQ(scene.meshes.at(0).positions[0], glm::vec3(11, 10, 13));
    }
}

TEST(PlyEncodings, AreRecognizedByTheFirstLine)
{
    const auto recognized = [](std::string_view text) { return is_ply(std::as_bytes(std::span(text))); };
    EXPECT_TRUE(recognized("ply\nformat"));
    EXPECT_TRUE(recognized("ply\r\nformat"));
    EXPECT_TRUE(recognized("\xEF\xBB\xBFply\n"));
    EXPECT_FALSE(recognized("plywood\n"));
    EXPECT_FALSE(recognized("ply"));
    EXPECT_FALSE(recognized(""));
}

TEST(PlyEncodings, ForgiveTheHeadersOfExporters)
{
    const auto comment =
        load_ply_bytes(ply_header("comment\nCreated by a program\nelement vertex 1\n" + xyz) + "1 2 3\n");
    EXPECT_EQ(codes(comment), "ply_header_line");
    // The face element is missing.
    const auto faces = load_ply_bytes(ply_header("element vertex 2\n" + xyz + face_list) + "1 2 3\n4 5 6\n");
    expect_source(faces, "ply", 2, 0);
    EXPECT_EQ(codes(faces), "ply_header_line");
}

TEST(PlyEncodings, RejectAHeaderWithLineAndReason)
{
    const std::string start = "ply\nformat ascii 1.0\n";
    EXPECT_EQ(ply_error("plywood\n"), "malformed at line 1: the file does not begin with the line ply");
    EXPECT_EQ(ply_error(start), "malformed at line 3: the header has no end_header");
    EXPECT_EQ(ply_error(start + std::string(5000, 'a')), "malformed at line 3: the header has no end_header");
    EXPECT_EQ(ply_error("ply\nend_header\n"), "malformed at line 2: the header has no format");
    EXPECT_EQ(ply_error("ply\nformat ascii 2.0\n"),
              "unsupported at line 2: the format 'ascii' '2.0' is not supported");
    EXPECT_EQ(ply_error("ply\nformat binary 1.0\n"),
              "unsupported at line 2: the format 'binary' '1.0' is not supported");
    EXPECT_EQ(ply_error(start + "element vertex -1\n"),
              "malformed at line 3: '-1' is not a number of elements");
    EXPECT_EQ(ply_error(start + "element vertex 4294967296\n"),
              "malformed at line 3: '4294967296' is not a number of elements");
    EXPECT_EQ(ply_error(start + "property float x\n"),
              "malformed at line 3: a property comes before the first element");
    EXPECT_EQ(ply_error(start + "element vertex 1\nproperty half x\n"),
              "malformed at line 4: 'half' is not a type");
    EXPECT_EQ(ply_error(start + "element face 1\nproperty list float int a\n"),
              "malformed at line 4: 'float' is not a type of the length of a list");
    std::string many = start + "element vertex 1\n";
    for (int i = 0; i < 4097; ++i)
        many += "property float a\n";
    EXPECT_EQ(ply_error(many), "malformed at line 4100: there are more than 4096 properties");
}

TEST(PlyEncodings, RejectDamagedData)
{
    EXPECT_EQ(ply_error(ply_header("element vertex 2\n" + xyz) + "1 2 3\n4 x 6\n"),
              "malformed at line 9: 'x' is not a number");
    EXPECT_EQ(ply_error(ply_header("element vertex 2\n" + xyz) + "1 2 3 400000000"),
              "truncated at line 8: the file ends within its elements");
    EXPECT_EQ(ply_error(ply_header("element vertex 1000\n" + xyz) + "1 2 3\n"),
              "truncated at line 8: 1000 rows of the element 'vertex' are more than the rest of the file");
    EXPECT_EQ(ply_error(ply_header("element vertex 3\n" + xyz + "element face 1\n" + face_list) +
                        "0 0 0 1 0 0 0 1 0 9 0 1 2\n"),
              "truncated at line 10: a list has 9 values, more than the rest of the file");
    EXPECT_EQ(ply_error(ply_header("element vertex 3\n" + xyz + "element face 1\n" + face_list) +
                        "0 0 0 1 0 0 0 1 0 -3 0 1 2\n"),
              "malformed at line 10: -3 is not a length of a list");
    const std::string binary = every_type_ply(false);
    EXPECT_EQ(ply_error(binary.substr(0, binary.size() - 1)).substr(0, 9), "truncated");
    EXPECT_EQ(ply_error(ply_header("element vertex 0\n" + xyz)), "empty at header: the file has no vertices");
    EXPECT_EQ(ply_error(ply_header("")), "empty at header: the file has no vertices");
    EXPECT_EQ(ply_error(ply_header("element vertex 1\nproperty uint packed\n") + "1\n"),
              "unsupported at header: the vertices have no properties x, y and z");
}

TEST(PlyEncodings, AreLimited)
{
    EXPECT_EQ(ply_error(square_ply, {.vertices = 3}),
              "limit_exceeded at header: 4 vertices: more than the limit vertices = 3");
    EXPECT_EQ(ply_error(square_ply, {.indices = 3}),
              "limit_exceeded at line 15: more than the limit indices = 3");
    EXPECT_EQ(ply_error(square_ply, {.indices = 1}),
              "limit_exceeded at line 15: more than the limit indices = 1")
        << "before the list is read";
    EXPECT_EQ(ply_error(square_ply, {.indices = 5}),
              "limit_exceeded at face: more than the limit indices = 5");
    EXPECT_EQ(ply_error(square_ply, {.nodes = 0}), "limit_exceeded at : more than the limit nodes = 0");
    EXPECT_EQ(ply_error(square_ply, {.meshes = 0}), "limit_exceeded at : more than the limit meshes = 0");
    const std::string textured =
        "ply\nformat ascii 1.0\ncomment TextureFile a.png\nelement vertex 1\n" + xyz + "end_header\n0 0 0\n";
    EXPECT_EQ(ply_error(textured, {.materials = 0}),
              "limit_exceeded at header: more than the limit materials = 0");
    const std::string points = ply_header("element vertex 4\n" + xyz) + square_vertices;
    EXPECT_EQ(ply_error(points, {.indices = 3}), "limit_exceeded at vertex: more than the limit indices = 3");
}

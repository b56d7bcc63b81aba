#include <cstdlib>

#include <gmock/gmock.h>

#include "loaders/base/srgb.hpp"
#include "loaders/obj/meshes.hpp"
#include "tests/unit/obj/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;
using testing::ElementsAre;

namespace {

// Returns x of the first vertex of a point cloud.
float number(const std::string& text)
{
    const auto scene = load_text("v " + text + " 0 0\n");
    return static_cast<float>(place(scene, 0).x);
}

} // namespace

TEST(ObjText, NumbersOfEverySpelling)
{
    EXPECT_EQ(number("1."), 1.0f);
    EXPECT_EQ(number(".5"), 0.5f);
    EXPECT_EQ(number("-.5"), -0.5f);
    EXPECT_EQ(number("+2"), 2.0f);
    EXPECT_EQ(number("1e-3"), 1e-3f);
    EXPECT_EQ(number("1.5E+02"), 150.0f);
    EXPECT_EQ(number("0.1"), 0.1f);
    EXPECT_EQ(number("0.12345678901234567890123"), 0.12345678901234567890123f);
    EXPECT_EQ(number("123456789.123456789"), 123456789.123456789f);
    EXPECT_EQ(number("00000000000000000000001"), 1.0f);
    EXPECT_EQ(number("-0"), 0.0f);
    for (const char* odd : {"nan", "inf", "1e39", "1e999", "abc", "-", "0x10"}) {
        const auto scene = load_text(std::string("v ") + odd + " 0 0\n");
        EXPECT_EQ(scene.meshes.at(0).positions.at(0).x, 0.0f) << odd;
        EXPECT_EQ(codes(scene), "obj_number") << odd;
    }
    EXPECT_EQ(number("-3e38"), -3e38f) << "whether it can be drawn is the scene's question";
    EXPECT_EQ(number("1.5+e2"), 1.5f);
    EXPECT_EQ(number("2..5"), 2.0f);
    EXPECT_EQ(codes(load_text("v 1 2\nv 1\nv \nv\n")),
              "obj_short_line obj_short_line obj_short_line obj_unknown_word");
}

// They count as blanks, as in the C library.
TEST(ObjText, ControlsBeforeAWordLoseNoLine)
{
    using namespace std::string_literals;
    for (const std::string& control : {"\v"s, "\f"s, "\0"s, "\x1b\x01"s}) {
        std::string text = "v 0 0 0\n";
        for (const char* line : {"v 1 0 0\n", " v 0 1 0\n", "f 1 2 3\n"})
            text.append(control).append(line);
        const auto scene = load_text(text);
        EXPECT_EQ(scene.source_vertices, 3u);
        EXPECT_EQ(scene.source_polygons, 1u);
        EXPECT_EQ(codes(scene), "");
    }
    EXPECT_EQ(codes(load_text("v 0 0 0\n\f\n\v\v\n")), "");
}

// Only the indices of a corner are used, if there are any.
TEST(ObjText, TrailingCharactersOfACornerAreReported)
{
    for (const std::string corner : {"2-3", "2,3", "2.7", "2x", "2/2f4/", "2//1-"}) {
        const auto scene =
            load_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 1\nvn 0 0 1\nf 1 " + corner + " 3\n");
        EXPECT_EQ(scene.meshes.at(0).indices.size(), 3u) << corner;
        EXPECT_THAT(codes(scene), testing::HasSubstr("obj_corner")) << corner;
    }
}

// Eight characters are read at once: every number of digits on either side of the point, first on the fast
// path (the comment keeps it away from the end of the text), then at the end.
TEST(ObjText, NumbersOfEveryLength)
{
    const std::string digits = "9081726354";
    for (std::size_t whole = 0; whole <= digits.size(); ++whole) {
        for (std::size_t part = 0; part <= digits.size(); ++part) {
            if (whole + part == 0) continue;
            const auto text = digits.substr(0, whole) + "." + digits.substr(0, part);
            const auto wanted = static_cast<float>(std::strtod(text.c_str(), nullptr));
            EXPECT_EQ(number(text + " 0 0\n# a comment of some length"), wanted) << text;
            EXPECT_EQ(number("-" + text + " 0 0\n# a comment of some length"), -wanted) << text;
            const auto last = load_text("v 0 0 " + text);
            EXPECT_EQ(static_cast<float>(place(last, 0).z), wanted) << text;
        }
    }
}

TEST(ObjText, IndicesOfEveryLength)
{
    std::string text;
    for (int i = 0; i < 1100; ++i)
        text += "v " + std::to_string(i) + " 0 0\nvt " + std::to_string(i % 7) + " 0\nvn 0 0 " +
                std::to_string(i + 1) + "\n";
    const auto scene =
        load_text(text + "f 1/10/1 10/1/100 100/100/100\nf 100/1000/10 1000/100/1000 1/1/1\n"
                         "f 0000001/1/1 00000002/1/1 000000003/1/1\nf 5/5 55/55 555/555\n# the end");
    EXPECT_EQ(codes(scene), "");
    std::vector<float> found;
    for (const auto& corner : triangles(scene.meshes.at(0)))
        found.push_back(corner.x);
    EXPECT_THAT(found, ElementsAre(0, 9, 99, 99, 999, 0, 0, 1, 2, 4, 54, 554));
    EXPECT_EQ(scene.meshes.at(0).uv0.at(1).x, 0.0f); // vt 1
    EXPECT_EQ(scene.meshes.at(0).uv0.at(0).x, 2.0f); // vt 10
}

TEST(ObjText, LinesEndAnyWay)
{
    const std::vector<glm::vec3> wanted = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    for (const char* text :
         {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n",
          "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3", "v 0 0 \\\n0\nv 1 \\\r\n 0 0\nv 0\\\r1 0\nf 1 \\\n\\\n2 3",
          "\xEF\xBB\xBFv 0 0 0\n\tv 1 0 0\n\n\nv 0 1 0\nf \\\n1 2 3\\",
          "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 \\\n3\\\n", "v\t0\t0\t0 # c\nv 1 0 0 #\nv 0 1 0\nf 1 2 3\n\\",
          "v 0 0 0\n# a path C:\\\nv 1 0 0\nv 0 1 0\nf 1 2 3\\\r"}) {
        const auto scene = load_text(text);
        EXPECT_EQ(triangles(scene.meshes.at(0)), wanted) << text;
    }
}

TEST(ObjText, Utf16)
{
    std::string text("\xFF\xFE", 2);
    for (const char c : square + "f 1 2 3\n")
        text += {c, '\0'};
    EXPECT_EQ(load_text(text).meshes.at(0).indices.size(), 3u);
}

TEST(ObjText, ColorsOfSomeVertices)
{
    const auto scene = load_text("v 0 0 0\nv 1 0 0 1 0.5 0\nv 1 1 0\nv 0 1 0 0 0 1 0.5\nf 1 2 3 4\n");
    const auto& colors = scene.meshes.at(0).colors;
    ASSERT_EQ(colors.size(), 4u);
    EXPECT_EQ(colors[0], glm::vec4(1));
    EXPECT_EQ(colors[1], glm::vec4(1, linear_from_srgb(0.5f), 0, 1));
    EXPECT_EQ(colors[2], glm::vec4(1));
    EXPECT_EQ(colors[3], glm::vec4(0, 0, 1, 0.5));
    EXPECT_EQ(codes(scene), "");
    EXPECT_TRUE(load_text("v 0 0 0 1\nv 1 0 0 2\n").meshes[0].colors.empty()); // w
    const auto bytes = load_text("v 0 0 0 255 0 0\nv 1 0 0 0 255 0\n");
    EXPECT_EQ(bytes.meshes[0].colors[1], glm::vec4(0, 1, 0, 1));
}

TEST(ObjText, ColorsAboveOneAreNotBytes)
{
    const float half = linear_from_srgb(0.5f);
    for (const char* blue : {"1.0001", "2", "17.5", "255"}) {
        const auto scene = load_text("v 0 0 0 0.5 0.5 " + std::string(blue) + "\nv 1 0 0 0.5 0.5 0.5\n");
        EXPECT_THAT(scene.meshes.at(0).colors,
                    ElementsAre(glm::vec4(half, half, 1, 1), glm::vec4(half, half, half, 1)))
            << blue;
    }
    EXPECT_EQ(load_text("v 0 0 0 2 0 1\n").meshes.at(0).colors.at(0), glm::vec4(1, 0, 1, 1));
}

TEST(ObjText, PolypaintOfZBrush)
{
    const auto scene =
        load_text("v 0 0 0\nv 1 0 0\nv 1 1 0\n#MRGB ffff0000ff00FF00\n#MRGB ff0000ffff\nf 1 2 3\n");
    EXPECT_THAT(scene.meshes.at(0).colors,
                ElementsAre(glm::vec4(1, 0, 0, 1), glm::vec4(0, 1, 0, 1), glm::vec4(0, 0, 1, 1)));
}

TEST(ObjText, FreeFormAndUnknownWordsWarn)
{
    const auto scene = load_text(
        square + "f 1 2 3\ncstype bezier\ndeg 3\nvp 0.1\ncurv 0 1 1 2\nend\nlod 3\nwhatever 1 2\nvw 1 2\n");
    EXPECT_EQ(codes(scene),
              "obj_free_form obj_free_form obj_free_form obj_free_form obj_free_form obj_hint_ignored "
              "obj_unknown_word obj_unknown_word");
    EXPECT_EQ(scene.warnings[0].where, "line 6");
}

// They are keywords of the specification; executing them would read other files and run commands.
TEST(ObjText, GeneralStatementsAreNotFollowed)
{
    const auto scene = load_text(square + "call more.obj 1 2\nf 1 2 3\ncsh -ls\n");
    EXPECT_EQ(codes(scene), "obj_general_statement obj_general_statement");
    EXPECT_EQ(scene.warnings[0].where, "line 5");
    EXPECT_EQ(scene.warnings[0].message,
              "general statements (call, csh) are not supported; they are ignored");
}

// Modeling programs without two-sided faces write each one twice, with both orientations.
TEST(ObjText, TwoSidesOfASheetAreSmoothedApart)
{
    const auto scene = load_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 1\nv 2 1 1\ns 1\n"
                                 "f 1 2 3 4\nf 4 3 2 1\nf 2 5 6 3\nf 3 6 5 2\n");
    const auto& mesh = scene.meshes.at(0);
    EXPECT_EQ(mesh.positions.size(), 12u);
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
        const auto at = [&](std::size_t c) { return mesh.positions[mesh.indices[i + c]]; };
        const auto face = glm::normalize(glm::cross(at(1) - at(0), at(2) - at(0)));
        for (std::size_t c = 0; c < 3; ++c)
            EXPECT_GT(glm::dot(face, mesh.normals[mesh.indices[i + c]]), 0.9f) << "corner " << i + c;
    }
    const auto& on_the_bend = mesh.normals[mesh.indices[1]];
    EXPECT_LT(on_the_bend.x, -0.3f) << "each side is smooth in itself";
}

TEST(ObjText, FlatWithoutNormalsAndSmoothInAGroup)
{
    // A roof: two quads that share the ridge.
    const std::string roof = "v 0 0 1\nv 1 0 1\nv 1 1 0\nv 0 1 0\nv 1 0 -1\nv 0 0 -1\n";
    const std::string faces = "f 1 2 3 4\nf 4 3 5 6\n";
    for (const char* off : {"", "s off\n", "s 0\n"}) {
        const auto flat = load_text(std::string(roof).append(off).append(faces)).meshes.at(0);
        EXPECT_EQ(flat.positions.size(), 8u);
        EXPECT_LT(glm::distance(flat.normals[2], glm::normalize(glm::vec3(0, 1, 1))), 1e-6f);
    }
    const auto smooth = load_text(roof + "s 1\n" + faces).meshes.at(0);
    EXPECT_EQ(smooth.positions.size(), 6u);
    EXPECT_LT(glm::distance(smooth.normals[2], glm::vec3(0, 1, 0)), 1e-6f);
    const auto apart = load_text(roof + "s 1\nf 1 2 3 4\ns 2\nf 4 3 5 6\n").meshes.at(0);
    EXPECT_EQ(apart.positions.size(), 8u);
    EXPECT_LT(glm::distance(apart.normals[2], glm::normalize(glm::vec3(0, 1, 1))), 1e-6f);
    // A seam in the texture does not break the smoothing.
    const auto seam =
        load_text(roof + "vt 0 0\nvt 1 1\ns 1\nf 1/1 2/1 3/1 4/1\nf 4/2 3/2 5/2 6/2\n").meshes.at(0);
    EXPECT_EQ(seam.positions.size(), 8u);
    EXPECT_LT(glm::distance(seam.normals[2], glm::vec3(0, 1, 0)), 1e-6f);
}

TEST(ObjText, NormalsAreMadeUnitAndZeroOnesReplaced)
{
    const auto scene = load_text(square + "vn 0 0 5\nvn 0 0 0\nf 1//1 2//1 3//2\n");
    for (const auto& normal : scene.meshes.at(0).normals)
        EXPECT_EQ(normal, glm::vec3(0, 0, 1));
}

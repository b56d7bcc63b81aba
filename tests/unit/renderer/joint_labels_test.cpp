#include "vk_renderer/labels/joint_labels.hpp"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "tests/unit/renderer/model_framing.hpp"
#include "vk_renderer/base/view.hpp"
#include "vk_renderer/camera/camera.hpp"
#include "vk_renderer/labels/stroke_font.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::render {
namespace {

namespace fs = std::filesystem;

StrokedText stroked(std::string_view text)
{
    StrokedText out;
    stroke_text(text, out);
    return out;
}

TEST(StrokeFont, HasEveryPrintableLetter)
{
    std::set<std::vector<float>> shapes;
    for (char c = '!'; c <= '~'; ++c) {
        const auto text = stroked({&c, 1});
        ASSERT_FALSE(text.strokes.empty()) << c;
        std::vector<float> shape;
        for (const auto& [from, to] : text.strokes)
            for (const auto& p : {from, to}) {
                EXPECT_TRUE(p.x >= 0.0f && p.x <= text.width) << c;
                EXPECT_TRUE(p.y >= 0.0f && p.y <= font_descent) << c;
                shape.insert(shape.end(), {p.x, p.y});
            }
        EXPECT_TRUE(shapes.insert(shape).second) << c << " equals another";
    }
}

TEST(StrokeFont, AdvancesAfterEachLetter)
{
    const auto word = stroked("Lr");
    EXPECT_GT(word.width, stroked("L").width + stroked("r").width);
    EXPECT_EQ(stroked("").width, 0.0f);
    EXPECT_EQ(stroked("\n").strokes.size(), 4u) << "a box";
    EXPECT_EQ(stroked("中文").strokes.size(), 8u) << "one each";
}

TEST(StrokeFont, CoversLatinWithDiacriticsGreekAndCyrillic)
{
    std::set<std::vector<float>> shapes;
    for (const char* letter : {"e", "é", "è", "ê", "ë", "ē", "ĕ", "ė", "ę", "ě", "É", "n", "ñ", "í", "i",
                               "ï", "ø", "ł", "ß", "æ", "Б", "б", "Ж", "ж", "й", "и", "Ω", "ω", "Σ", "λ"}) {
        EXPECT_TRUE(can_stroke(letter)) << letter;
        const auto text = stroked(letter);
        std::vector<float> shape;
        for (const auto& [from, to] : text.strokes)
            for (const auto& p : {from, to}) {
                EXPECT_TRUE(p.x >= 0.0f && p.x <= text.width) << letter << ' ' << p.x;
                EXPECT_TRUE(p.y >= 0.0f && p.y <= font_descent) << letter << ' ' << p.y;
                shape.insert(shape.end(), {p.x, p.y});
            }
        EXPECT_TRUE(shapes.insert(shape).second) << letter << " equals another";
    }
    EXPECT_TRUE(can_stroke("Плечо.Л Ώμος Épaule żuchwa"));
    EXPECT_FALSE(can_stroke("左腕.L"));
    EXPECT_FALSE(can_stroke("\xff"));
}

class JointNamesTest : public testing::Test {
protected:
    JointNamesTest()
    {
        scene.nodes.resize(3);
        scene.nodes[0].name = "spine";
        scene.nodes[1].name = "hand.L";
        view.background = glm::vec4(0.0f);
        params = image_params(view, model_framing({glm::vec3(-1.0f), glm::vec3(1.0f)}));
    }
    std::vector<std::uint8_t> draw(std::vector<JointPosition> places) const
    {
        Frame frame;
        frame.width = view.width;
        frame.height = view.height;
        frame.pixels = Pixels::Bytes(std::size_t{4} * view.width * view.height, 0);
        JointNames(font).draw(scene, places, params, frame);
        return std::move(frame.pixels.own());
    }
    static std::size_t drawn(const std::vector<std::uint8_t>& pixels)
    {
        std::size_t count = 0;
        for (std::size_t i = 3; i < pixels.size(); i += 4)
            count += pixels[i] > 0 ? 1 : 0;
        return count;
    }

    fs::path font = "/nowhere.hex";
    scene::Scene scene;
    View view{.width = 256, .height = 256};
    shared::ImageParams params{};
};

TEST_F(JointNamesTest, AreDrawnBesideTheirJoints)
{
    const auto pixels = draw({{0, {0.0f, 0.0f, 0.0f}}});
    EXPECT_GT(drawn(pixels), 60u);
    for (std::uint32_t y = 0; y < 256; ++y)
        for (std::uint32_t x = 0; x < 256; ++x)
            if (pixels[(y * 256 + x) * 4 + 3] > 0) {
                EXPECT_TRUE(x > 127 && x < 190) << x;
                EXPECT_TRUE(y > 115 && y < 140) << y;
            }
    EXPECT_EQ(pixels, draw({{0, {0.0f, 0.0f, 0.0f}}}));
    EXPECT_GT(drawn(draw({{2, {0.0f, 0.0f, 0.0f}}})), 20u) << "its number if it has no name";
    auto unreadable = scene;
    unreadable.nodes[2].name = "センター";
    std::swap(unreadable, scene);
    const auto numbered = draw({{2, {0.0f, 0.0f, 0.0f}}});
    std::swap(unreadable, scene);
    EXPECT_EQ(numbered, draw({{2, {0.0f, 0.0f, 0.0f}}})) << "or with letters that the font lacks";
}

TEST_F(JointNamesTest, PreferNearerJoints)
{
    const JointPosition near{0, {0.0f, 0.0f, 0.5f}}, next{0, {0.0f, 0.0f, 0.0f}}, far{1, {0.0f, 0.0f, -0.5f}};
    EXPECT_GT(drawn(draw({near, next})), drawn(draw({near}))) << "there is room on the left";
    EXPECT_EQ(draw({far, next, near}), draw({near, next}));
    const JointPosition aside{1, {0.0f, 0.6f, -0.5f}};
    EXPECT_EQ(drawn(draw({near, aside})), drawn(draw({near})) + drawn(draw({aside})));
}

TEST_F(JointNamesTest, StayInTheImage)
{
    EXPECT_EQ(drawn(draw({{0, {50.0f, 0.0f, 0.0f}}, {0, {0.0f, 0.0f, 50.0f}}})), 0u)
        << "beside it, behind the eye";
    const auto left = draw({{0, {1.02f, 0.0f, 0.0f}}}); // no room to its right
    EXPECT_GT(drawn(left), 60u);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(drawn(draw({{0, {nan, nan, nan}}})), 0u);
    view.width = view.height = 4;
    EXPECT_EQ(drawn(draw({{0, {0.0f, 0.0f, 0.0f}}})), 0u) << "no room at all";
}

TEST_F(JointNamesTest, AreReadableInOtherScripts)
{
    font = default_label_font();
    if (!fs::exists(font)) GTEST_SKIP() << "no " << font << " (script/bootstrap installs it)";
    const std::vector<JointPosition> middle{{2, {0.0f, 0.0f, 0.0f}}};
    const auto number = draw(middle);
    std::set<std::vector<std::uint8_t>> pictures{number};
    for (const char* name : {"右腕", "左腕", "右腕.L", "センター", "ｾﾝﾀｰ", "左髋关节", "오른팔", "Ⅳ"}) {
        scene.nodes[2].name = name;
        EXPECT_TRUE(pictures.insert(draw(middle)).second) << name << " equals another";
    }
    for (const char* name : {"ذراع", "हाथ", "זרוע", "右\uFFFD", "\xff", "\x01"}) {
        scene.nodes[2].name = name;
        EXPECT_EQ(draw(middle), number) << name;
    }
    scene.nodes[2].name = "右腕";
    font = "/nowhere.hex";
    EXPECT_EQ(draw(middle), number) << "without the font";
}

TEST_F(JointNamesTest, KeepLettersSharpInSmallImages)
{
    font = default_label_font();
    if (!fs::exists(font)) GTEST_SKIP() << "no " << font << " (script/bootstrap installs it)";
    scene.nodes[2].name = "■";
    const auto pixels = draw({{2, {0.0f, 0.0f, 0.0f}}});
    std::set<int> columns, rows;
    for (int i = 0; i < 256 * 256; ++i)
        if (pixels[static_cast<std::size_t>(i) * 4] > 240) {
            columns.insert(i % 256);
            rows.insert(i / 256);
        }
    const auto square = GlyphFile(font).find(U'■');
    ASSERT_TRUE(square);
    EXPECT_EQ(std::ssize(rows), std::ranges::count_if(square->rows, [](auto row) { return row != 0; }));
    EXPECT_EQ(std::ssize(columns), std::popcount(*std::ranges::max_element(square->rows)));
}

TEST_F(JointNamesTest, AreNumbersIfTooLong)
{
    const auto number = draw({{2, {0.0f, 0.0f, 0.0f}}});
    scene.nodes[2].name = std::string(100'000, 'i');
    EXPECT_EQ(draw({{2, {0.0f, 0.0f, 0.0f}}}), number);
}

} // namespace
} // namespace vitrine::render

#include "vk_renderer/labels/bitmap_font.hpp"

#include <algorithm>
#include <fstream>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace vitrine::render {
namespace {

namespace fs = std::filesystem;

std::string line(char32_t code, const std::string& row)
{
    std::string text = fmt::format("{:04X}:", static_cast<std::uint32_t>(code));
    for (int i = 0; i < glyph_height; ++i)
        text += row;
    return text + '\n';
}

// A file of this process, deleted afterward.
class BitmapFont : public testing::Test {
protected:
    BitmapFont() : file_(fs::temp_directory_path() / fmt::format("vitrine-glyphs-{}.hex", ::getpid())) {}
    ~BitmapFont() override { fs::remove(file_); }
    void write(std::string_view text) const { std::ofstream(file_, std::ios::binary) << text; }
    std::optional<Glyph> find(std::string_view text, char32_t code) const
    {
        write(text);
        return GlyphFile(file_).find(code);
    }

    fs::path file_;
};

Glyph filled(int width, std::uint16_t row)
{
    Glyph glyph{.width = width};
    glyph.rows.fill(row);
    return glyph;
}

TEST_F(BitmapFont, FindsEachLetter)
{
    std::string text;
    std::vector<char32_t> codes;
    for (char32_t code = 0x20; code < 0x30000; code += 1 + code / 7)
        codes.push_back(code);
    for (const auto code : codes)
        text += code % 2 == 0 ? line(code, "3C") : line(code, "80F1");
    write(text);
    GlyphFile file(file_);
    ASSERT_TRUE(file.is_open());
    for (const auto code : codes) {
        EXPECT_EQ(file.find(code), code % 2 == 0 ? filled(8, 0x3C) : filled(16, 0x80F1))
            << std::uint32_t(code);
        const bool follows = std::ranges::binary_search(codes, code + 1);
        EXPECT_EQ(file.find(code + 1).has_value(), follows) << std::uint32_t(code);
    }
    EXPECT_FALSE(file.find(0));
    EXPECT_FALSE(file.find(0x10FFFF));
}

TEST_F(BitmapFont, AcceptsAMissingFinalNewline)
{
    auto text = line(U'右', "0001") + line(U'左', "8000");
    text.pop_back();
    EXPECT_EQ(find(text, U'左'), filled(16, 0x8000));
    EXPECT_EQ(find(text, U'右'), filled(16, 0x0001));
}

TEST_F(BitmapFont, FindsNothingInInvalidFiles)
{
    const auto right = line(U'右', "0001");
    for (const std::string& text :
         {std::string(), std::string("\n"), std::string("右腕\n"), std::string(100'000, 'F'),
          std::string(100'000, '\n'), std::string(500, '\0'), ":" + right, "FFFFFFFFFFF" + right, "-" + right,
          right.substr(0, 40), right.substr(0, 68) + "G\n", right.substr(0, 5) + "\n", line(U'右', "000001"),
          line(U'右', "1"), line(U'右', "-001"), " " + right})
        EXPECT_FALSE(find(text, U'右')) << text.substr(0, 80);
    EXPECT_FALSE(GlyphFile(fs::temp_directory_path()).is_open()) << "a folder";
    EXPECT_FALSE(GlyphFile(file_ / "none").find(U'右'));
}

TEST_F(BitmapFont, TerminatesOnRandomBytes)
{
    std::mt19937 random(7); // NOLINT: a fixed seed for reproducible bytes
    const auto content = line(U'ア', "7FFE") + line(U'右', "0001") + line(U'左', "8000");
    for (std::size_t size = 0; size <= content.size(); ++size)
        find(content.substr(0, size), U'左');
    for (int round = 0; round < 300; ++round) {
        auto text = content + content;
        for (int i = 0; i < 4; ++i)
            text[random() % text.size()] = "0:\n\xff"[random() % 4];
        find(text, U'左');
    }
}

TEST_F(BitmapFont, SurvivesAShrinkingFile)
{
    write(line(U'右', "0001") + line(U'左', "8000"));
    GlyphFile file(file_);
    fs::resize_file(file_, 10);
    EXPECT_FALSE(file.find(U'左'));
}

TEST(GlyphStrokes, AreRunsOfPixels)
{
    Glyph glyph{.width = 8};
    EXPECT_TRUE(strokes_of(glyph).empty());
    glyph.rows[3] = 0b0111'1000;  // four pixels from x = 1 on
    glyph.rows[4] = 0b0100'0000;  // one below the first of them
    glyph.rows[15] = 0b0000'0001; // a single one
    const auto strokes = strokes_of(glyph);
    ASSERT_EQ(strokes.size(), 3u);
    EXPECT_EQ(strokes[0].from, glm::vec2(1, 3));
    EXPECT_EQ(strokes[0].to, glm::vec2(4, 3));
    EXPECT_EQ(strokes[1].from, glm::vec2(1, 3));
    EXPECT_EQ(strokes[1].to, glm::vec2(1, 4));
    EXPECT_EQ(strokes[2].from, glm::vec2(7, 15));
    EXPECT_EQ(strokes[2].to, glm::vec2(7, 15));
}

TEST_F(BitmapFont, AdvancesByTheWidthOfEachLetter)
{
    write(line(U'L', "01") + line(U'右', "0001"));
    GlyphFont font(file_);
    StrokedText text;
    ASSERT_TRUE(font.write("右L右", text));
    EXPECT_EQ(text.width, 40.0f);
    std::vector<float> lefts;
    for (const auto& stroke : text.strokes)
        lefts.push_back(stroke.from.x);
    EXPECT_EQ(lefts, (std::vector<float>{15, 23, 39}));
    EXPECT_FALSE(font.write("右腕", text)) << "the file lacks the second letter";
    ASSERT_TRUE(font.write("右", text));
    EXPECT_EQ(text.strokes.size(), 1u) << "no previous content remains";
}

TEST_F(BitmapFont, RejectsScriptsThatNeedShaping)
{
    for (const char32_t code : U"右腕ボーンセﾝター한글髋ЖωéⅣ１ー々①ლԱሀꀀ𠀋")
        if (code != 0) EXPECT_TRUE(needs_no_shaping(code)) << std::uint32_t(code);
    for (const std::uint32_t code : {0x7u,    0xADu,   0x301u,  0x5D0u,  0x628u,   0x915u,   0xE01u,  0x1100u,
                                     0x17A0u, 0x200Du, 0x202Eu, 0x3099u, 0xD800u,  0xE000u,  0xFB1Du, 0xFDF2u,
                                     0xFE0Fu, 0xFE8Du, 0xFEFFu, 0xFFFDu, 0x1F600u, 0x10FFFFu})
        EXPECT_FALSE(needs_no_shaping(code)) << code;
    write(line(U'ب', "01"));
    StrokedText text;
    EXPECT_FALSE(GlyphFont(file_).write("ب", text));
}

TEST_F(BitmapFont, OpensTheFileOnFirstUse)
{
    std::vector<std::string> notices;
    GlyphFont font(file_, [&](const std::string& text) { notices.push_back(text); });
    write(line(U'右', "0001"));
    StrokedText text;
    EXPECT_TRUE(font.write("右", text)) << "it did not exist before";
    fs::remove(file_);
    EXPECT_TRUE(font.write("右", text)) << "and it is not queried again";
    EXPECT_TRUE(notices.empty());
}

TEST_F(BitmapFont, ReportsAMissingFileOnce)
{
    std::vector<std::string> notices;
    GlyphFont font(file_, [&](const std::string& text) { notices.push_back(text); });
    StrokedText text;
    EXPECT_TRUE(notices.empty());
    EXPECT_FALSE(font.write("右", text));
    EXPECT_FALSE(font.write("左", text));
    ASSERT_EQ(notices.size(), 1u);
    EXPECT_NE(notices[0].find(file_.native()), std::string::npos) << notices[0];
}

TEST_F(BitmapFont, LimitsCachedLetters)
{
    std::string lines;
    for (char32_t code = 0x4E00; code < 0x9000; ++code)
        lines += line(code, "0001");
    write(lines);
    GlyphFont font(file_);
    StrokedText text;
    for (int turn = 0; turn < 2; ++turn)
        for (char32_t code = 0x4E00; code < (turn == 0 ? 0x9000 : 0x4F00); code += 3) {
            const char name[] = {static_cast<char>(0xE0 | code >> 12),
                                 static_cast<char>(0x80 | (code >> 6 & 0x3F)),
                                 static_cast<char>(0x80 | (code & 0x3F))};
            ASSERT_TRUE(font.write({name, 3}, text)) << std::uint32_t(code);
        }
}

} // namespace
} // namespace vitrine::render

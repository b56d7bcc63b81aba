#include <array>
#include <bit>
#include <cstring>

#include <gmock/gmock.h>

#include "loaders/fbx/container/element.hpp"
#include "tests/support/zlib.hpp"

namespace vitrine::fbx {
namespace {

using test::deflate;
using testing::ElementsAre;
using testing::HasSubstr;

// Writes records of either width in either byte order.
struct Writer {
    bool wide = false;
    bool big = false;

    template <class T>
    std::string number(T value) const
    {
        auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
        if (big) std::ranges::reverse(bytes);
        return {bytes.data(), bytes.size()};
    }
    std::string size(std::uint64_t value) const
    {
        return wide ? number(value) : number(static_cast<std::uint32_t>(value));
    }
    std::string text(char letter, const std::string& value) const
    {
        return letter + number(static_cast<std::uint32_t>(value.size())) + value;
    }
    template <class T>
    std::string array(char letter, const std::vector<T>& values, bool deflated) const
    {
        std::string plain;
        for (const T value : values)
            plain += number(value);
        const std::string stored = deflated ? deflate(plain) : plain;
        return letter + number(static_cast<std::uint32_t>(values.size())) + number(std::uint32_t{deflated}) +
               number(static_cast<std::uint32_t>(stored.size())) + stored;
    }
    std::string null() const { return std::string(wide ? 25 : 13, '\0'); }
    // `at`: offset of the record in the file.
    std::string record(std::size_t at, const std::string& name, std::uint64_t count,
                       const std::string& values, const std::string& children = {}) const
    {
        const std::size_t header = (wide ? 25 : 13) + name.size();
        const std::size_t end = at + header + values.size() + children.size();
        return size(end) + size(count) + size(values.size()) + static_cast<char>(name.size()) + name +
               values + children;
    }
    std::string file(const std::string& records) const
    {
        return std::string("Kaydara FBX Binary  \0\x1a", 22) + (big ? '\1' : '\0') +
               number(std::uint32_t{wide ? 7500u : 7400u}) + records + null();
    }
    static constexpr std::size_t first = 27;
};

LoadResult<ElementTree> parse_binary(std::string_view bytes, const Limits& limits = {})
{
    return parse_elements(std::as_bytes(std::span(bytes)), limits);
}

class FbxBinary : public testing::TestWithParam<std::tuple<bool, bool>> {
protected:
    Writer writer_{std::get<0>(GetParam()), std::get<1>(GetParam())};
};

TEST_P(FbxBinary, ReadsScalarsOfEveryType)
{
    const Writer& w = writer_;
    const std::string values = std::string("C\1", 2) + 'Y' + w.number(std::int16_t{-2}) + 'I' +
                               w.number(std::int32_t{-3}) + 'L' + w.number(std::int64_t{1} << 40) + 'F' +
                               w.number(0.5f) + 'D' + w.number(-0.25) +
                               w.text('S', std::string("arm\0\1Model", 10)) + w.text('R', "raw");
    const std::string bytes = w.file(w.record(Writer::first, "Model", 8, values));
    const auto tree = parse_binary(bytes);
    ASSERT_TRUE(tree) << tree.error().detail;
    EXPECT_EQ(tree->version, w.wide ? 7500u : 7400u);
    const Element model = Element(&*tree, 0)["Model"];
    ASSERT_EQ(model.value_count(), 8u);
    EXPECT_EQ(model[0u].integer(), 1);
    EXPECT_EQ(model[1u].integer(), -2);
    EXPECT_EQ(model[2u].integer(), -3);
    EXPECT_EQ(model[3u].integer(), std::int64_t{1} << 40);
    EXPECT_EQ(model[4u].real(), 0.5);
    EXPECT_EQ(model[5u].real(), -0.25);
    EXPECT_EQ(model[6u].text(), std::string_view("arm\0\1Model", 10));
    EXPECT_EQ(model[7u].text(), "raw");
    EXPECT_EQ(model.location(), "byte " + std::to_string(Writer::first + (w.wide ? 25 : 13)));
}

TEST_P(FbxBinary, ReadsArraysOfEveryTypePlainAndDeflated)
{
    const Writer& w = writer_;
    for (const bool deflated : {false, true}) {
        std::string records;
        const auto add = [&](const std::string& name, const std::string& array) {
            records += w.record(Writer::first + records.size(), name, 1, array);
        };
        add("f", w.array<float>('f', {1.5f, -2.0f}, deflated));
        add("d", w.array<double>('d', {1.5, -2.0}, deflated));
        add("l", w.array<std::int64_t>('l', {1, -2}, deflated));
        add("i", w.array<std::int32_t>('i', {1, -2}, deflated));
        add("b", w.array<std::uint8_t>('b', {1, 0}, deflated));
        add("c", w.array<std::uint8_t>('c', {1, 200}, deflated));
        const std::string bytes = w.file(records);
        const auto tree = parse_binary(bytes);
        ASSERT_TRUE(tree) << tree.error().detail;
        const Element root(&*tree, 0);
        EXPECT_THAT(*root["f"].array<double>(), ElementsAre(1.5, -2.0));
        EXPECT_THAT(*root["d"].array<float>(), ElementsAre(1.5f, -2.0f));
        EXPECT_THAT(*root["l"].array<std::int32_t>(), ElementsAre(1, -2));
        EXPECT_THAT(*root["i"].array<std::int64_t>(), ElementsAre(1, -2));
        EXPECT_THAT(*root["b"].array<float>(), ElementsAre(1.0f, 0.0f));
        EXPECT_THAT(*root["c"].array<std::int32_t>(), ElementsAre(1, 200));
        EXPECT_THAT(*root["d"].array<std::int32_t>(), ElementsAre(1, -2));
    }
}

TEST_P(FbxBinary, ReadsArraysLongerThanAPiece)
{
    const Writer& w = writer_;
    std::vector<double> values(20'000); // 160 kB
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = 0.5 * static_cast<double>(i);
    const std::string bytes = w.file(w.record(Writer::first, "d", 1, w.array<double>('d', values, true)));
    const auto tree = parse_binary(bytes);
    ASSERT_TRUE(tree) << tree.error().detail;
    const Element array = Element(&*tree, 0)["d"];
    EXPECT_EQ(*array.array<double>(), values);
    const auto points = array.points();
    ASSERT_TRUE(points) << points.error().detail;
    ASSERT_EQ(points->size(), values.size() / 3);
    for (std::size_t i = 0; i < points->size(); ++i) {
        const float x = 1.5f * static_cast<float>(i);
        EXPECT_EQ((*points)[i], glm::vec3(x, x + 0.5f, x + 1.0f)) << i;
    }
}

TEST_P(FbxBinary, ReadsChildrenAndLongLists)
{
    const Writer& w = writer_;
    std::string list;
    for (int i = 0; i < 40; ++i)
        list += 'D' + w.number(double(i));
    const std::size_t inside = Writer::first + (w.wide ? 25 : 13) + 7;
    const std::string child = w.record(inside, "Vertices", 40, list);
    const std::string bytes = w.file(w.record(Writer::first, "Objects", 0, "", child + w.null()));
    const auto tree = parse_binary(bytes);
    ASSERT_TRUE(tree) << tree.error().detail;
    const Element vertices = Element(&*tree, 0)["Objects"]["Vertices"];
    EXPECT_EQ(vertices.value_count(), Element::max_inline_values);
    EXPECT_EQ(vertices.array<float>()->size(), 40u);
    EXPECT_EQ(vertices.all_values()->back().real(), 39.0);
}

INSTANTIATE_TEST_SUITE_P(Widths, FbxBinary, testing::Combine(testing::Bool(), testing::Bool()));

TEST(FbxBinaryFaults, ReportsThePlaceOfErrors)
{
    const Writer w;
    const auto error_text = [](const std::string& bytes) {
        const auto tree = parse_binary(bytes);
        return tree ? std::string("loaded") : tree.error().where + ": " + tree.error().detail;
    };
    const std::string good = w.file(w.record(Writer::first, "A", 1, "I" + w.number(std::int32_t{1})));
    EXPECT_EQ(error_text(good), "loaded");
    EXPECT_THAT(error_text(good.substr(0, 20)), HasSubstr("inside its header"));
    EXPECT_THAT(error_text(good.substr(0, 35)), HasSubstr("byte 27: the file ends inside an element"));
    EXPECT_THAT(error_text(w.file(w.record(Writer::first, "A", 1, "?1234"))), HasSubstr("the values of 'A'"));
    EXPECT_THAT(error_text(w.file(w.record(Writer::first, "A", 2, "I" + w.number(std::int32_t{1})))),
                HasSubstr("the values of 'A'"));
    std::string beyond = good;
    std::memcpy(beyond.data() + Writer::first, "\xff\xff\0\0", 4);
    EXPECT_THAT(error_text(beyond), HasSubstr("extends beyond the file"));
    std::string version = good;
    version[23] = 0;
    version[24] = 0;
    EXPECT_THAT(error_text(version), HasSubstr("FBX version"));
    version[23] = '\xD0';
    version[24] = '\x07';
    EXPECT_THAT(error_text(version), HasSubstr("FBX version 2000 does not exist"));
}

TEST(FbxBinaryFaults, RejectsArraysThatCannotBe)
{
    const Writer w;
    // Declares four billion numbers in eight bytes.
    const std::string bomb = 'd' + w.number(0xFFFF'FFFFu) + w.number(1u) + w.number(8u) + std::string(8, 'x');
    EXPECT_FALSE(parse_binary(w.file(w.record(Writer::first, "A", 1, bomb))));
    const std::string damaged = 'd' + w.number(2u) + w.number(1u) + w.number(8u) + std::string(8, 'x');
    const std::string bytes = w.file(w.record(Writer::first, "A", 1, damaged));
    const auto tree = parse_binary(bytes);
    ASSERT_TRUE(tree);
    const auto array = Element(&*tree, 0)["A"].array<double>();
    ASSERT_FALSE(array);
    EXPECT_THAT(array.error().detail, HasSubstr("damaged"));
    // Two arrays, the first one truncated: caused a division by zero.
    EXPECT_FALSE(parse_binary(w.file(w.record(Writer::first, "A", 2, std::string("d\1\0\0\0i", 6)))));
}

TEST(FbxBinary, HeaderAloneIsRejected)
{
    const std::string head =
        std::string("Kaydara FBX Binary  \0\x1a\0", 23) + Writer{}.number(std::uint32_t{7400});
    for (const std::string& text : {head, head + Writer{}.null()}) {
        const auto tree = parse_elements(std::as_bytes(std::span(text)), {});
        ASSERT_FALSE(tree);
        EXPECT_EQ(tree.error().code, LoadErrc::empty);
    }
}

} // namespace
} // namespace vitrine::fbx

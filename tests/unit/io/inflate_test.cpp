#include "loaders/io/inflate.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <libdeflate.h>

namespace vitrine::io {
namespace {

using Buffer = std::vector<std::byte>;

Buffer deflate(const Buffer& plain, int level)
{
    const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
        libdeflate_alloc_compressor(level), &libdeflate_free_compressor);
    Buffer out(libdeflate_zlib_compress_bound(compressor.get(), plain.size()));
    out.resize(
        libdeflate_zlib_compress(compressor.get(), plain.data(), plain.size(), out.data(), out.size()));
    out.shrink_to_fit(); // so that a sanitizer sees what is read behind it
    return out;
}

Buffer bytes_of(const auto& values)
{
    Buffer out(values.size() * sizeof(values[0]));
    if (!out.empty()) std::memcpy(out.data(), values.data(), out.size());
    return out;
}

// What files hold: indices that go round in threes and sixes, numbers with zeros at their ends, noise, one
// byte, and long repeats at every distance.
std::vector<Buffer> samples()
{
    std::mt19937 random(3);
    std::vector<Buffer> out{{}, Buffer(1, std::byte{7}), Buffer(700'001, std::byte{0})};
    std::vector<std::int32_t> indices;
    for (int i = 0; i < 60'000; ++i)
        for (const int corner : {i, i + 260, ~(i + 261)})
            indices.push_back(corner);
    out.push_back(bytes_of(indices));
    std::vector<double> numbers;
    for (int i = 0; i < 60'000; ++i)
        numbers.push_back(static_cast<float>(i % 261) / 7.0f);
    out.push_back(bytes_of(numbers));
    Buffer noise(100'003);
    for (std::byte& byte : noise)
        byte = static_cast<std::byte>(random());
    out.push_back(noise);
    Buffer repeats;
    for (std::size_t distance = 1; distance < 300; ++distance) {
        const std::size_t begin = repeats.size();
        for (std::size_t i = 0; i < distance + 600; ++i)
            repeats.push_back(i < distance ? static_cast<std::byte>(random())
                                           : repeats[begin + i - distance]);
    }
    out.push_back(repeats);
    return out;
}

// Empty where it is refused and where it holds nothing.
Buffer inflate_pieces(const Buffer& stream, std::size_t size)
{
    Buffer out;
    bool is_last = false;
    const bool good = inflate_zlib(stream, size, [&](Bytes piece) {
        EXPECT_FALSE(is_last);
        is_last = piece.size() % 64 != 0;
        out.insert(out.end(), piece.begin(), piece.end());
    });
    return good ? out : Buffer();
}

TEST(Inflate, GivesWhatWasDeflated)
{
    for (const Buffer& plain : samples()) {
        for (const int level : {0, 1, 6, 9, 12}) {
            const Buffer stream = deflate(plain, level);
            Buffer out(plain.size());
            EXPECT_TRUE(inflate_zlib(stream, std::span(out))) << plain.size() << " bytes, level " << level;
            EXPECT_TRUE(out == plain) << plain.size() << " bytes, level " << level;
            EXPECT_TRUE(inflate_pieces(stream, plain.size()) == plain) << plain.size() << ", level " << level;
        }
    }
}

TEST(Inflate, RefusesAnotherSize)
{
    for (const Buffer& plain : samples()) {
        const Buffer stream = deflate(plain, 6);
        Buffer more(plain.size() + 1), fewer(plain.size() - std::min<std::size_t>(plain.size(), 1));
        EXPECT_FALSE(inflate_zlib(stream, std::span(more)));
        EXPECT_TRUE(inflate_pieces(stream, more.size()).empty());
        if (plain.empty()) continue;
        EXPECT_FALSE(inflate_zlib(stream, std::span(fewer)));
        EXPECT_TRUE(inflate_pieces(stream, fewer.size()).empty());
    }
}

TEST(Inflate, RefusesAStreamThatEndsEarly)
{
    Buffer plain = samples()[4];
    plain.resize(3000);
    for (const int level : {0, 1, 12}) {
        const Buffer whole = deflate(plain, level);
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const Buffer stream(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
            Buffer out(plain.size());
            EXPECT_FALSE(inflate_zlib(stream, std::span(out))) << size;
        }
    }
}

// A checksum follows, so that no bit but those that say nothing can change.
TEST(Inflate, RefusesChangedBits)
{
    Buffer plain = samples()[3];
    plain.resize(20'000);
    const Buffer whole = deflate(plain, 6);
    std::mt19937 random(5);
    for (int round = 0; round < 3000; ++round) {
        Buffer stream = whole;
        for (unsigned changes = 1 + random() % 3; changes > 0; --changes)
            stream[random() % stream.size()] ^= static_cast<std::byte>(1u << random() % 8);
        Buffer out(plain.size());
        if (inflate_zlib(stream, std::span(out))) EXPECT_TRUE(out == plain);
    }
}

Buffer stream_of(std::string_view bytes)
{
    return bytes_of(bytes);
}

TEST(Inflate, RefusesWhatIsNoStream)
{
    using namespace std::string_view_literals;
    Buffer out(4);
    for (const auto bytes : {
             ""sv, "\x78"sv,
             "\x79\x9C\x03\0\0\0\0\1"sv,                   // another method
             "\x78\x9D\x03\0\0\0\0\1"sv,                   // a header whose check is wrong
             "\x78\xBB\0\0\0\0\x03\0\0\0\0\1"sv,           // a dictionary
             "\x78\x9C\x07\0\0\0\0\1"sv,                   // the kind of block that there is not
             "\x78\x9C\x01\4\0\4\0abcd\3\xD8\1\x8B"sv,     // a stored block whose length contradicts itself
             "\x78\x9C\x01\xFF\0\0\xFFzzzz\3\xD8\1\x8B"sv, // one that is longer than what follows
             "\x78\x9C\x03\2\0\0\0\0\1"sv,                 // a copy from before the beginning
             "\x78\x9C\xFD\xFF\xFF\xFF\xFF\xFF\xFF\xFF"sv, // more codewords than there can be
         })
        EXPECT_FALSE(inflate_zlib(stream_of(bytes), std::span(out))) << testing::PrintToString(bytes);
    EXPECT_TRUE(inflate_zlib(stream_of("\x78\x9C\x01\4\0\xFB\xFF"
                                       "abcd\x03\xD8\x01\x8B"sv),
                             std::span(out)));
}

} // namespace
} // namespace vitrine::io

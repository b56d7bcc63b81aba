#include "loaders/io/text/number_scanner.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace vitrine::io {
namespace {

const std::string tail(80, ' ');

template <class T>
std::vector<T> read_all(const std::string& text, Separators between = Separators::blanks)
{
    std::vector<T> out(text.size() + 1);
    const std::string padded = text + tail;
    const NumberRun run = scan_numbers(padded.data(), padded.data() + padded.size(), between, std::span(out));
    out.resize(run.count);
    return out;
}

// Without AVX2 nothing is read here; the loaders' fallback is tested with the loaders.
bool has_fast_scanner()
{
    return read_all<float>("1 ").size() == 1;
}

template <class T>
T nearest(std::string_view word)
{
    T value{};
    std::from_chars(word.data(), word.data() + word.size(), value);
    return value;
}

TEST(NumberScanner, MatchesFromChars)
{
    if (!has_fast_scanner()) GTEST_SKIP() << "no AVX2";
    std::mt19937 random(7);
    const auto upto = [&](unsigned most) { return static_cast<unsigned>(random() % (most + 1)); };
    std::string text;
    std::vector<double> expected;
    for (int i = 0; i < 200'000; ++i) {
        std::string word = upto(1) == 0 ? "-" : "";
        const unsigned whole = upto(5), decimals = whole == 0 ? 1 + upto(9) : upto(10);
        for (unsigned d = 0; d < whole; ++d)
            word += static_cast<char>('0' + upto(9));
        if (decimals > 0 || upto(3) == 0) word += '.';
        for (unsigned d = 0; d < decimals; ++d)
            word += static_cast<char>('0' + upto(9));
        expected.push_back(nearest<double>(word));
        text += word + std::string(1 + upto(9) / 9, " \n\t"[upto(2)]);
    }
    const auto values = read_all<double>(text);
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(std::bit_cast<std::uint64_t>(values[i]), std::bit_cast<std::uint64_t>(expected[i])) << i;
}

TEST(NumberScanner, ReadsEveryLengthAndPositionOfThePoint)
{
    if (!has_fast_scanner()) GTEST_SKIP() << "no AVX2";
    const std::string digits = "1234567890123456789";
    for (std::size_t count = 1; count <= digits.size(); ++count) {
        for (std::size_t point = 0; point <= count; ++point) {
            std::string word = digits.substr(0, count);
            const double whole = static_cast<double>(std::stoull(word));
            const double expected = whole / std::pow(10.0, static_cast<double>(count - point));
            word.insert(point, 1, '.');
            const auto values = read_all<double>(fmt::format("-{0} {0}\n", word));
            ASSERT_EQ(values.size(), 2u) << word;
            EXPECT_DOUBLE_EQ(values[0], -expected) << word;
            EXPECT_DOUBLE_EQ(values[1], expected) << word;
        }
    }
}

TEST(NumberScanner, StopsBeforeOtherText)
{
    if (!has_fast_scanner()) GTEST_SKIP() << "no AVX2";
    for (const char* word :
         {"1e5", "+1", "nan", "-", ".", "-.", "1.2.3", "--1", "1-2", "0x10", "1,5", "12345678901234567890",
          "0.00000000000000000000", "1..", "..1", "1\x80", "/", ":", "1234567890.12345678.1"}) {
        const std::string text = std::string("1 22 333 ") + word + " 4 " + tail;
        std::vector<float> out(9);
        const NumberRun run =
            scan_numbers(text.data(), text.data() + text.size(), Separators::blanks, std::span(out));
        EXPECT_EQ(run.count, 3u) << word;
        EXPECT_EQ(run.end, text.data() + 9) << word;
    }
    EXPECT_EQ((read_all<float>("-0 ")), std::vector<float>{0.0f});
    EXPECT_TRUE(std::signbit(read_all<float>("-0 ").at(0)));
}

TEST(NumberScanner, ReadsIntegersOfEightDigits)
{
    if (!has_fast_scanner()) GTEST_SKIP() << "no AVX2";
    EXPECT_EQ((read_all<std::int32_t>("0,-1,\n12345678,,-99999999 , 7,", Separators::blanks_and_commas)),
              (std::vector<std::int32_t>{0, -1, 12'345'678, -99'999'999, 7}));
    EXPECT_EQ((read_all<std::uint32_t>("5 -5 5 ")), (std::vector<std::uint32_t>{5}));
    for (const char* word : {"123456789", "1.0", "-", "+1", "1e2", "a", "1;", "1:"})
        EXPECT_EQ((read_all<std::int32_t>(std::string("1 ") + word + " 2 ").size()), 1u) << word;
}

// Integers are combined in batches: tests every output size, and an invalid word at every position.
TEST(NumberScanner, ReadsIntegersUpToTheCapacityAndTheInvalidWord)
{
    if (!has_fast_scanner()) GTEST_SKIP() << "no AVX2";
    std::mt19937 random(11);
    std::string text;
    std::vector<std::int32_t> all;
    std::vector<std::size_t> starts;
    for (int i = 0; i < 700; ++i) {
        const auto value = static_cast<std::int32_t>(random() % 100'000'000u >> random() % 27);
        all.push_back(random() % 3 == 0 ? -value : value);
        starts.push_back(text.size());
        text += std::to_string(all.back()) + (random() % 5 == 0 ? ", \n" : ",");
    }
    const std::string padded = text + tail;
    for (std::size_t room = 0; room <= all.size() + 1; ++room) {
        std::vector<std::int32_t> out(room + 1, 7);
        const auto run = scan_numbers(padded.data(), padded.data() + padded.size(),
                                      Separators::blanks_and_commas, std::span(out).first(room));
        ASSERT_EQ(run.count, std::min(room, all.size()));
        ASSERT_TRUE(
            std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(run.count), all.begin()));
        ASSERT_EQ(out[room], 7);
    }
    for (std::size_t invalid_word = 0; invalid_word < all.size(); ++invalid_word) {
        std::string cut = padded;
        cut.insert(starts[invalid_word], invalid_word % 3 == 0   ? "x,"
                                         : invalid_word % 3 == 1 ? "123456789,"
                                                                 : "-,");
        std::vector<std::int32_t> out(all.size() + 1);
        const auto run =
            scan_numbers(cut.data(), cut.data() + cut.size(), Separators::blanks_and_commas, std::span(out));
        ASSERT_EQ(run.count, invalid_word);
        const auto stop = static_cast<std::size_t>(run.end - cut.data());
        ASSERT_EQ(cut.find_first_not_of(" \n,", stop), starts[invalid_word]);
        ASSERT_TRUE(
            std::equal(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(invalid_word), out.begin()))
            << invalid_word;
    }
}

TEST(NumberScanner, StaysInsideItsInputAndOutput)
{
    const std::string text = "1.5 2.5 3.5 4.5 ";
    for (std::size_t size = 0; size <= 200; ++size) {
        // In a separate allocation, so that a sanitizer detects out-of-bounds accesses.
        std::vector<char> exact(size, '7');
        for (std::size_t i = 0; i < size; i += 5)
            exact[i] = ' ';
        std::vector<double> out(size);
        const NumberRun run =
            scan_numbers(exact.data(), exact.data() + size, Separators::blanks, std::span(out));
        EXPECT_LE(run.end - exact.data(), static_cast<std::ptrdiff_t>(size));
        for (std::size_t i = 0; i < run.count; ++i)
            EXPECT_EQ(out[i], 7777.0);
    }
    std::vector<float> two(2);
    const std::string padded = text + tail;
    const NumberRun run =
        scan_numbers(padded.data(), padded.data() + padded.size(), Separators::blanks, std::span(two));
    EXPECT_LE(run.count, 2u);
    if (has_fast_scanner()) EXPECT_EQ(run.end, padded.data() + 8);
}

// Numbers are divided in batches: short, long and invalid ones at every position of a batch.
TEST(NumberScanner, ReadsAsManyNumbersAsFit)
{
    if (!has_fast_scanner()) GTEST_SKIP() << "no AVX2";
    std::string text;
    std::vector<double> all;
    for (int i = 0; i < 600; ++i) {
        const std::string word = std::to_string(i) + (i % 7 == 3 ? ".1234567890123" : ".5");
        text += word + (i % 5 == 0 ? "   " : " ");
        all.push_back(nearest<double>(word));
    }
    const std::string padded = text + tail;
    std::vector<double> rest(all.size() + 1);
    for (std::size_t room = 0; room <= all.size() + 1; ++room) {
        std::vector<double> out(room + 1, -1.0);
        const auto run = scan_numbers(padded.data(), padded.data() + padded.size(), Separators::blanks,
                                      std::span(out).first(room));
        ASSERT_EQ(run.count, std::min(room, all.size()));
        for (std::size_t i = 0; i < out.size(); ++i)
            ASSERT_EQ(out[i], i < run.count ? all[i] : -1.0) << room << " " << i;
        ASSERT_EQ(
            scan_numbers(run.end, padded.data() + padded.size(), Separators::blanks, std::span(rest)).count,
            all.size() - run.count);
    }
    for (std::size_t skip = 0; skip < 300; ++skip) {
        const std::string cut = text.substr(text.find(' ' + std::to_string(skip + 1) + '.')) + "x " + tail;
        std::vector<double> out(all.size());
        const auto run =
            scan_numbers(cut.data(), cut.data() + cut.size(), Separators::blanks, std::span(out));
        ASSERT_EQ(run.count, all.size() - skip - 1);
        ASSERT_EQ(run.end, cut.data() + cut.find('x'));
        for (std::size_t i = 0; i < run.count; ++i)
            ASSERT_EQ(out[i], all[i + skip + 1]) << skip << " " << i;
    }
}

TEST(ReadThree, ReadsOnlyThreeNumbers)
{
    if (!has_fast_scanner()) GTEST_SKIP() << "no AVX2";
    std::array<double, 4> v{};
    const auto read = [&](std::string line) {
        line += std::string(line_read_ahead, '\n');
        const char* end = read_three(line.data(), std::span(v));
        return end == nullptr ? -1 : static_cast<int>(end - line.data());
    };
    const auto three = [&] { return std::array{v[0], v[1], v[2]}; };
    EXPECT_EQ(read("1.5 -2.25\t3"), 11);
    EXPECT_EQ(three(), (std::array{1.5, -2.25, 3.0}));
    EXPECT_EQ(read("49.903755188 -0.0001 -1234567890123456\r\n"), 38);
    EXPECT_EQ(three(), (std::array{49.903755188, -0.0001, -1234567890123456.0}));
    EXPECT_EQ(read(" 1  2 \t 3 "), 9);
    EXPECT_EQ(three(), (std::array{1.0, 2.0, 3.0}));
    EXPECT_EQ(read("1 2 3 0.5 0.5 0.5"), 5); // the rest is left to the caller
    for (const char* line :
         {"", "1 2", "1 2\n3", "1\n2 3", "\n1 2 3", "1 2 \\\n3", "1 2 3e1", "1 2 3#", "1 2 x",
          "1 2 12345678901234567", "1\v2 3", "- 2 3", "1 . 3", "1 -. 3", "1 2 3..", "1 2 --3", "1,2 3"})
        EXPECT_EQ(read(line), -1) << line;
    for (const std::size_t blanks : {57u, 58u, 59u, 60u, 61u, 70u, 200u})
        EXPECT_EQ(read("1 2 " + std::string(blanks, ' ') + "3"),
                  blanks < 59 ? static_cast<int>(blanks) + 5 : -1);
    EXPECT_EQ(read("1234567890.12345 1234567890.12345 1234567890.12345 "), 50);
    const std::string uv = ".5 -1." + std::string(line_read_ahead, '\n');
    EXPECT_EQ(read_two(uv.data(), std::span(v)), uv.data() + 6);
    EXPECT_EQ((std::array{v[0], v[1]}), (std::array{0.5, -1.0}));
}

// A word of a megabyte is scanned once, not once per character.
TEST(NumberScanner, SkipsALongWord)
{
    const std::string text = std::string(1 << 20, '1') + tail;
    std::vector<float> out(4);
    const NumberRun run =
        scan_numbers(text.data(), text.data() + text.size(), Separators::blanks, std::span(out));
    EXPECT_EQ(run.count, 0u);
    EXPECT_EQ(run.end, text.data());
}

} // namespace
} // namespace vitrine::io

#include <array>
#include <string_view>

#include <gtest/gtest.h>

#include "loaders/worker/formats.hpp"

using namespace vitrine;
using namespace vitrine::worker;
using namespace std::string_view_literals;

namespace {

constexpr std::array first_extensions{".one"sv, ".uno"sv};
constexpr std::array second_extensions{".two"sv};

bool starts_with_two(Bytes bytes)
{
    return !bytes.empty() && bytes[0] == std::byte{2};
}

constexpr std::array table{
    Format{"first", first_extensions, nullptr, nullptr},
    Format{"second", second_extensions, starts_with_two, nullptr},
};

constexpr std::array<std::byte, 1> plain{std::byte{1}};
constexpr std::array<std::byte, 1> marked{std::byte{2}};

} // namespace

TEST(FindFormat, BytesThenName)
{
    EXPECT_EQ((*find_format(table, "a.one", plain))->name, "first");
    EXPECT_EQ((*find_format(table, "dir/a.UNO", plain))->name, "first");
    EXPECT_EQ((*find_format(table, "a.one", marked))->name, "second");
    EXPECT_EQ((*find_format(table, "a", marked))->name, "second");
    EXPECT_EQ((*find_format(table, "a.two", plain))->name, "second");
}

TEST(FindFormat, TellsLaterFromUnknown)
{
    EXPECT_EQ(find_format(table, "a.fbx", plain).error().code, LoadErrc::unsupported);
    EXPECT_EQ(find_format(table, "a.txt", plain).error().code, LoadErrc::unknown_format);
    EXPECT_EQ(find_format(table, "one", plain).error().code, LoadErrc::unknown_format);
}

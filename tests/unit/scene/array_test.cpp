#include "loaders/scene/array.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace vitrine::scene {
namespace {

using Integers = Array<std::uint32_t>;
using List = std::vector<std::uint32_t>;

List list_of(const Integers& numbers)
{
    return {numbers.begin(), numbers.end()};
}

struct Owned {
    std::shared_ptr<List> memory = std::make_shared<List>(List{1, 2, 3, 4});
    Integers view{std::span(*memory), memory};
};

TEST(Array, ViewRefersToItsMemoryAndKeepsIt)
{
    Owned owned;
    EXPECT_TRUE(owned.view.is_view());
    EXPECT_EQ(owned.view.data(), owned.memory->data());
    const std::weak_ptr<List> memory = owned.memory;
    owned.memory.reset();
    EXPECT_EQ(list_of(owned.view), (List{1, 2, 3, 4}));
    const Integers moved = std::move(owned.view);
    EXPECT_FALSE(memory.expired());
    EXPECT_EQ(list_of(moved), (List{1, 2, 3, 4}));
    EXPECT_TRUE(owned.view.empty()); // NOLINT(bugprone-use-after-move): specified
    owned.view = Integers{5};
    EXPECT_EQ(list_of(owned.view), List{5});
}

TEST(Array, MemoryOfAViewIsReleasedWithIt)
{
    Owned owned;
    const std::weak_ptr<List> memory = std::exchange(owned.memory, nullptr);
    owned.view.clear();
    EXPECT_TRUE(memory.expired());
    EXPECT_TRUE(owned.view.empty());
    EXPECT_FALSE(owned.view.is_view());
}

TEST(Array, ElementsOfAViewAreModifiedInPlace)
{
    Owned owned;
    owned.view[2] = 30;
    for (auto& number : owned.view)
        ++number;
    EXPECT_EQ(*owned.memory, (List{2, 3, 31, 5}));
    EXPECT_TRUE(owned.view.is_view());
}

TEST(Array, CopyOfAViewIsIndependent)
{
    Owned owned;
    Integers copy = owned.view;
    EXPECT_FALSE(copy.is_view());
    copy[0] = 9;
    EXPECT_EQ(owned.view[0], 1u);
    Integers assigned{7};
    assigned = owned.view;
    assigned[1] = 9;
    EXPECT_EQ(*owned.memory, (List{1, 2, 3, 4}));
}

TEST(Array, ChangesOfTheSizeOfAViewLeaveItsMemoryAlone)
{
    const auto changed = [](auto change) {
        Owned owned;
        change(owned.view);
        EXPECT_EQ(*owned.memory, (List{1, 2, 3, 4}));
        EXPECT_FALSE(owned.view.is_view());
        return list_of(owned.view);
    };
    EXPECT_EQ(changed([](Integers& n) { n.push_back(5); }), (List{1, 2, 3, 4, 5}));
    EXPECT_EQ(changed([](Integers& n) { n.emplace_back(n[0]); }), (List{1, 2, 3, 4, 1}));
    EXPECT_EQ(changed([](Integers& n) { n.pop_back(); }), (List{1, 2, 3}));
    EXPECT_EQ(changed([](Integers& n) { n.resize(6); }), (List{1, 2, 3, 4, 0, 0}));
    EXPECT_EQ(changed([](Integers& n) { n.resize(5, n[3]); }), (List{1, 2, 3, 4, 4}));
    EXPECT_EQ(changed([](Integers& n) { n.reserve(100); }), (List{1, 2, 3, 4}));
    EXPECT_EQ(changed([](Integers& n) { n.assign(2, n[1]); }), (List{2, 2}));
    EXPECT_EQ(changed([](Integers& n) { n.assign(n.begin() + 1, n.end()); }), (List{2, 3, 4}));
    EXPECT_EQ(changed([](Integers& n) { n.insert(n.begin() + 1, 9); }), (List{1, 9, 2, 3, 4}));
    EXPECT_EQ(changed([](Integers& n) { n.insert(n.end(), 2, n[0]); }), (List{1, 2, 3, 4, 1, 1}));
    EXPECT_EQ(changed([](Integers& n) { n.insert(n.begin(), {8, 9}); }), (List{8, 9, 1, 2, 3, 4}));
    EXPECT_EQ(changed([](Integers& n) { n.erase(n.begin()); }), (List{2, 3, 4}));
    EXPECT_EQ(changed([](Integers& n) { n.erase(n.begin() + 1, n.begin() + 3); }), (List{1, 4}));
    EXPECT_EQ(changed([](Integers& n) { n = {7}; }), List{7});
}

TEST(Array, TakesTheMemoryOfAVector)
{
    List list{1, 2, 3};
    const auto* const memory = list.data();
    const Integers numbers = std::move(list);
    EXPECT_EQ(numbers.data(), memory);
}

TEST(Array, ComparesElements)
{
    const Owned owned;
    EXPECT_EQ(owned.view, (Integers{1, 2, 3, 4}));
    EXPECT_EQ(owned.view, (List{1, 2, 3, 4}));
    EXPECT_NE(owned.view, (Integers{1, 2, 3}));
    EXPECT_NE(owned.view, (Integers{1, 2, 3, 5}));
}

// Random operations on an Array, now and then replaced by a view, and on a vector.
TEST(Array, BehavesAsAVector)
{
    std::mt19937 random(1);
    const auto below = [&](std::size_t end) {
        return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
    };
    Integers numbers;
    List list;
    for (std::uint32_t i = 0; i < 20'000; ++i) {
        const auto at = below(list.size() + 1);
        const auto place = static_cast<std::ptrdiff_t>(at);
        switch (below(7)) {
        case 0: {
            auto memory = std::make_shared<List>(list);
            numbers = Integers(std::span(*memory), memory);
            break;
        }
        case 1: numbers.push_back(i), list.push_back(i); break;
        case 2: numbers.insert(numbers.begin() + place, i), list.insert(list.begin() + place, i); break;
        case 3:
            numbers.erase(numbers.begin(), numbers.begin() + place),
                list.erase(list.begin(), list.begin() + place);
            break;
        case 4: numbers.resize(at + below(20), i), list.resize(numbers.size(), i); break;
        case 5:
            erase_if(numbers, [&](auto n) { return n % 3 == i % 3; }),
                std::erase_if(list, [&](auto n) { return n % 3 == i % 3; });
            break;
        default:
            if (at < list.size()) numbers[at] = list[at] = i;
        }
        ASSERT_EQ(list_of(numbers), list) << i;
    }
}

} // namespace
} // namespace vitrine::scene

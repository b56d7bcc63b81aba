#include "tests/support/vulkan/faulty_cards.hpp"

#include <algorithm>
#include <deque>
#include <mutex>

namespace vitrine::test {
namespace {

std::mutex& cards_mutex()
{
    static std::mutex mutex;
    return mutex;
}

std::deque<Card>& cards()
{
    static std::deque<Card> all;
    return all;
}

} // namespace

VkPhysicalDevice handle_of(VkPhysicalDevice real, std::uint32_t number)
{
    const std::scoped_lock lock(cards_mutex());
    const auto known = std::ranges::find_if(
        cards(), [&](const Card& card) { return card.real == real && card.number == number; });
    auto& card = known != cards().end() ? *known : cards().emplace_back(real, number);
    return reinterpret_cast<VkPhysicalDevice>(&card);
}

std::optional<Card> card_of(VkPhysicalDevice physical)
{
    const std::scoped_lock lock(cards_mutex());
    for (const auto& card : cards())
        if (reinterpret_cast<VkPhysicalDevice>(const_cast<Card*>(&card)) == physical) return card;
    return {};
}

VkPhysicalDevice real_of(VkPhysicalDevice physical)
{
    const auto card = card_of(physical);
    return card ? card->real : physical;
}

} // namespace vitrine::test

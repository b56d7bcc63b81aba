// Selection of the devices that render.
#include "vk_renderer/gpu/device_selection.hpp"

#include <array>
#include <stdexcept>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace vitrine::render {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using enum DeviceKind;

const DeviceCandidate lavapipe{"llvmpipe (LLVM 15, 256 bits)", software, "", "", ""};
const DeviceCandidate swiftshader{"SwiftShader Device", software, "", "", ""};
const DeviceCandidate onboard{"Intel(R) UHD 770", integrated, "", "0000:00:02.0", ""};
const DeviceCandidate first_card{"NVIDIA GeForce RTX 4090", discrete, "", "0000:01:00.0", ""};
const DeviceCandidate second_card{"NVIDIA GeForce RTX 4090", discrete, "", "0000:02:00.0", ""};
const DeviceCandidate other_driver{"NVK AD102", discrete, "", "0000:01:00.0", ""};
const DeviceCandidate old{"GeForce 8800", discrete, "it has no Vulkan 1.3", "0000:03:00.0", ""};

TEST(DeviceSelection, PrefersGpusToSoftware)
{
    EXPECT_THAT(choose(std::array{lavapipe, first_card}, "auto"), ElementsAre(1));
    EXPECT_THAT(choose(std::array{lavapipe, onboard}, "auto"), ElementsAre(1));
    EXPECT_THAT(choose(std::array{lavapipe, old}, "auto"), ElementsAre(0));
    EXPECT_THAT(choose(std::array{lavapipe, swiftshader}, "auto"), ElementsAre(0)) << "one processor";
    EXPECT_THAT(choose(std::array{lavapipe, first_card}, "software"), ElementsAre(0));
}

TEST(DeviceSelection, SelectsNoSoftwareDeviceAsGpu)
{
    EXPECT_THAT(choose(std::array{lavapipe, onboard, first_card, second_card}, "gpu"), ElementsAre(2, 3));
    EXPECT_THAT(choose(std::array{lavapipe, onboard}, "gpu"), ElementsAre(1));
    EXPECT_THAT([] { choose(std::array{lavapipe, old}, "gpu"); },
                ThrowsMessage<std::runtime_error>(
                    HasSubstr("no usable Vulkan device 'gpu'; available: 0: llvmpipe")));
}

TEST(DeviceSelection, SelectsEveryGpuOfTheBestKind)
{
    EXPECT_THAT(choose(std::array{onboard, first_card, lavapipe, second_card}, "auto"), ElementsAre(1, 3));
    EXPECT_THAT(choose(std::array{first_card, other_driver, second_card}, "auto"), ElementsAre(0, 2))
        << "one card, two drivers";
    EXPECT_THAT(choose(std::array{lavapipe, lavapipe}, "0,1"), ElementsAre(0, 1)) << "as specified";
}

TEST(DeviceSelection, SelectsByName)
{
    const std::array all{lavapipe, first_card, onboard, second_card, old};
    EXPECT_THAT(choose(all, "2"), ElementsAre(2));
    EXPECT_THAT(choose(all, "3,0"), ElementsAre(3, 0)) << "in order";
    EXPECT_THAT(choose(all, "1,1"), ElementsAre(1));
    EXPECT_THAT(choose(all, "nvidia"), ElementsAre(1, 3)) << "every one";
    EXPECT_THAT(choose(all, "RTX 4090"), ElementsAre(1, 3));
    EXPECT_THAT(choose(all, "uhd,3"), ElementsAre(2, 3));
    EXPECT_THAT(choose(all, "auto,software"), ElementsAre(1, 3, 0));
}

TEST(DeviceSelection, ListsAvailableDevicesInErrors)
{
    const auto error_text = [](const std::string& selection) -> std::string {
        try {
            choose(std::array{lavapipe, old}, selection);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "nothing rejected";
    };
    EXPECT_EQ(
        error_text("7"),
        "no usable Vulkan device has the index 7; available: 0: llvmpipe (LLVM 15, 256 bits), 1: GeForce "
        "8800 at 0000:03:00.0 (it has no Vulkan 1.3)");
    EXPECT_THAT(error_text("1"), HasSubstr("has the index 1;"));
    EXPECT_THAT(error_text("force 8800"), HasSubstr("device 'force 8800'"));
    EXPECT_THAT(error_text("0,radeon"), HasSubstr("device 'radeon'"));
    for (const auto* empty : {"", "0,", ",0", "0,,0"})
        EXPECT_THAT(error_text(empty), HasSubstr("device ''"));
    EXPECT_THROW(choose({}, "auto"), std::runtime_error);
}

// "--gpu 5" on a machine with five devices must not select a device with a 5 in its name.
TEST(DeviceSelection, TreatsNumbersOnlyAsIndices)
{
    const std::array all{lavapipe, first_card};
    for (const auto* number : {"15", "4090", "2", "0,2", "99999999999999999999999"})
        EXPECT_THAT([&] { choose(all, number); },
                    ThrowsMessage<std::runtime_error>(HasSubstr("no usable Vulkan device has the index")))
            << number;
    for (const auto* part : {"15,", "(", " ", "4090 ", "-1", "+1", "1.0"})
        EXPECT_THROW(choose(all, part), std::runtime_error) << part;
    EXPECT_THAT([&] { choose(all, "256 "); },
                ThrowsMessage<std::runtime_error>(HasSubstr("a part of a name must contain a letter")));
    EXPECT_THAT(choose(all, "01"), ElementsAre(1));
    EXPECT_THAT(choose(all, "M 1"), ElementsAre(0));
}

// Eight cards of one name.
std::vector<DeviceCandidate> eight_cards()
{
    std::vector<DeviceCandidate> cards;
    for (std::uint8_t i = 0; i < 8; ++i) {
        std::array<std::uint8_t, 16> uuid{0xAB, 0xCD};
        uuid.back() = i;
        cards.push_back(
            {"NVIDIA H100", discrete, "", fmt::format("0000:{:02x}:00.0", 0x1A + i), format_uuid(uuid)});
    }
    return cards;
}

TEST(DeviceSelection, TellsCardsOfOneNameApart)
{
    const auto cards = eight_cards();
    EXPECT_THAT(choose(cards, "auto"), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_THAT(choose(cards, "0000:1d:00.0"), ElementsAre(3));
    EXPECT_THAT(choose(cards, "00000000:1D:00.0"), ElementsAre(3)) << "as nvidia-smi writes it";
    EXPECT_THAT(choose(cards, "1d:00.0,1B:00.0"), ElementsAre(3, 1));
    EXPECT_THAT(choose(cards, "abcd0000-0000-0000-0000-000000000005"), ElementsAre(5));
    EXPECT_THAT(choose(cards, "GPU-abcd0000-0000-0000-0000-000000000005,5"), ElementsAre(5));
    for (const auto* missing : {"0000:1d:00.1", "0001:1d:00.0", "GPU-abcd0000-0000-0000-0000-000000000009"})
        EXPECT_THAT([&] { choose(cards, missing); },
                    ThrowsMessage<std::runtime_error>(
                        HasSubstr(fmt::format("no usable Vulkan device '{}'; available: 0: NVIDIA H100 at "
                                              "0000:1a:00.0, 1: ",
                                              missing))));
}

TEST(DeviceSelection, SelectsTheSameCardWhenAnotherIsGone)
{
    const auto cards = eight_cards();
    for (std::size_t gone = 0; gone < cards.size(); ++gone) {
        auto left = cards;
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(gone));
        for (std::size_t i = 0; i < cards.size(); ++i) {
            const auto selector = selector_of(cards, i);
            if (i == gone)
                EXPECT_THROW(choose(left, selector), std::runtime_error);
            else
                EXPECT_EQ(left[choose(left, selector).at(0)].uuid, cards[i].uuid);
        }
    }
}

TEST(DeviceSelection, WritesSelectorsThatAreUnique)
{
    auto cards = eight_cards();
    EXPECT_EQ(selector_of(cards, 2), "0000:1c:00.0");
    cards[2].pci_address.clear();
    EXPECT_EQ(selector_of(cards, 2), "abcd0000-0000-0000-0000-000000000002");
    cards[2].uuid.clear();
    EXPECT_EQ(selector_of(cards, 2), "2");
    cards[3].pci_address = cards[4].pci_address; // two drivers
    EXPECT_EQ(selector_of(cards, 4), "abcd0000-0000-0000-0000-000000000004");
}

} // namespace
} // namespace vitrine::render

#include "server/cli/devices/nvidia_cards.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "server/util/files.hpp"

namespace vitrine::cli {
namespace {

namespace fs = std::filesystem;

class NvidiaCards : public ::testing::Test {
protected:
    void write(const std::string& address, const std::string& information) const
    {
        fs::create_directories(folder_.path() / "gpus" / address);
        std::ofstream(folder_.path() / "gpus" / address / "information") << information;
    }

    server::TemporaryFolder folder_{fs::temp_directory_path()};
};

TEST_F(NvidiaCards, HaveAddressModelAndUuid)
{
    write("0000:65:00.0", "Model: \t\t NVIDIA H100 80GB HBM3\nIRQ:   \t\t 43\n"
                          "GPU UUID: \t GPU-3f2a1b9c-0000-1111-2222-333344445555\n"
                          "Bus Location: \t 0000:65:00.0\nDevice Minor: \t 1\n");
    write("0000:17:00.0", "");
    const auto cards = nvidia_cards(folder_.path());
    ASSERT_EQ(cards.size(), 2u);
    EXPECT_EQ(cards[0].pci_address, "0000:17:00.0");
    EXPECT_EQ(cards[0].model, "");
    EXPECT_EQ(cards[1].pci_address, "0000:65:00.0");
    EXPECT_EQ(cards[1].model, "NVIDIA H100 80GB HBM3");
    EXPECT_EQ(cards[1].uuid, "GPU-3f2a1b9c-0000-1111-2222-333344445555");
    EXPECT_FALSE(cards[1].is_split);
}

TEST_F(NvidiaCards, AreSplitIntoInstances)
{
    write("0000:17:00.0", "Device Minor: \t 0\n");
    write("0000:65:00.0", "Device Minor: \t 1\n\n:\n");
    fs::create_directories(folder_.path() / "capabilities/gpu0/mig");
    fs::create_directories(folder_.path() / "capabilities/gpu1/mig/gi7/ci0");
    const auto cards = nvidia_cards(folder_.path());
    ASSERT_EQ(cards.size(), 2u);
    EXPECT_FALSE(cards[0].is_split) << "it could be split, but is not";
    EXPECT_TRUE(cards[1].is_split);
}

TEST_F(NvidiaCards, AreNoneWithoutTheDriver)
{
    EXPECT_TRUE(nvidia_cards(folder_.path() / "none").empty());
}

} // namespace
} // namespace vitrine::cli

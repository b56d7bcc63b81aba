#include "tests/bench/gpu/pci_link.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/temp_dir.hpp"

namespace vitrine::bench {
namespace {

class PciDevices : public testing::Test {
protected:
    void write(const std::string& name, const std::string& text) const
    {
        const auto folder = root.path() / address;
        std::filesystem::create_directories(folder);
        std::ofstream(folder / name) << text;
    }

    const std::string address = "0000:65:00.0";
    const test::TempDir root;
};

// The lines of an RTX 3090 with a BAR of 32 GiB.
constexpr const char* resource =
    "0x00000000fb000000 0x00000000fbffffff 0x0000000000040200\n"
    "0x0000006000000000 0x00000067ffffffff 0x000000000014220c\n"
    "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
    "0x0000006800000000 0x0000006801ffffff 0x000000000014220c\n"
    "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
    "0x000000000000e000 0x000000000000e07f 0x0000000000040101\n"
    "0x0000007000000000 0x000000ffffffffff 0x0000000000046200\n"; // the ROM's line

TEST_F(PciDevices, TellTheLinkAndTheLargestBar)
{
    write("current_link_speed", "2.5 GT/s PCIe\n");
    write("max_link_speed", "16.0 GT/s PCIe\n");
    write("current_link_width", "16\n");
    write("max_link_width", "16\n");
    write("resource", resource);
    write("resource1_resize", "");
    const auto link = read_pci_link(address, root.path());
    ASSERT_TRUE(link);
    EXPECT_EQ(link->current_speed, "2.5 GT/s PCIe");
    EXPECT_EQ(link->max_speed, "16.0 GT/s PCIe");
    EXPECT_EQ(link->current_width, "16");
    EXPECT_EQ(link->max_width, "16");
    EXPECT_EQ(link->largest_bar_bytes, std::uint64_t{32} << 30);
    EXPECT_TRUE(link->can_resize);
}

TEST_F(PciDevices, MayTellNothing)
{
    EXPECT_FALSE(read_pci_link(address, root.path()));
    EXPECT_FALSE(read_pci_link("", root.path()));
    EXPECT_FALSE(read_dpm(address, "pp_dpm_sclk", root.path()));
    write("current_link_speed", "");
    const auto link = read_pci_link(address, root.path());
    ASSERT_TRUE(link);
    EXPECT_EQ(link->max_speed, "");
    EXPECT_EQ(link->largest_bar_bytes, 0u);
    EXPECT_FALSE(link->can_resize);
}

TEST(LargestBar, IgnoresLinesThatAreNoNumbers)
{
    EXPECT_EQ(largest_bar("none"), 0u);
    EXPECT_EQ(largest_bar("0x1000 0x1fff 0x0\nend"), 0x1000u);
}

TEST_F(PciDevices, TellTheClocksOfAmdgpu)
{
    write("pp_dpm_sclk", "0: 500Mhz \n1: 1800Mhz *\n2: 2575Mhz \n");
    const auto clocks = read_dpm(address, "pp_dpm_sclk", root.path());
    ASSERT_TRUE(clocks);
    EXPECT_EQ(clocks->current, "1800Mhz");
    EXPECT_EQ(clocks->states, (std::vector<std::string>{"500Mhz", "1800Mhz", "2575Mhz"}));
}

TEST(NvidiaClocks, AreTheFieldsOfALine)
{
    const auto fields =
        parse_nvidia("345 MHz, 1980 MHz, 2619 MHz, 2619 MHz, P0, 114.62 W, 700.00 W, 31, 5, 5, "
                     "Disabled, Enabled, 550.90.07\n");
    EXPECT_EQ(fields.at("clocks.gr"), "345 MHz");
    EXPECT_EQ(fields.at("clocks.max.mem"), "2619 MHz");
    EXPECT_EQ(fields.at("pcie.link.gen.max"), "5");
    EXPECT_EQ(fields.at("driver_version"), "550.90.07");
    EXPECT_TRUE(parse_nvidia("No devices were found\n").empty());
}

// It becomes a word of a shell command.
TEST(NvidiaClocks, AreNotAskedForWithoutAnAddress)
{
    EXPECT_TRUE(query_nvidia("").empty());
    EXPECT_TRUE(query_nvidia("0000:65:00.0; echo 1,2,3,4,5,6,7,8,9,10,11,12,13 #").empty());
}

} // namespace
} // namespace vitrine::bench

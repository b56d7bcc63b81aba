// Which Vulkan drivers are disabled, that the user's own settings take precedence, and which cards are
// unused.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "vk_renderer/gpu/driver_filter.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::render {
namespace {

std::string variable(const char* name)
{
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

// NOLINTBEGIN(concurrency-mt-unsafe): one thread
class DriverFilter : public testing::Test {
protected:
    void SetUp() override
    {
        for (const auto* name :
             {"VK_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_ADD_DRIVER_FILES", "VK_LOADER_DRIVERS_SELECT",
              "VK_LOADER_DRIVERS_DISABLE", "NODEVICE_SELECT", "MESA_VK_DEVICE_SELECT", "DRI_PRIME"})
            ::unsetenv(name);
    }
};

TEST_F(DriverFilter, DisablesCardDriversForSoftware)
{
    const auto left_out = unused_drivers("software", true);
    for (const auto* driver : {"intel*", "radeon*", "nvidia*"})
        EXPECT_NE(left_out.find(driver), std::string::npos) << driver;
    for (const auto* driver : {"lvp", "swiftshader"})
        EXPECT_EQ(left_out.find(driver), std::string::npos) << driver;
}

TEST_F(DriverFilter, OpensAllDriversIfThereAreCards)
{
    EXPECT_EQ(unused_drivers("auto", true), "");
    EXPECT_EQ(unused_drivers("1", true), "");
}

// Its driver opens /dev/nvidia*, even if /dev/dri is not available in a container.
TEST_F(DriverFilter, OpensNvidiaWithoutDri)
{
    EXPECT_EQ(unused_drivers("auto", false).find("nvidia"), std::string::npos);
    EXPECT_NE(unused_drivers("auto", false).find("intel*"), std::string::npos);
}

TEST_F(DriverFilter, SetsTheLoaderVariables)
{
    disable_unused_drivers("software");
    EXPECT_EQ(variable("VK_LOADER_DRIVERS_DISABLE"), unused_drivers("software", true));
    EXPECT_EQ(variable("NODEVICE_SELECT"), "1");
}

TEST_F(DriverFilter, KeepsExistingVariables)
{
    ::setenv("VK_DRIVER_FILES", "/tmp/mine.json", 1);
    disable_unused_drivers("software");
    EXPECT_EQ(variable("VK_LOADER_DRIVERS_DISABLE"), "");
    ::unsetenv("VK_DRIVER_FILES");
    ::setenv("MESA_VK_DEVICE_SELECT", "10005:0", 1);
    disable_unused_drivers("software");
    EXPECT_NE(variable("VK_LOADER_DRIVERS_DISABLE"), "");
    EXPECT_EQ(variable("NODEVICE_SELECT"), "");
}

// NOLINTEND(concurrency-mt-unsafe)

TEST(UnusedCard, IsNamedWhenTheProcessorRendersUnasked)
{
    const auto dev =
        std::filesystem::temp_directory_path() / ("vitrine-unused-" + std::to_string(::getpid()));
    std::filesystem::create_directories(dev);
    DeviceInfo device{.name = "llvmpipe", .driver = "", .api_version = "1.3", .software = true};
    EXPECT_EQ(unused_card_notice("auto", device, dev), "") << "there is no card";
    std::ofstream(dev / "nvidia0") << "";
    const auto notice = unused_card_notice("auto", device, dev);
    EXPECT_NE(notice.find((dev / "nvidia0").native()), std::string::npos) << notice;
    EXPECT_EQ(unused_cards("auto", device, dev).size(), 1u);
    EXPECT_EQ(unused_card_notice("software", device, dev), "");
    device.software = false;
    EXPECT_EQ(unused_card_notice("auto", device, dev), "") << "a card renders";
    std::filesystem::remove_all(dev);
}

} // namespace
} // namespace vitrine::render

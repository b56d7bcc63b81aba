#include "server/cli/devices/vulkan_drivers.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "server/util/files.hpp"

namespace vitrine::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class VulkanDrivers : public ::testing::Test {
protected:
    fs::path write(const std::string& name, const std::string& text) const
    {
        std::ofstream(folder_.path() / name) << text;
        return folder_.path() / name;
    }
    fs::path manifest(const std::string& name, const std::string& library) const
    {
        return write(name, R"({"file_format_version": "1.0.0", "ICD": {"library_path": ")" + library +
                               R"(", "api_version": "1.3.0"}})");
    }

    server::TemporaryFolder folder_{fs::temp_directory_path()};
};

TEST_F(VulkanDrivers, NameTheLibraryThatIsMissing)
{
    const std::array manifests{manifest("good.json", "libm.so.6"),
                               manifest("bad.json", "libvitrine_none.so.1")};
    const auto drivers = find_vulkan_drivers(manifests);
    ASSERT_EQ(drivers.size(), 2u);
    EXPECT_EQ(drivers[0].library, "libm.so.6");
    EXPECT_EQ(drivers[0].error, "");
    EXPECT_EQ(drivers[1].manifest, manifests[1]);
    EXPECT_THAT(drivers[1].error, HasSubstr("libvitrine_none.so.1: cannot open shared object file"));
}

TEST_F(VulkanDrivers, AreRelativeToTheirManifest)
{
    write("broken.so", "not a library");
    const auto drivers = find_vulkan_drivers(std::array{manifest("relative.json", "./broken.so")});
    ASSERT_EQ(drivers.size(), 1u);
    EXPECT_THAT(drivers[0].error, HasSubstr((folder_.path() / "./broken.so").string()));
}

TEST_F(VulkanDrivers, OtherFilesAreReported)
{
    for (const char* text : {"", "[]", "{", R"({"ICD": {}})", R"({"ICD": {"library_path": 7}})"}) {
        const auto drivers = find_vulkan_drivers(std::array{write("other.json", text)});
        ASSERT_EQ(drivers.size(), 1u) << text;
        EXPECT_EQ(drivers[0].error, "it is not the manifest of a driver") << text;
    }
}

TEST(UnusedCardFix, NamesTheManifestAndTheCapabilityOfContainers)
{
    const VulkanDriver software{"/usr/share/vulkan/icd.d/lvp_icd.x86_64.json", "libvulkan_lvp.so", ""};
    const VulkanDriver radeon{"/usr/share/vulkan/icd.d/radeon_icd.x86_64.json", "libvulkan_radeon.so", ""};
    const VulkanDriver nvidia{"/etc/vulkan/icd.d/nvidia_icd.json", "libGLX_nvidia.so.0", ""};
    const std::array<fs::path, 2> cards{"/dev/dri/renderD128", "/dev/nvidia0"};
    for (const auto& drivers : {std::vector{software}, std::vector{software, radeon}})
        EXPECT_THAT(unused_card_fix(cards, drivers),
                    AllOf(HasSubstr("nvidia_icd.json"), HasSubstr("NVIDIA_DRIVER_CAPABILITIES=graphics")));
    EXPECT_THAT(unused_card_fix(cards, std::array{software, nvidia}), HasSubstr("open /dev/nvidia0"));
    const auto dri = std::span(cards).first(1);
    EXPECT_THAT(unused_card_fix(dri, std::array{software}), HasSubstr("radeon_icd.json"));
    EXPECT_THAT(unused_card_fix(dri, std::array{software, radeon}), HasSubstr("open /dev/dri/renderD128"));
}

} // namespace
} // namespace vitrine::cli

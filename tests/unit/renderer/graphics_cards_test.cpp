#include "vk_renderer/gpu/graphics_cards.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <unistd.h>

namespace vitrine::render {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(GraphicsCards, AreFoundByTheirDeviceFiles)
{
    const fs::path dev = fs::temp_directory_path() / ("vitrine-cards-" + std::to_string(::getpid()));
    EXPECT_THAT(find_cards(dev), IsEmpty());
    fs::create_directories(dev / "dri");
    for (const char* name : {"nvidiactl", "nvidia-modeset", "null", "dri/card0"})
        std::ofstream(dev / name) << "";
    EXPECT_THAT(find_cards(dev), IsEmpty());
    for (const char* name : {"nvidia1", "nvidia0", "dri/renderD128"})
        std::ofstream(dev / name) << "";
    EXPECT_THAT(find_cards(dev), ElementsAre(dev / "dri/renderD128", dev / "nvidia0", dev / "nvidia1"));
    fs::remove_all(dev);
}

} // namespace
} // namespace vitrine::render

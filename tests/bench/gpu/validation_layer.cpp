#include "tests/bench/gpu/validation_layer.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace vitrine::bench {
namespace {

namespace fs = std::filesystem;

// Since 1.3.224, 1.3.269 and 1.3.296 of the layer.
constexpr std::array settings{"VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT",
                              "syncval_queue_submit", "syncval_submit_time_validation"};

void add_list(std::vector<fs::path>& folders, const char* variable)
{
    const char* list = std::getenv(variable);
    std::istringstream parts{list != nullptr ? list : ""};
    for (std::string part; std::getline(parts, part, ':');)
        if (!part.empty()) folders.emplace_back(part);
}

} // namespace

std::vector<fs::path> layer_folders()
{
    std::vector<fs::path> folders;
    add_list(folders, "VK_LAYER_PATH");
    add_list(folders, "VK_ADD_LAYER_PATH");
    for (const char* root : {"/etc", "/usr/local/etc", "/usr/local/share", "/usr/share"})
        folders.push_back(fs::path(root) / "vulkan/explicit_layer.d");
    return folders;
}

std::string submission_setting(std::string_view manifest)
{
    for (const auto* setting : settings)
        if (manifest.contains(setting)) return setting;
    return {};
}

std::string submission_variable(std::string_view setting)
{
    if (setting.empty()) return {};
    if (setting == settings[0]) return "VK_LAYER_ENABLES=" + std::string(setting);
    std::string name = "VK_KHRONOS_VALIDATION_";
    for (const char letter : setting)
        name += letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
    return name + "=1";
}

std::string submission_setting(std::span<const fs::path> folders)
{
    for (const auto& folder : folders) {
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(folder, ignored)) {
            std::ifstream in(entry.path());
            const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
            if (text.contains("VK_LAYER_KHRONOS_validation")) return submission_setting(text);
        }
    }
    return {};
}

} // namespace vitrine::bench

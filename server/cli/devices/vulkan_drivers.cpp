#include "server/cli/devices/vulkan_drivers.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <dlfcn.h>

namespace vitrine::cli {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name)
{
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): doctor has one thread
    return value != nullptr ? value : "";
}

std::vector<fs::path> split_list(std::string_view list)
{
    std::vector<fs::path> parts;
    while (!list.empty()) {
        const auto end = std::min(list.find(':'), list.size());
        if (end > 0) parts.emplace_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return parts;
}

// Empty if the file is no manifest of a driver.
std::optional<std::string> read_library(const fs::path& manifest)
{
    std::ifstream file(manifest);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    boost::system::error_code error;
    const auto parsed = boost::json::parse(text, error);
    if (error || !parsed.is_object()) return std::nullopt;
    const auto* driver = parsed.as_object().if_contains("ICD");
    const auto* path =
        driver != nullptr && driver->is_object() ? driver->as_object().if_contains("library_path") : nullptr;
    if (path == nullptr || !path->is_string()) return std::nullopt;
    return std::string(path->as_string());
}

// Returns why the library cannot be loaded; empty: it can.
std::string loading_error(const fs::path& manifest, const std::string& library)
{
    const bool is_relative = library.contains('/') && library[0] != '/';
    const auto path = is_relative ? (manifest.parent_path() / library).string() : library;
    void* const handle = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (handle == nullptr) return ::dlerror(); // NOLINT(concurrency-mt-unsafe): doctor has one thread
    ::dlclose(handle);
    return {};
}

bool is_named(const fs::path& file, std::string_view word)
{
    return file.filename().native().contains(word);
}

// Mesa's and Google's drivers that render on the CPU.
bool is_software(const VulkanDriver& driver)
{
    return is_named(driver.manifest, "lvp_") || is_named(driver.manifest, "swiftshader");
}

} // namespace

std::vector<fs::path> vulkan_manifests()
{
    for (const char* name : {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"})
        if (const auto list = variable(name); !list.empty()) return split_list(list);
    std::vector<fs::path> found;
    for (const char* folder :
         {"/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/usr/share/vulkan/icd.d"}) {
        std::error_code error;
        for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
            if (at->path().extension() == ".json") found.push_back(at->path());
    }
    std::ranges::sort(found);
    return found;
}

std::vector<VulkanDriver> find_vulkan_drivers(std::span<const fs::path> manifests)
{
    std::vector<VulkanDriver> drivers;
    for (const auto& manifest : manifests) {
        const auto library = read_library(manifest);
        auto error = library ? loading_error(manifest, *library) : "it is not the manifest of a driver";
        if (!error.contains("wrong ELF class"))
            drivers.push_back({manifest, library.value_or(""), std::move(error)});
    }
    return drivers;
}

std::string unused_card_fix(std::span<const fs::path> cards, std::span<const VulkanDriver> drivers)
{
    const auto is_nvidia = [](const fs::path& file) { return is_named(file, "nvidia"); };
    const auto first_nvidia = std::ranges::find_if(cards, is_nvidia);
    if (first_nvidia != cards.end() && std::ranges::none_of(drivers, is_nvidia, &VulkanDriver::manifest))
        return "install NVIDIA's Vulkan driver with its manifest nvidia_icd.json; a container needs "
               "NVIDIA_DRIVER_CAPABILITIES=graphics,utility; or choose --gpu software";
    if (std::ranges::all_of(drivers, is_software))
        return "install the card's Vulkan driver with its manifest, such as radeon_icd.json (Debian: "
               "mesa-vulkan-drivers); or choose --gpu software";
    const auto& card = first_nvidia != cards.end() ? *first_nvidia : cards.front();
    return "the installed drivers cannot use the card: let the user who runs vitrine open " + card.native() +
           ", or install the driver of this card again; or choose --gpu software";
}

} // namespace vitrine::cli

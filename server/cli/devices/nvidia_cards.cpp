#include "server/cli/devices/nvidia_cards.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <system_error>

#include "loaders/base/ascii.hpp"

namespace vitrine::cli {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> entries(const fs::path& folder)
{
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        found.push_back(at->path());
    std::ranges::sort(found);
    return found;
}

// A folder gi0, gi1, ... for each instance.
bool has_instances(const fs::path& mig)
{
    return std::ranges::any_of(entries(mig),
                               [](const auto& entry) { return entry.filename().native().starts_with("gi"); });
}

// Lines such as "GPU UUID: \t GPU-3f2a...".
NvidiaCard read_card(const fs::path& folder, const fs::path& capabilities)
{
    NvidiaCard card{.pci_address = folder.filename().native(), .model = {}, .uuid = {}};
    std::ifstream file(folder / "information");
    for (std::string line; std::getline(file, line);) {
        const auto colon = std::min(line.find(':'), line.size() - 1);
        const auto name = std::string_view(line).substr(0, colon);
        const std::string value(ascii::trimmed(std::string_view(line).substr(colon + 1)));
        if (name == "Model") card.model = value;
        if (name == "GPU UUID") card.uuid = value;
        if (name == "Device Minor") card.is_split = has_instances(capabilities / ("gpu" + value) / "mig");
    }
    return card;
}

} // namespace

std::vector<NvidiaCard> nvidia_cards(const fs::path& driver)
{
    std::vector<NvidiaCard> cards;
    for (const auto& folder : entries(driver / "gpus"))
        cards.push_back(read_card(folder, driver / "capabilities"));
    return cards;
}

} // namespace vitrine::cli

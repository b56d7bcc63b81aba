#include "vk_renderer/gpu/graphics_cards.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>

namespace vitrine::render {
namespace {

namespace fs = std::filesystem;

// `prefix` and a number.
bool is_numbered(std::string_view name, std::string_view prefix)
{
    if (!name.starts_with(prefix) || name.size() == prefix.size()) return false;
    return std::ranges::all_of(name.substr(prefix.size()), [](char c) { return c >= '0' && c <= '9'; });
}

void add_numbered(const fs::path& folder, std::string_view prefix, std::vector<fs::path>& found)
{
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (is_numbered(at->path().filename().string(), prefix)) found.push_back(at->path());
}

} // namespace

std::vector<fs::path> find_cards(const fs::path& dev)
{
    std::vector<fs::path> found;
    add_numbered(dev, "nvidia", found);
    add_numbered(dev / "dri", "renderD", found);
    std::ranges::sort(found);
    return found;
}

} // namespace vitrine::render

#include "api/tags/tag_text.hpp"

#include <algorithm>

#include "loaders/base/ascii.hpp"

namespace vitrine::api {

std::string join_tags(const std::vector<std::string>& names)
{
    std::string text;
    for (const auto& name : names)
        text.append(1, tag_mark).append(name).append("\n");
    return text;
}

std::vector<std::string> split_tags(std::string_view text)
{
    std::vector<std::string> names;
    while (text.starts_with(tag_mark)) {
        const auto end = std::min(text.find('\n'), text.size());
        names.emplace_back(text.substr(1, end - 1));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    std::ranges::sort(names, {}, [](const std::string& name) { return ascii::lower(name); });
    return names;
}

} // namespace vitrine::api

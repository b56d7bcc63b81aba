#include "loaders/io/warning_log.hpp"

#include <utility>

#include <fmt/format.h>

namespace vitrine::io {

bool WarningLog::wants(std::string_view code)
{
    auto found = seen_.find(code);
    if (found == seen_.end()) found = seen_.emplace(code, 0).first;
    return ++found->second <= kept_per_code;
}

void WarningLog::add(std::string_view code, std::string message, std::string where)
{
    if (wants(code)) keep(code, std::move(message), std::move(where));
}

void WarningLog::keep(std::string_view code, std::string message, std::string where)
{
    warnings_.push_back({std::string(code), std::move(message), std::move(where)});
}

std::vector<scene::Warning> WarningLog::take()
{
    for (const auto& [code, count] : seen_) {
        if (count <= kept_per_code) continue;
        std::string message = fmt::format("{} more of the same", count - kept_per_code);
        warnings_.push_back({code, std::move(message), ""});
    }
    seen_.clear();
    return std::exchange(warnings_, {});
}

} // namespace vitrine::io

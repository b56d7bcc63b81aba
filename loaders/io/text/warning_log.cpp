#include "loaders/io/text/warning_log.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include <fmt/format.h>

#include "loaders/io/text/text_reader.hpp"

namespace vitrine::io {

bool WarningLog::accepts(std::string_view code)
{
    auto found = counts_.find(code);
    if (found == counts_.end()) found = counts_.emplace(code, CodeCount{}).first;
    return ++found->second.count <= max_per_code;
}

void WarningLog::add(std::string_view code, std::string message, std::string where)
{
    message = to_utf8(message);
    where = place_in_file(std::move(where));
    const auto is_same = [&](const scene::Warning& warning) {
        return warning.code == code && warning.where == where && warning.message == message;
    };
    if (std::ranges::any_of(warnings_, is_same) || !accepts(code)) return;
    counts_.find(code)->second.last_place = where;
    warnings_.push_back({std::string(code), std::move(message), std::move(where)});
}

void WarningLog::store(std::string_view code, std::string_view message, std::string where)
{
    where = place_in_file(std::move(where));
    if (auto found = counts_.find(code); found != counts_.end()) found->second.last_place = where;
    warnings_.push_back({std::string(code), to_utf8(message), std::move(where)});
}

std::string WarningLog::place_in_file(std::string where) const
{
    assert(!where.empty());
    return to_utf8(file_.empty() ? where : fmt::format("{}: {}", file_, where));
}

std::vector<scene::Warning> WarningLog::take()
{
    for (const auto& [code, counted] : counts_) {
        if (counted.count <= max_per_code) continue;
        std::string message =
            fmt::format("{} more of the same after this location", counted.count - max_per_code);
        warnings_.push_back({code, std::move(message), counted.last_place});
    }
    counts_.clear();
    return std::exchange(warnings_, {});
}

} // namespace vitrine::io

#include "server/services/moves/rows_digest.hpp"

#include <iterator>

#include <fmt/format.h>

#include "loaders/base/parse_whole.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {

// "4:name2:42-": the length and the text of each value, "-" for NULL.
void RowsDigest::add(BulkRow row)
{
    row_.clear();
    for (const auto& value : row) {
        if (value)
            fmt::format_to(std::back_inserter(row_), "{}:{}", value->size(), *value);
        else
            row_ += '-';
    }
    const auto hash = sha256_hex(row_);
    for (std::size_t i = 0; i < sums_.size(); ++i)
        sums_[i] += parse_whole<std::uint64_t>(std::string_view(hash).substr(i * 16, 16), 16).value();
    ++rows_;
}

std::string RowsDigest::text() const
{
    return fmt::format("{:016x}{:016x}{:016x}{:016x}", sums_[0], sums_[1], sums_[2], sums_[3]);
}

} // namespace vitrine::server

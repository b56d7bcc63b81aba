#include "server/services/moves/rows_digest.hpp"

#include <charconv>
#include <iterator>

#include <fmt/format.h>

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
    for (std::size_t i = 0; i < sums_.size(); ++i) {
        std::uint64_t part = 0;
        std::from_chars(hash.data() + i * 16, hash.data() + (i + 1) * 16, part, 16);
        sums_[i] += part;
    }
    ++rows_;
}

std::string RowsDigest::text() const
{
    return fmt::format("{:016x}{:016x}{:016x}{:016x}", sums_[0], sums_[1], sums_[2], sums_[3]);
}

} // namespace vitrine::server

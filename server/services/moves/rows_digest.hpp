#pragma once
// A checksum of rows that does not depend on their order, because databases sort text differently: the sum of
// the SHA-256 of each row, as four numbers of 64 bits. It detects accidents, not forgeries.

#include <array>
#include <cstdint>
#include <string>

#include "server/services/database/bulk_access.hpp"

namespace vitrine::server {

class RowsDigest {
public:
    void add(BulkRow row);
    std::uint64_t rows() const { return rows_; }
    std::string text() const; // 64 hexadecimal digits

    bool operator==(const RowsDigest& other) const { return rows_ == other.rows_ && sums_ == other.sums_; }

private:
    std::array<std::uint64_t, 4> sums_{};
    std::uint64_t rows_ = 0;
    std::string row_{}; // the canonical form of the row being added
};

} // namespace vitrine::server

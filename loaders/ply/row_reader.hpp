#pragma once
// The values of a PLY file, one after another, in each of its encodings.

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "loaders/ply/header.hpp"

namespace vitrine::ply {

// Failure is sticky, as for io::ByteReader: after it all values are 0, and the caller checks failed() once a
// row.
class RowReader {
public:
    RowReader(std::string_view file, const Header& header);

    double number(Type type) { return encoding_ == Encoding::text ? text_number() : binary_number(type); }
    // Reads the length and then the values of a list, of the corners of a face or their texture coordinates;
    // fails with limit_exceeded beyond the limit `indices`, before it allocates.
    void list(const Property& property, std::uint64_t max_indices, std::vector<double>& values);
    void skip(const Property& property);

    // Whether that many rows fit into the rest of the file.
    bool has_room_for(const Element& element) const;

    bool failed() const { return failed_; }
    // Precondition: failed(). Truncated, limit_exceeded, or a word of a text file that is not a number.
    LoadError error() const;
    std::string where() const; // "byte 123", in a text "line 12"

private:
    double text_number();
    std::string_view next_word();
    double binary_number(Type type);
    template <class T>
    double read();
    std::uint64_t list_length(const Property& property);
    std::uint64_t remaining() const { return file_.size() - at_; }
    void fail_at_end();

    std::string_view file_;
    std::uint64_t at_;
    Encoding encoding_;
    bool failed_ = false;
    LoadError error_;
};

} // namespace vitrine::ply

#pragma once
// Compares file names as users do, ignoring case and Unicode normalization, and finds one by its last parts:
// for names that resource_name.hpp cannot find at the stated path.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::io {

// The form in which names are compared: lower case, composed accents (Unicode NFC after full case
// folding). In text that is not UTF-8 only ASCII letters are changed.
std::string case_folded_name(std::string_view name);

class NameIndex {
public:
    explicit NameIndex(const std::vector<std::string>& names);

    // Index of the name that shares the most trailing path parts with `requested_name` (at least one),
    // ignoring case and Unicode normalization; the first if several match.
    std::optional<std::size_t> find(std::string_view requested_name) const;

private:
    // Names are compared from their ends, so that names with a common end are adjacent.
    struct IndexedName {
        std::string reversed;
        std::uint32_t number;
    };

    std::vector<IndexedName> by_reversed_name_; // names with ASCII lower case, sorted
    std::vector<IndexedName> by_folded_name_;   // results of case_folded_name(), sorted
};

} // namespace vitrine::io

#pragma once
// Names of files by their ends: what resource_name.hpp looks a name up in that stands nowhere as it is said.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::io {

class NameIndex {
public:
    explicit NameIndex(const std::vector<std::string>& names);

    // The number of the name that shares most trailing parts with `wanted`, ignoring case and how accents are
    // put together, and one at least; of several the first.
    std::optional<std::size_t> find(std::string_view wanted) const;

private:
    // A name from its end, so that the names that share an end stand beside each other.
    struct IndexedName {
        std::string reversed;
        std::uint32_t number;
    };

    std::vector<IndexedName> by_reversed_name_; // names but for the case of ASCII letters, sorted
    std::vector<IndexedName> by_folded_name_;   // in the form of case_folded_name(), sorted
};

} // namespace vitrine::io

#pragma once
// The elements of one document by their sids, for searches below any element.

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loaders/io/string_hash.hpp"
#include "loaders/io/xml/xml.hpp"

namespace vitrine::dae {

class SidIndex {
public:
    // Walks the document once. The index is valid as long as the document.
    explicit SidIndex(io::XmlNode root);

    // Inside `below`, which is of the same document, the element of this sid that breadth-first search finds:
    // the shallowest, of those the first. Absent: there is none, or the searches are exhausted.
    io::XmlNode find(io::XmlNode below, std::string_view sid);
    // A hostile file asks often for a sid that many elements have: all searches have looked at too many.
    bool is_exhausted() const { return steps_ > max_steps; }

private:
    struct Place {
        const char* at; // of its name in the text: places in the order of the document
        std::uint32_t depth;
        io::XmlNode node;
    };

    void add(io::XmlNode node, std::uint32_t depth);

    static constexpr std::uint64_t max_steps = 100'000'000;

    std::unordered_map<std::string_view, std::vector<Place>, io::StringHash> by_sid_;
    std::uint64_t steps_ = 0;
};

} // namespace vitrine::dae

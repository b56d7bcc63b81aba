#pragma once
// An index of the elements of one document by sid, for searches below any element.

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loaders/io/string_hash.hpp"
#include "loaders/io/xml/xml.hpp"

namespace vitrine::dae {

class SidIndex {
public:
    // Walks the document once. Valid as long as the document.
    explicit SidIndex(io::XmlNode root);

    // Returns the element with this sid below `below`, of the same document, that breadth-first search finds:
    // the shallowest, and among those the first. Absent when there is none or the search budget is exhausted.
    io::XmlNode find(io::XmlNode below, std::string_view sid);
    // Returns whether all searches together visited too many elements, as in hostile files that often query a
    // frequent sid.
    bool is_exhausted() const { return steps_ > max_steps; }

private:
    struct Place {
        const char* at; // position of its name in the text, which gives document order
        std::uint32_t depth;
        io::XmlNode node;
    };

    void add(io::XmlNode node, std::uint32_t depth);

    static constexpr std::uint64_t max_steps = 100'000'000;

    std::unordered_map<std::string_view, std::vector<Place>, io::StringHash> by_sid_;
    std::uint64_t steps_ = 0;
};

} // namespace vitrine::dae

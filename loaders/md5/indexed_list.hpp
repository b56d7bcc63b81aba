#pragma once
// Indexed lists in a mesh.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "loaders/io/text/text_reader.hpp"

namespace vitrine::md5 {

// A list declared by "numX N" and filled by N lines with an index each, in any order. Invalid lines make the
// reader fail.
class Slots {
public:
    Slots() = default;
    // "numverts", "vert", "the number of a vert" (for messages); literals.
    Slots(std::string_view count_word, std::string_view item, std::string_view item_number)
        : count_word_(count_word), item_(item), item_number_(item_number)
    {
    }

    std::string_view count_word() const { return count_word_; }
    bool announce(io::TextReader& in);
    void resize(std::size_t count) { filled_.resize(count); }
    // Reads the index of a line; or checks one already read. nullopt when the reader has failed.
    std::optional<std::uint32_t> read(io::TextReader& in);
    std::optional<std::uint32_t> take(io::TextReader& in, std::uint64_t index, std::uint32_t line);
    void check_filled(io::TextReader& in) const;

private:
    std::string_view count_word_, item_, item_number_;
    std::vector<bool> filled_;
    std::uint64_t filled_count_ = 0;
    bool is_declared_ = false;
};

} // namespace vitrine::md5

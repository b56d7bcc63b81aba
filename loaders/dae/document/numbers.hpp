#pragma once
// Parses the lists of numbers and names between two tags. XmlNode::text() guarantees that the byte after such
// a list ends any number.

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "loaders/io/text/number_scanner.hpp"
#include "loaders/io/text/scan_decimal.hpp"

namespace vitrine::dae {

class NumberReader {
public:
    explicit NumberReader(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

    // Returns false at the end. A word that is not a number ("-1.#IND") or exceeds a float reads as 0; some
    // programs write commas for decimal points.
    bool next(double& value)
    {
        if (!skip_space()) return false;
        if (io::scan_decimal(at_, value)) return true;
        read_nonstandard_number(value);
        return true;
    }

    // Reads an index; 0xFFFFFFFF for negative, too large and non-integral numbers.
    bool next(std::uint32_t& value)
    {
        if (!skip_space()) return false;
        const char* first = at_;
        std::uint64_t number = 0;
        const std::uint64_t digits = io::AppendDigits()(at_, number);
        if (digits == 0 || digits > 9 || (at_ < end_ && static_cast<unsigned char>(*at_) > ' ')) {
            at_ = first;
            value = read_nonstandard_index();
        } else {
            value = static_cast<std::uint32_t>(number);
        }
        return true;
    }

    // Reads up to values.size() indices; faster than one by one. Returns the number read.
    std::size_t next(std::span<std::uint32_t> values);
    std::size_t next(std::span<float> values);

    bool next(std::string_view& word)
    {
        if (!skip_space()) return false;
        const char* first = at_;
        skip_word();
        word = {first, static_cast<std::size_t>(at_ - first)};
        return true;
    }

    std::uint64_t bad() const
    {
        return bad_;
    } // number of words that were not numbers, or not indices; -1 counts

private:
    bool skip_space()
    {
        while (at_ < end_ && static_cast<unsigned char>(*at_) <= ' ')
            ++at_;
        return at_ < end_;
    }
    void skip_word()
    {
        while (at_ < end_ && static_cast<unsigned char>(*at_) > ' ')
            ++at_;
    }
    template <class One, class T>
    std::size_t read_many(std::span<T> values);
    void read_nonstandard_number(double& value);
    bool read_comma(double& value);
    std::uint32_t read_nonstandard_index();

    const char* at_;
    const char* end_;
    std::uint64_t bad_ = 0;
};

std::vector<std::uint32_t> read_indices(std::string_view text);
std::vector<std::string_view> read_names(std::string_view text);
// Reads up to out.size() numbers; others stay unchanged. Returns the number of words.
std::size_t read_into(std::string_view text, std::span<double> out);
// Parses a boolean of the schema or of known programs: true and false in any case, or a number.
std::optional<bool> read_flag(std::string_view text);

} // namespace vitrine::dae

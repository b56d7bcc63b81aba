#pragma once
// Lists of numbers and of names, as they stand between two tags. XmlNode::text() promises that what follows
// such a list ends any number.

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "loaders/io/text/number_scanner.hpp"
#include "loaders/io/text/scan_decimal.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::dae {

class NumberReader {
public:
    explicit NumberReader(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

    // False at the end. A word that is no number ("-1.#IND"), or none that a float holds, reads as 0; some
    // programs write commas for dots.
    bool next(double& value)
    {
        if (!skip_space()) return false;
        if (io::scan_decimal(at_, value)) return true;
        read_nonstandard_number(value);
        return true;
    }

    // Indices; 0xFFFFFFFF for what is negative, too large or no whole number.
    bool next(std::uint32_t& value)
    {
        if (!skip_space()) return false;
        const char* first = at_;
        std::uint32_t number = 0;
        for (unsigned d = io::digit(*at_); d < 10; d = io::digit(*at_)) {
            number = number * 10 + d;
            ++at_;
        }
        const auto digits = at_ - first;
        if (digits == 0 || digits > 9 || (at_ < end_ && static_cast<unsigned char>(*at_) > ' ')) {
            at_ = first;
            value = read_nonstandard_index();
        } else {
            value = number;
        }
        return true;
    }

    // As many as there is room for, or as there are; faster than one by one.
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

    std::uint64_t bad() const { return bad_; } // words that were no numbers, or no indices; -1 is one

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
// As many as there are, the rest stays; how many there were.
std::size_t read_into(std::string_view text, std::span<double> out);
// A boolean as the schema has it and as programs write it: true and false in any case, or a number.
std::optional<bool> read_flag(std::string_view text);

} // namespace vitrine::dae

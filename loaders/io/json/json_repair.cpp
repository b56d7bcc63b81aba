#include "loaders/io/json/json_repair.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/base/parse_whole.hpp"
#include "loaders/io/text/number_scanner.hpp"

namespace vitrine::io {
namespace {

constexpr std::size_t escape_size = 6; // \u12ab

bool is_high_surrogate(unsigned unit)
{
    return unit >= 0xD800 && unit < 0xDC00;
}

bool is_low_surrogate(unsigned unit)
{
    return unit >= 0xDC00 && unit < 0xE000;
}

// The text satisfies the grammar, so checks that follow from it are omitted.
class JsonRepairer {
public:
    explicit JsonRepairer(std::string_view text) : text_(text) { out_.text.reserve(text.size()); }

    RepairedJson run()
    {
        while (at_ < text_.size()) {
            if (text_[at_] == '"')
                take_string();
            else if (text_[at_] == '-' || (text_[at_] >= '0' && text_[at_] <= '9'))
                take_number();
            else
                take(1);
        }
        return std::move(out_);
    }

private:
    void take(std::size_t count)
    {
        out_.text.append(text_.substr(at_, count));
        at_ += count;
    }

    void take_string()
    {
        take(1);
        while (text_[at_] != '"') {
            if (text_[at_] == '\\')
                take_escape();
            else
                take(text_.find_first_of("\"\\", at_) - at_);
        }
        take(1);
    }

    // The UTF-16 code unit of the escape at `at`; 0, which is not a surrogate, if there is no escape.
    unsigned unit_at(std::size_t at) const
    {
        if (text_.substr(at, 2) != "\\u") return 0;
        return parse_whole<std::uint16_t>(text_.substr(at + 2, escape_size - 2), 16).value_or(0);
    }

    void take_escape()
    {
        const unsigned unit = unit_at(at_);
        if (is_high_surrogate(unit) && is_low_surrogate(unit_at(at_ + escape_size)))
            return take(2 * escape_size);
        if (!is_high_surrogate(unit) && !is_low_surrogate(unit)) return take(2);
        out_.lone_surrogate = std::min(out_.lone_surrogate, at_);
        out_.text += "\\ufffd";
        at_ += escape_size;
    }

    void take_number()
    {
        constexpr std::size_t max_digits = 18; // every integer of this length fits into 64 bits
        const std::size_t end = std::min(text_.find_first_not_of("0123456789+-.eE", at_), text_.size());
        const std::string_view number = text_.substr(at_, end - at_);
        if (std::isinf(scan_number(number.data(), number.data() + number.size()).value))
            out_.infinite_number = std::min(out_.infinite_number, at_);
        take(number.size());
        if (number.size() > max_digits && number.find_first_of(".eE") == std::string_view::npos)
            out_.text += ".0";
    }

    std::string_view text_;
    std::size_t at_ = 0;
    RepairedJson out_;
};

} // namespace

RepairedJson repair_json(std::string_view text)
{
    return JsonRepairer(text).run();
}

} // namespace vitrine::io

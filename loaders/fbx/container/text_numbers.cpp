// Parses the lists of numbers in text files; the inner loop of the text container.

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "loaders/fbx/container/convert_value.hpp"
#include "loaders/fbx/container/text_values.hpp"
#include "loaders/io/huge_pages.hpp"
#include "loaders/io/text/number_scanner.hpp"
#include "loaders/io/text/scan_decimal.hpp"

namespace vitrine::fbx {
namespace {

// Text runs from `at` to `last`; the scanned part is followed, before `last`, by a character that cannot
// belong to a number, so digits need no end check.

bool is_blank(char c)
{
    return static_cast<unsigned char>(c) <= ' ';
}
struct EndsAtComma { // or at a blank
    bool operator()(char c) const { return c == ',' || is_blank(c); }
};

// io::scan_decimal(), for numbers that end at a comma and often have many digits.
bool scan_decimal(const char*& at, const char* last, double& out)
{
    return io::scan_decimal(at, out, EndsAtComma{}, io::AppendManyDigits{last});
}

// Parses a signed integer of at most 18 digits. Returns false, leaving `at` unchanged, for anything else.
bool scan_integer(const char*& at, const char* last, std::int64_t& out)
{
    const char* p = at;
    const bool negative = *p == '-';
    if (negative || *p == '+') ++p;
    std::uint64_t value = 0;
    const std::uint64_t digits = io::AppendManyDigits{last}(p, value);
    if (digits == 0 || digits > 18 || !EndsAtComma()(*p)) return false;
    out = negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
    at = p;
    return true;
}

// Parses numbers separated by commas. Numbers before the last comma are parsed without end checks.
template <class T>
class TextNumbers {
public:
    TextNumbers(const ElementNode& node, std::vector<T>& out)
        : at_(reinterpret_cast<const char*>(node.bytes.data())), last_(at_ + node.bytes.size()), out_(out)
    {
        io::reserve_large(out, std::min<std::uint64_t>(node.count, node.bytes.size() / 2 + 1));
    }

    // Returns null on success, or the position at which no number was found.
    const char* run()
    {
        const char* safe = last_;
        while (safe > at_ && safe[-1] != ',')
            --safe;
        if (const char* fault = scan(safe)) return fault;
        at_ = safe;
        return read_tail(last_);
    }

private:
    // Reads the following numbers that have the simple form.
    void take_simple(const char* last)
    {
        std::array<Simple, 1024> some; // not a vector: that would zero-fill
        for (std::size_t count = some.size(); count == some.size();) {
            const auto run =
                io::scan_numbers(at_, last, io::Separators::blanks_and_commas, std::span<Simple>(some));
            at_ = run.end;
            count = run.count;
            out_.insert(out_.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
        }
    }

    bool scan_one(const char* last)
    {
        if constexpr (std::is_floating_point_v<T>) {
            double value;
            if (!scan_decimal(at_, last, value)) return false;
            out_.push_back(static_cast<T>(value));
        } else {
            std::int64_t value;
            if (!scan_integer(at_, last, value)) return false;
            out_.push_back(to<T>(value));
        }
        return true;
    }

    // Parses up to `last`, which follows a comma.
    const char* scan(const char* last)
    {
        take_simple(last);
        while (at_ < last) {
            const char c = *at_;
            if (c == ',' || is_blank(c)) {
                ++at_;
                continue;
            }
            if (!scan_one(last)) {
                if (const char* fault = read_one(last)) return fault;
            }
            take_simple(last);
        }
        return nullptr;
    }
    const char* read_tail(const char* last)
    {
        while (at_ < last) {
            if (*at_ == ',' || is_blank(*at_))
                ++at_;
            else if (const char* fault = read_one(last))
                return fault;
        }
        return nullptr;
    }
    const char* read_one(const char* last)
    {
        if (*at_ == ';') {
            at_ = skip_blanks(at_, last);
            return nullptr;
        }
        const char* const first = at_;
        while (at_ < last && !ends_word(*at_))
            ++at_;
        const auto value = read_number({first, static_cast<std::size_t>(at_ - first)});
        if (!value) return first;
        out_.push_back(to<T>(*value));
        return nullptr;
    }

    // Simple integers have at most 8 digits.
    using Simple = std::conditional_t<std::is_integral_v<T>, std::int32_t, T>;

    const char* at_;
    const char* last_;
    std::vector<T>& out_;
};

} // namespace

template <class T>
const char* parse_numbers(const ElementNode& node, std::vector<T>& out)
{
    return TextNumbers<T>(node, out).run();
}

template const char* parse_numbers(const ElementNode& node, std::vector<float>& out);
template const char* parse_numbers(const ElementNode& node, std::vector<double>& out);
template const char* parse_numbers(const ElementNode& node, std::vector<std::int32_t>& out);
template const char* parse_numbers(const ElementNode& node, std::vector<std::uint32_t>& out);
template const char* parse_numbers(const ElementNode& node, std::vector<std::int64_t>& out);

} // namespace vitrine::fbx

#include "loaders/base/printable.hpp"

#include <algorithm>
#include <cstddef>

#include "loaders/base/utf8.hpp"

namespace vitrine {
namespace {

bool is_control(std::string_view sequence)
{
    const auto first = static_cast<unsigned char>(sequence[0]);
    if (sequence.size() == 1) return first < 0x20 || first == 0x7f;
    return first == 0xc2 && static_cast<unsigned char>(sequence[1]) < 0xa0; // C1
}

} // namespace

std::string printable(std::string_view text, std::size_t limit)
{
    std::string out;
    while (!text.empty()) {
        const auto length = sequence_length(text);
        const auto sequence = text.substr(0, std::max<std::size_t>(length, 1));
        if (out.size() + sequence.size() > limit) break;
        if (length == 0)
            out += '?';
        else if (is_control(sequence))
            out += ' ';
        else
            out += sequence;
        text.remove_prefix(sequence.size());
    }
    return out;
}

} // namespace vitrine

#include "loaders/md5/parser.hpp"

#include <fmt/format.h>

namespace vitrine::md5 {

bool IndexedList::announce(io::TextReader& in)
{
    if (is_declared_) in.fail(LoadErrc::malformed, fmt::format("{} is given twice", count_word_));
    is_declared_ = true;
    return !in.failed();
}

std::optional<std::uint32_t> IndexedList::read(io::TextReader& in)
{
    const std::uint32_t line = in.peek().line;
    const std::uint32_t index = read_index(in, item_number_);
    if (in.failed()) return std::nullopt;
    return take(in, index, line);
}

std::optional<std::uint32_t> IndexedList::take(io::TextReader& in, std::uint64_t index, std::uint32_t line)
{
    if (index >= filled_.size()) {
        in.fail_at(line, LoadErrc::out_of_range,
                   fmt::format("{} {} is in a mesh with {} {}", item_, index, count_word_, filled_.size()));
        return std::nullopt;
    }
    if (filled_[index]) {
        in.fail_at(line, LoadErrc::malformed, fmt::format("{} {} is given twice", item_, index));
        return std::nullopt;
    }
    filled_[index] = true;
    ++filled_count_;
    return static_cast<std::uint32_t>(index);
}

void IndexedList::check_filled(io::TextReader& in) const
{
    if (filled_count_ == filled_.size()) return;
    in.fail(LoadErrc::truncated,
            fmt::format("{} is {}, but the mesh gives only {}", count_word_, filled_.size(), filled_count_));
}

} // namespace vitrine::md5

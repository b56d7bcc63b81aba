#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "loaders/io/limits.hpp"
#include "loaders/io/text/number_scanner.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/ply/element_reader.hpp"

namespace vitrine::ply {
namespace {

bool is_white(char c)
{
    return static_cast<unsigned char>(c) <= ' ';
}

} // namespace

PlyRowReader::PlyRowReader(std::string_view file, const Header& header)
    : file_(file), at_(header.size), encoding_(header.encoding)
{
}

std::string PlyRowReader::where() const
{
    if (encoding_ != PlyEncoding::text) return fmt::format("byte {}", at_);
    const std::string_view before = file_.substr(0, at_);
    const auto line_ends = std::ranges::count(before, '\n');
    return fmt::format("line {}", 1 + (line_ends > 0 ? line_ends : std::ranges::count(before, '\r')));
}

void PlyRowReader::fail_at_end()
{
    if (!std::exchange(failed_, true))
        error_ = {LoadErrc::truncated, where(), "the file ends within its elements"};
}

LoadError PlyRowReader::error() const
{
    return error_;
}

std::string_view PlyRowReader::next_word()
{
    while (at_ < file_.size() && is_white(file_[at_]))
        ++at_;
    const std::uint64_t first = at_;
    while (at_ < file_.size() && !is_white(file_[at_]))
        ++at_;
    return file_.substr(first, at_ - first);
}

double PlyRowReader::text_number()
{
    if (failed_) return 0.0;
    const std::string_view word = next_word();
    if (word.empty()) {
        fail_at_end();
        return 0.0;
    }
    const char* const end = word.data() + word.size();
    const auto number = io::scan_number(word.data(), end);
    if (number.end == end) return number.value;
    failed_ = true;
    error_ = {LoadErrc::malformed, where(), fmt::format("{} is not a number", io::shown(word))};
    return 0.0;
}

template <class T>
double PlyRowReader::read()
{
    if (failed_ || remaining() < sizeof(T)) {
        fail_at_end();
        return 0.0;
    }
    using RawValue = std::conditional_t<
        sizeof(T) == 8, std::uint64_t,
        std::conditional_t<sizeof(T) == 4, std::uint32_t,
                           std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;
    static_assert(std::endian::native == std::endian::little);
    RawValue bits = 0;
    std::memcpy(&bits, file_.data() + at_, sizeof bits);
    at_ += sizeof bits;
    if (encoding_ == PlyEncoding::big_endian) bits = std::byteswap(bits);
    return static_cast<double>(std::bit_cast<T>(bits));
}

double PlyRowReader::binary_number(Type type)
{
    switch (type) {
    case Type::int8: return read<std::int8_t>();
    case Type::uint8: return read<std::uint8_t>();
    case Type::int16: return read<std::int16_t>();
    case Type::uint16: return read<std::uint16_t>();
    case Type::int32: return read<std::int32_t>();
    case Type::uint32: return read<std::uint32_t>();
    case Type::float32: return read<float>();
    case Type::float64: return read<double>();
    }
    return 0.0;
}

// Not longer than what fits into the rest of the file.
std::uint64_t PlyRowReader::list_length(const Property& property)
{
    const double length = number(property.count_type);
    const bool is_text = encoding_ == PlyEncoding::text;
    const std::uint64_t values = is_text ? remaining() / 2 + 1 : remaining() / bytes_of(property.type);
    const auto room = static_cast<double>(values);
    if (failed_) return 0;
    if (length >= 0.0 && length <= room && length == static_cast<double>(static_cast<std::uint64_t>(length)))
        return static_cast<std::uint64_t>(length);
    failed_ = true;
    error_ = {length > room ? LoadErrc::truncated : LoadErrc::malformed, where(),
              fmt::format("a list has {} values, more than the rest of the file", length)};
    if (!(length > room)) error_.detail = fmt::format("{} is not a length of a list", length);
    return 0;
}

void PlyRowReader::list(const Property& property, std::uint64_t max_indices, std::vector<double>& values)
{
    const std::uint64_t length = list_length(property);
    if (!failed_ && length > 2 * max_indices) { // two texture coordinates each
        failed_ = true;
        error_ = {LoadErrc::limit_exceeded, where(), io::limit_message("", "indices", max_indices)};
    }
    values.resize(failed_ ? 0 : length);
    for (double& value : values)
        value = number(property.type);
    if (failed_) values.clear();
}

void PlyRowReader::skip(const Property& property)
{
    std::uint64_t count = property.is_list ? list_length(property) : 1;
    if (encoding_ == PlyEncoding::text) {
        for (; count > 0 && !failed_; --count)
            if (next_word().empty()) fail_at_end();
        return;
    }
    const std::uint64_t bytes = count * bytes_of(property.type);
    if (bytes > remaining())
        fail_at_end();
    else
        at_ += bytes;
}

bool PlyRowReader::has_room_for(const PlyElement& element) const
{
    const std::uint64_t row = element.smallest_row(encoding_);
    const std::uint64_t room =
        remaining() + (encoding_ == PlyEncoding::text ? 1 : 0); // no separator at the end
    return row == 0 || element.count <= room / row;
}

} // namespace vitrine::ply

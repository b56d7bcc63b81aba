#include "loaders/fbx/container/binary_values.hpp"

namespace vitrine::fbx {
namespace {

// The maximum expansion ratio of deflate.
constexpr std::uint64_t max_inflation = 1032;

} // namespace

Bytes ValueReader::read_bytes(std::uint64_t count)
{
    if (failed_ || at_ > end_ || count > end_ - at_) {
        failed_ = true;
        return {};
    }
    const Bytes found = bytes_.subspan(at_, count);
    at_ += count;
    return found;
}

std::string_view ValueReader::read_text(std::uint64_t count)
{
    const Bytes bytes = read_bytes(count);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool ValueReader::next_is_array() const
{
    return at_ < end_ && element_size(static_cast<char>(bytes_[at_])) != 0;
}

Value ValueReader::read_value()
{
    const char type = static_cast<char>(read<std::uint8_t>());
    if (failed_) return {};
    switch (type) {
    case 'B':
    case 'C':
    case 'Z': {
        // These bytes are numbers in some elements (TAuto) and letters in others (Shading: 'T', 'Y', 'W').
        const auto byte = read<std::uint8_t>();
        return Value(std::int64_t{byte});
    }
    case 'Y': return Value(std::int64_t{read<std::int16_t>()});
    case 'I': return Value(std::int64_t{read<std::int32_t>()});
    case 'L': return Value(read<std::int64_t>());
    case 'F': return Value(double{read<float>()});
    case 'D': return Value(read<double>());
    case 'S':
    case 'R': return Value(read_text(read<std::uint32_t>()));
    default:
        failed_ = true;
        unknown_type_ = type;
        return {};
    }
}

ArrayHeader ValueReader::read_array_header()
{
    ArrayHeader array;
    array.type = static_cast<char>(read<std::uint8_t>());
    array.count = read<std::uint32_t>();
    const auto encoding = read<std::uint32_t>();
    const std::uint64_t stored = read<std::uint32_t>(), size = element_size(array.type);
    if (failed_) return {};
    if (encoding > 1) {
        failed_ = true;
        unknown_type_ = array.type;
        return array;
    }
    array.deflated = encoding == 1;
    array.bytes = read_bytes(array.deflated ? stored : array.count * size);
    const std::uint64_t holds = array.deflated ? stored * max_inflation / size : array.bytes.size() / size;
    if (array.count > holds) failed_ = true;
    return array;
}

} // namespace vitrine::fbx

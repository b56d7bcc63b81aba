// The value of Range for a file of a size that the first eight bytes say: what is served lies inside the
// file.

#include "server/net/byte_range.hpp"

#include <cstring>

#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine;
    std::uint64_t file_size = 0;
    if (size < sizeof file_size) return 0;
    std::memcpy(&file_size, data, sizeof file_size);
    server::ByteRange range;
    const auto field = test::text_of(data + sizeof file_size, size - sizeof file_size);
    const auto state = server::parse_range(field, file_size, range);
    if (state != server::RangeState::partial) return 0;
    test::demand(range.length > 0 && range.offset < file_size && range.length <= file_size - range.offset);
    return 0;
}

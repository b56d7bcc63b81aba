// The cursor of a list: what is taken names the same place once it is written again.

#include "server/services/catalog/cursor.hpp"

#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine;
    const auto cursor = server::parse_cursor(test::text_of(data, size));
    if (!cursor) return 0;
    const auto again = server::parse_cursor(server::to_text(*cursor));
    test::demand(again && again->sort == cursor->sort && again->descending == cursor->descending &&
                 again->seq == cursor->seq && again->value == cursor->value);
    server::parse_number(*cursor);
    return 0;
}

// The JSON body of a POST with parameters: a rejected body has a reason, an accepted one becomes parameters
// that are not much longer than it, the same each time.

#include <algorithm>

#include "server/handlers/handlers.hpp"
#include "tests/fuzz/fuzz.hpp"

using vitrine::test::demand;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    vitrine::server::Request request;
    request.body = vitrine::test::text_of(data, size);
    auto again = request;
    const auto rejected = vitrine::server::add_json_members(request);
    demand(vitrine::server::add_json_members(again).has_value() == rejected.has_value());
    if (rejected) {
        demand(rejected->status == 400 && !rejected->code.empty() && !rejected->detail.empty());
        demand(
            std::ranges::none_of(rejected->errors, [](const auto& error) { return error.detail.empty(); }));
        return 0;
    }
    demand(again.target.query == request.target.query);
    std::size_t length = 0;
    for (const auto& [name, value] : request.target.query)
        length += name.size() + value.size();
    demand(length <= 32 * size); // "1e20" is written in full
    return 0;
}

// A zip's directory and members: names come out clean, and no more bytes than the limit.

#include "loaders/io/resource_name.hpp"
#include "loaders/worker/unzip.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine;
    const Limits limits = test::fuzz_limits();
    std::uint64_t bytes = 0;
    const auto sink = [&](worker::MessageType type, std::string_view payload) {
        if (type == worker::MessageType::data) bytes += payload.size();
        if (type == worker::MessageType::entry) test::demand(!payload.empty() && !payload.starts_with('/'));
        test::demand(bytes <= limits.zip_bytes);
    };
    test::demand_sentence(worker::unzip(std::as_bytes(std::span(data, size)), limits, sink));
    return 0;
}

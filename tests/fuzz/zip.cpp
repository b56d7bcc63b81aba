// A zip's directory and members: extracted names are valid, and no more bytes than the limit are extracted.

#include "loaders/io/archive/unzip.hpp"
#include "loaders/io/resource_name.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine;
    const Limits limits = test::fuzz_limits();
    std::uint64_t bytes = 0;
    const io::MemberSink sink{
        .begin = [](std::string_view name) { test::demand(!name.empty() && !name.starts_with('/')); },
        .append =
            [&](std::string_view piece) {
                bytes += piece.size();
                test::demand(bytes <= limits.zip_bytes);
            }};
    test::demand_sentence(io::unzip(std::as_bytes(std::span(data, size)), limits, sink));
    return 0;
}

// The payload of a blob behind a true header: its size is made right, so that the rest is reached.

#include <cstring>
#include <vector>

#include "tests/fuzz/fuzz.hpp"
#include "tests/support/blob.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    constexpr std::size_t header = 24, size_at = 16;
    const auto bytes = std::as_bytes(std::span(data, size));
    std::vector<std::byte> blob(bytes.begin(), bytes.end());
    if (size >= header) {
        const std::uint64_t length = size;
        std::memcpy(blob.data() + size_at, &length, sizeof length);
    }
    const auto scene = vitrine::test::decode_blob(blob);
    vitrine::test::demand_sentence(scene);
    if (scene) (void)vitrine::scene::validate(*scene);
    return 0;
}

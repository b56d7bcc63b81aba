// The payload of a blob behind a true header: size and checksum are made right, so that the rest is reached.

#include <cstring>
#include <vector>

#include "loaders/base/checksum.hpp"
#include "loaders/scene/blob.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    constexpr std::size_t header = 32;
    const auto bytes = std::as_bytes(std::span(data, size));
    std::vector<std::byte> blob(bytes.begin(), bytes.end());
    if (size >= header) {
        const std::uint64_t length = size, sum = vitrine::checksum(std::span(blob).subspan(header));
        std::memcpy(blob.data() + 16, &length, sizeof length);
        std::memcpy(blob.data() + 24, &sum, sizeof sum);
    }
    const auto scene = vitrine::scene::decode_blob(blob);
    vitrine::test::demand_sentence(scene);
    if (scene) (void)vitrine::scene::validate(*scene);
    return 0;
}

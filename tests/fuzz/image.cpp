// The first byte chooses the name, which decides what the bytes alone do not tell (TGA, PCX).

#include <array>

#include "loaders/images/image.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine;
    if (size == 0) return 0;
    constexpr std::array names{"a.png", "a.tga", "a.pcx"};
    const auto bytes = std::as_bytes(std::span(data, size)).subspan(1);
    const auto* name = names.at(data[0] % names.size());
    const auto image = images::decode_image(bytes, name, test::fuzz_limits());
    test::demand_sentence(image);
    if (image) test::demand(image->pixels.size() == std::size_t{4} * image->width * image->height);
    const auto reduced = images::decode_reduced(bytes, name, test::fuzz_limits(), 5'000);
    test::demand_sentence(reduced);
    if (reduced) {
        const std::uint64_t pixels = std::uint64_t{reduced->width} * reduced->height;
        test::demand(pixels <= 5'000 && reduced->pixels.size() == 4 * pixels);
    }
    const auto checked =
        images::decode_reduced(bytes, name, test::fuzz_limits(), 5'000, images::PixelUse::check);
    test::demand(checked.has_value() == reduced.has_value());
    if (checked && checked->is_checked)
        for (std::size_t at = 3; at < reduced->pixels.size(); at += 4)
            test::demand(reduced->pixels[at] == 255);
    return 0;
}

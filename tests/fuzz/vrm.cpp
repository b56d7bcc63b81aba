#include "loaders/vrm/vrm.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine::test;
    const auto file = text_of(data, size);
    vitrine::is_vrm(std::as_bytes(std::span(file)));
    load_with(vitrine::load_vrm, "m.vrm", {{"m.vrm", file}});
    return 0;
}

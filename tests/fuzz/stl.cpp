#include "loaders/stl/stl.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine::test;
    load_with(vitrine::load_stl, "m.stl", {{"m.stl", text_of(data, size)}});
    return 0;
}

#include "loaders/3ds/3ds.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine::test;
    load_with(vitrine::load_3ds, "m.3ds", {{"m.3ds", text_of(data, size)}});
    return 0;
}

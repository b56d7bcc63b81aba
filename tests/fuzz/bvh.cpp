#include "loaders/bvh/bvh.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine::test;
    load_with(vitrine::load_bvh, "m.bvh", {{"m.bvh", text_of(data, size)}});
    return 0;
}

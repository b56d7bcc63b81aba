#include "loaders/ply/ply.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine::test;
    load_with(vitrine::load_ply, "m.ply", {{"m.ply", text_of(data, size)}});
    return 0;
}

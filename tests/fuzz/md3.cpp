#include "loaders/md3/md3.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine::test;
    load_with(vitrine::load_md3, "m.md3", {{"m.md3", text_of(data, size)}});
    return 0;
}

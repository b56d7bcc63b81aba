#include "loaders/md2/md2.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine::test;
    load_with(vitrine::load_md2, "m.md2", {{"m.md2", text_of(data, size)}});
    return 0;
}

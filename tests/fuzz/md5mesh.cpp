#include "loaders/md5/md5.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine::test;
    load_with(vitrine::load_md5, "m.md5mesh", {{"m.md5mesh", text_of(data, size)}});
    return 0;
}

#include "loaders/obj/obj.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine::test;
    load_with(vitrine::load_obj, "m.obj",
              {{"m.mtl", "newmtl m\nKd 1 0 0\n"}, {"m.obj", text_of(data, size)}});
    return 0;
}

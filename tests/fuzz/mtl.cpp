#include "loaders/obj/obj.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine::test;
    load_with(vitrine::load_obj, "m.obj",
              {{"m.mtl", text_of(data, size)},
               {"m.obj", "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n"},
               {"m.png", "not a picture"}});
    return 0;
}

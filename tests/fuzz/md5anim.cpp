// An animation alone, and beside the mesh that the tests know.

#include "loaders/md5/md5.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/unit/md5/samples.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine::test;
    load_with(vitrine::load_md5, "a.md5anim", {{"a.md5anim", text_of(data, size)}});
    load_with(vitrine::load_md5, "arm.md5mesh",
              {{"a.md5anim", text_of(data, size)}, {"arm.md5mesh", arm_mesh}});
    return 0;
}

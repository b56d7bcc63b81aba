#include "loaders/dae/dae.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine::test;
    load_with(vitrine::load_dae, "m.dae",
              {{"m.dae", text_of(data, size)}, {"other.dae", "<COLLADA><library_geometries/></COLLADA>"}});
    return 0;
}

// glTF and GLB: the first bytes say which.

#include "loaders/gltf/gltf.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine::test;
    const auto file = text_of(data, size);
    const std::string name = file.starts_with("glTF") ? "m.glb" : "m.gltf";
    load_with(vitrine::load_gltf, name, {{name, file}});
    return 0;
}

// The samples of a geometry cache: .mc, .mcx and .pc2.

#include "loaders/fbx/meshes/cache_samples.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine;
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto samples = fbx::is_pc2(bytes) ? fbx::read_pc2(bytes, 24.0) : fbx::read_maya_cache(bytes);
    test::demand_sentence(samples);
    if (!samples) return 0;
    std::size_t points = 0;
    for (const auto& sample : *samples) {
        const auto read = sample.read();
        test::demand(read.size() == sample.points());
        if ((points += read.size()) > 1'000'000) return 0;
    }
    return 0;
}

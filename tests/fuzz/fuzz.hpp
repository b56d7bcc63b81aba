#pragma once
// The condition that every target checks: a scene that validate() accepts or an error of one sentence, within
// small limits.

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>

#include "loaders/io/input.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/memory_source.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace vitrine::test {

// Small enough for thousands of runs a second: beyond them a loader has only more of the same to do.
inline Limits fuzz_limits()
{
    Limits limits;
    limits.vertices = limits.indices = limits.influences = limits.key_values = limits.morph_deltas = 100'000;
    limits.nodes = limits.meshes = limits.materials = limits.images = limits.clips = 1'000;
    limits.image_pixels = limits.total_pixels = 100'000;
    limits.zip_bytes = 1 << 20;
    return limits;
}

inline std::string text_of(const std::uint8_t* data, std::size_t size)
{
    return {reinterpret_cast<const char*>(data), size};
}

// A failed demand ends the program, as libFuzzer wants it.
inline void demand(bool holds)
{
    if (!holds) std::abort();
}

template <class T>
void demand_sentence(const LoadResult<T>& result)
{
    if (!result) demand(!result.error().detail.empty() && !result.error().detail.contains('\n'));
}

inline void demand_valid(const LoadResult<scene::Scene>& loaded)
{
    demand_sentence(loaded);
    if (!loaded) return;
    const auto valid = scene::validate(*loaded);
    if (!valid) std::fprintf(stderr, "%s: %s\n", valid.error().where.c_str(), valid.error().detail.c_str());
    demand(valid.has_value());
}

inline void load_with(LoadResult<scene::Scene> (&load)(Source&, const Limits&), std::string main,
                      std::map<std::string, std::string> files)
{
    MemorySource source(std::move(main), std::move(files));
    demand_valid(load(source, fuzz_limits()));
}

} // namespace vitrine::test

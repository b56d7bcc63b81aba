// Every model of the sample library, as it is made and as each format brings it back: skinned as the CPU
// reference does over the whole of every clip.

#include "tests/gpu/device.hpp"
#include "tests/gpu/equality.hpp"
#include "tests/support/load_sample.hpp"

namespace vitrine::test {
namespace {

// Both ends, and times that fall between keys.
constexpr std::size_t times_per_clip = 16;

class GpuSamples : public Gpu {};

void expect_equal_everywhere(render::Renderer& renderer, const render::SharedScene& scene)
{
    expect_equal_skinning(renderer, scene, times_per_clip, scene->clips.size());
}

TEST_F(GpuSamples, AsTheyAreMade)
{
    ASSERT_FALSE(samples::all_samples().empty());
    for (const auto& sample : samples::all_samples()) {
        SCOPED_TRACE(sample.name);
        expect_equal_everywhere(renderer(), share(sample.make()));
    }
}

TEST_F(GpuSamples, AsEveryFormatBringsThemBack)
{
    for (const auto& sample : samples::all_samples())
        for (const auto& file : samples::write_formats(sample.name, sample.make())) {
            SCOPED_TRACE(file.folder);
            auto loaded = load_sample(file);
            ASSERT_TRUE(loaded) << loaded.error().where << ": " << loaded.error().detail;
            expect_equal_everywhere(renderer(), share(std::move(*loaded)));
        }
}

} // namespace
} // namespace vitrine::test

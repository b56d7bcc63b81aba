// Every model of the sample library, as generated and as read back from each format: skinned like the CPU
// reference over every clip.

#include "tests/gpu/device.hpp"
#include "tests/gpu/equality.hpp"
#include "tests/support/load_sample.hpp"
#include "vk_renderer/camera/best_view.hpp"
#include "vk_renderer/camera/view_parser.hpp"

namespace vitrine::test {
namespace {

// Both ends, and times that fall between keys.
constexpr std::size_t times_per_clip = 16;

class GpuSamples : public Gpu {};

void expect_equal_everywhere(render::Renderer& renderer, const render::SharedScene& scene)
{
    expect_equal_skinning(renderer, scene, times_per_clip, scene->clips.size());
}

TEST_F(GpuSamples, MatchesTheReferenceAsGenerated)
{
    ASSERT_FALSE(samples::all_samples().empty());
    for (const auto& sample : samples::all_samples()) {
        SCOPED_TRACE(sample.name);
        expect_equal_everywhere(renderer(), share(sample.make()));
    }
}

TEST_F(GpuSamples, MatchesTheReferenceInEveryFormat)
{
    for (const auto& sample : samples::all_samples())
        for (const auto& file : samples::write_formats(sample.name, sample.make())) {
            SCOPED_TRACE(file.folder);
            auto loaded = load_sample(file);
            ASSERT_TRUE(loaded) << loaded.error().where << ": " << loaded.error().detail;
            expect_equal_everywhere(renderer(), share(std::move(*loaded)));
        }
}

// Maximum alpha of the pixels at the image border; the models end before it.
int largest_border_alpha(const render::Frame& frame)
{
    int most = 0;
    for (std::uint32_t i = 0; i < frame.width; ++i)
        for (const std::uint32_t edge : {0u, frame.width - 1})
            most = std::max({most, pixel(frame, i, edge).a, pixel(frame, edge, i).a});
    return most;
}

TEST_F(GpuSamples, DoesNotCutOffShadowsOfTransparentImages)
{
    for (const auto& sample : samples::all_samples()) {
        const auto scene = share(sample.make());
        const auto clip_time = scene->clips.empty() ? render::ClipTime{} : render::ClipTime{0, 0.4};
        render::View view{.width = 128, .height = 128, .background = glm::vec4(0.0f)};
        for (const char* name : {"front", "side", "three-quarter"}) {
            view.camera = render::find_named_view(name).value();
            EXPECT_LE(largest_border_alpha(picture(scene, view, clip_time)), 2) << sample.name << " " << name;
        }
        const auto best = render::with_best_view(*scene, view, clip_time);
        EXPECT_LE(largest_border_alpha(picture(scene, best, clip_time)), 2) << sample.name;
    }
}

} // namespace
} // namespace vitrine::test

// Every file with joints or clips and no mesh, in every format: its thumbnail and each frame of its sprite
// show the bones. Reports how many files it has found.

#include <algorithm>
#include <map>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/preview/bone_geometry.hpp"
#include "loaders/scene/preview/representative_pose.hpp"
#include "tests/gpu/corpus/corpus_files.hpp"
#include "tests/gpu/device.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/memory_source.hpp"
#include "vk_renderer/camera/best_view.hpp"

namespace vitrine::test {
namespace {

// Files that are found, at least, by extension.
const std::map<std::string, std::size_t> least_found{{".bvh", 3},   {".dae", 1},     {".fbx", 4},
                                                     {".gltf", 14}, {".md5anim", 7}, {".vrma", 1}};

class GpuMotionFiles : public Gpu {};

bool has_motion_alone(const scene::Scene& scene)
{
    const bool has_joints =
        std::ranges::any_of(scene.skins, [](const auto& skin) { return !skin.joints.empty(); });
    const bool has_clips =
        std::ranges::any_of(scene.clips, [](const auto& clip) { return !clip.channels.empty(); });
    return (has_joints || has_clips) && !scene::draws_anything(scene);
}

render::View automatic_view(std::uint32_t pixels)
{
    render::View view{.width = pixels, .height = pixels, .camera = {.automatic = true}};
    view.background = glm::vec4(0.0f);
    return view;
}

// The times of a sprite; four times the static pose if nothing moves.
std::vector<render::ClipTime> sprite_times(const scene::Scene& scene)
{
    const auto motion = scene::select_representative_motion(scene);
    std::vector<render::ClipTime> times;
    for (const double share : {0.0, 0.25, 0.5, 0.75})
        times.push_back(
            {motion.clip, motion.clip == scene::none ? 0.0 : share * scene.clips[motion.clip].duration});
    return times;
}

void expect_visible(render::Renderer& renderer, const render::SharedScene& scene)
{
    const auto pose = scene::select_representative_pose(*scene);
    const render::ClipTime still{pose.clip, pose.time};
    const auto thumbnail = render::with_best_view(*scene, automatic_view(256), still);
    EXPECT_TRUE(shows_something(renderer.render(scene, thumbnail, std::span(&still, 1)).at(0)))
        << "thumbnail";
    const auto times = sprite_times(*scene);
    const auto cell = render::with_best_view(*scene, automatic_view(96), times.front(), times);
    const auto frames = renderer.render(scene, cell, times);
    for (std::size_t i = 0; i < frames.size(); ++i)
        EXPECT_TRUE(shows_something(frames[i])) << "frame " << i << " of the sprite";
}

TEST_F(GpuMotionFiles, AreNotBlank)
{
    const auto corpus = corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus: set VITRINE_CORPUS";
    std::map<std::string, std::size_t> found;
    for (const auto& file : list_models(*corpus, [](const std::string&) { return true; })) {
        SCOPED_TRACE(file.string());
        auto source = MemorySource::folder_of(file);
        source.leave_pixels_out();
        const auto loaded = format_of(file)->load(source, {});
        if (!loaded || !has_motion_alone(*loaded)) continue;
        ++found[extension_of(file)];
        auto bones = scene::with_bone_geometry(*loaded);
        EXPECT_TRUE(bones) << "nothing to show";
        if (bones) expect_visible(renderer(), share(std::move(*bones)));
    }
    for (const auto& [extension, files] : found)
        std::printf("%zu files of %s with motion alone\n", files, extension.c_str());
    for (const auto& [extension, least] : least_found)
        EXPECT_GE(found[extension], least) << extension;
}

} // namespace
} // namespace vitrine::test

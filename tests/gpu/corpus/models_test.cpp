// Every model of the corpus that loads, in every format: skinned like the CPU reference, drawn where its
// triangles are in both lightings, with and without overlays, in its automatic view over its clip, without
// validation messages.

#include <cstdlib>
#include <map>
#include <set>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/preview/bone_geometry.hpp"
#include "loaders/scene/preview/check_visibility.hpp"
#include "loaders/scene/preview/representative_pose.hpp"
#include "tests/gpu/corpus/corpus_files.hpp"
#include "tests/gpu/device.hpp"
#include "tests/gpu/equality.hpp"
#include "tests/gpu/silhouette.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/memory_source.hpp"
#include "vk_renderer/camera/best_view.hpp"
#include "vk_renderer/encode/sheet.hpp"

namespace vitrine::test {
namespace {

// Limits for a run of minutes on two cores: every file, but not every pose of large models.
constexpr std::size_t many_vertices = 20'000;
constexpr std::uint32_t edge = 64;

// Files of the corpus that show something, at least, by extension.
const std::map<std::string, std::size_t> least_drawn{
    {".3ds", 20}, {".dae", 153}, {".fbx", 234},   {".glb", 55},    {".gltf", 173},
    {".md2", 15}, {".md3", 14},  {".md5mesh", 7}, {".md5anim", 7}, {".obj", 184},
    {".zae", 2},  {".bvh", 3},   {".ply", 7},     {".stl", 8},     {".vrma", 1}};
// Formats that the corpus lacks: files of assimp-testmodels.
const std::set<std::string> missing_formats{".bvh", ".ply", ".stl"};

class GpuCorpus : public Gpu {};

// Files with joints and no mesh are drawn as their bones.
scene::Scene shown_scene(scene::Scene scene)
{
    auto bones = scene::with_bone_geometry(scene);
    return bones ? std::move(*bones) : std::move(scene);
}

std::size_t drawn_vertices(const scene::Scene& scene)
{
    std::size_t sum = 0;
    for (const auto& instance : scene::find_instances(scene))
        sum += scene.meshes[instance.mesh].positions.size();
    return sum;
}

// Coordinates whose squares overflow single precision during skinning.
bool is_too_far_apart(const scene::Scene& scene)
{
    const auto size = scene::static_bounds(scene).size();
    return !std::isfinite(size.x + size.y + size.z) || size.x + size.y + size.z >= 1e12f;
}

std::size_t alpha_of(const render::Frame& frame, std::size_t pixel)
{
    return frame.pixels[4 * pixel + 3];
}

// Expects the image to show the model exactly where its triangles are. `shadow`: the ground shadow may be
// visible beside the model.
void expect_in_place(const render::Frame& frame, const Silhouette& expected, bool shadow)
{
    std::size_t must = 0, missing = 0, seen = 0, stray = 0;
    for (std::size_t i = 0; i < expected.must.size(); ++i) {
        must += expected.must[i];
        missing += expected.must[i] && alpha_of(frame, i) == 0;
        seen += alpha_of(frame, i) != 0;
        stray += alpha_of(frame, i) != 0 && !expected.may[i];
    }
    EXPECT_LE(missing, 1 + must / 100) << "of " << must << " pixels covered by the model are empty";
    if (!shadow) EXPECT_LE(100 * stray, seen) << "of " << seen << " drawn pixels are outside the model";
}

// From the front and from behind, because a single-sided sheet is visible from only one of them; the studio
// lighting and all overlays from the front.
bool draw_in_every_way(render::Renderer& renderer, const render::SharedScene& scene)
{
    render::View front{
        .width = edge, .height = edge, .camera = {}, .light = render::LightingPreset::reference};
    front.camera = {.yaw = 30.0f, .pitch = 25.0f};
    front.background = glm::vec4(0.0f);
    auto behind = front, studio = front, overlaid = front;
    behind.camera = {.yaw = 210.0f, .pitch = -25.0f};
    studio.light = overlaid.light = render::LightingPreset::studio;
    overlaid.overlays = {.wireframe = true, .skeleton = true, .normals = true, .bounds = true};
    overlaid.background.reset();
    const std::vector<render::FrameRequest> frame_requests{
        {scene, front}, {scene, behind}, {scene, studio}, {scene, overlaid}};
    std::vector<render::Frame> frames;
    renderer.render(frame_requests, frames);
    const auto expected = silhouette_of(*scene, 30.0f, 25.0f, edge);
    expect_in_place(frames.at(0), expected, false);
    expect_in_place(frames.at(1), silhouette_of(*scene, 210.0f, -25.0f, edge), false);
    expect_in_place(frames.at(2), expected, true);
    return shows_something(frames.at(0)) || shows_something(frames.at(1));
}

// Debug views are opaque and cover the same pixels as the materials; tangents and names may extend beyond the
// model.
void draw_every_surface(render::Renderer& renderer, const render::SharedScene& scene)
{
    render::View front{.width = edge, .height = edge, .camera = {.yaw = 30.0f, .pitch = 25.0f}};
    front.background = glm::vec4(0.0f);
    std::vector<render::FrameRequest> frame_requests;
    for (const auto surface : {render::DebugView::uv, render::DebugView::xray, render::DebugView::weights}) {
        frame_requests.push_back({scene, front});
        frame_requests.back().view.overlays.debug_view = surface;
    }
    frame_requests[0].view.overlays.tangents = true;
    frame_requests[2].view.overlays.names = true; // names also frame the joints
    frame_requests[2].view.camera.orthographic = true;
    std::vector<render::Frame> frames;
    renderer.render(frame_requests, frames);
    const auto expected = silhouette_of(*scene, 30.0f, 25.0f, edge);
    expect_in_place(frames.at(0), expected, true);
    expect_in_place(frames.at(1), expected, true);
}

// Renders a sheet of the representative clip, or a still if nothing moves, in the automatic view.
bool draw_as_the_server_does(render::Renderer& renderer, const render::SharedScene& scene)
{
    const auto representative = scene::select_representative_pose(*scene);
    std::vector<render::ClipTime> frame_times{{representative.clip, representative.time}};
    if (representative.clip != scene::none)
        for (const double share : {0.0, 0.25, 0.5, 0.75})
            frame_times.push_back({representative.clip, share * scene->clips[representative.clip].duration});
    render::View view{.width = edge, .height = edge, .camera = {.automatic = true}};
    view.background = glm::vec4(0.0f);
    view = render::with_best_view(*scene, view, frame_times.front(), frame_times);
    const auto frames = renderer.render(scene, view, frame_times);
    return shows_something(render::compose_sheet(frames));
}

std::string name_of(scene::SceneVisibility visible)
{
    switch (visible) {
    case scene::SceneVisibility::something: return "drawn";
    case scene::SceneVisibility::no_elements: return "no elements";
    case scene::SceneVisibility::no_area: return "no area";
    case scene::SceneVisibility::transparent: break;
    }
    return "transparent";
}

// Returns "drawn", or the reason why nothing is visible.
std::string draw(render::Renderer& renderer, const render::SharedScene& scene)
{
    const auto visible = scene::check_visibility(*scene);
    if (visible == scene::SceneVisibility::no_elements) return name_of(visible);
    if (is_too_far_apart(*scene)) return "too far apart";
    const bool large = drawn_vertices(*scene) > many_vertices;
    expect_equal_skinning(renderer, scene, large ? 2 : 3, large ? 1 : 2);
    const bool shown = draw_in_every_way(renderer, scene);
    draw_every_surface(renderer, scene);
    EXPECT_EQ(draw_as_the_server_does(renderer, scene) || shown, visible == scene::SceneVisibility::something)
        << name_of(visible);
    return name_of(visible);
}

TEST_F(GpuCorpus, EveryModelThatLoads)
{
    const auto corpus = corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus: set VITRINE_CORPUS";
    std::map<std::string, std::size_t> count;
    const auto accepts = [](const std::string& extension) { return missing_formats.contains(extension); };
    for (const auto& file : list_models(*corpus, accepts)) {
        SCOPED_TRACE(file.string());
        auto source = MemorySource::folder_of(file);
        auto loaded = format_of(file)->load(source, {});
        if (!loaded) continue; // the corpus tests check the errors
        const auto outcome = draw(renderer(), share(shown_scene(std::move(*loaded))));
        ++count[outcome == "drawn" ? outcome + " as " + extension_of(file) : outcome];
        if (outcome != "drawn" && std::getenv("VITRINE_VERBOSE") != nullptr)
            std::printf("%s: %s\n", outcome.c_str(), file.c_str());
    }
    for (const auto& [outcome, models] : count)
        std::printf("%zu models: %s\n", models, outcome.c_str());
    for (const auto& [extension, least] : least_drawn)
        EXPECT_GE(count["drawn as " + extension], least) << extension;
    for (const auto& format : worker::formats())
        EXPECT_TRUE(std::ranges::any_of(format.extensions, [&](auto extension) {
            return least_drawn.contains(std::string(extension));
        })) << format.name;
}

} // namespace
} // namespace vitrine::test

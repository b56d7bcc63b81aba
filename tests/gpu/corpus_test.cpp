// Every model of the corpus that loads: skinned as the CPU reference does, and visible in a small
// picture unless its content gives a reason for an empty one.

#include <algorithm>
#include <cstdlib>
#include <map>

#include "loaders/gltf/gltf.hpp"
#include "loaders/md5/md5.hpp"
#include "loaders/obj/obj.hpp"
#include "loaders/scene/bounds.hpp"
#include "tests/gpu/device.hpp"
#include "tests/gpu/equality.hpp"
#include "tests/gpu/nothing.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine::test {
namespace {

using Load = LoadResult<scene::Scene> (*)(Source&, const Limits&);

// What a test of a minute can afford, two cores: every file, but not every pose of a large one.
constexpr std::size_t many_vertices = 20'000;

class GpuCorpus : public Gpu {};

Load loader_of(const std::filesystem::path& file)
{
    auto extension = file.extension().string();
    std::ranges::transform(extension, extension.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    if (extension == ".gltf" || extension == ".glb") return load_gltf;
    if (extension == ".md5mesh") return load_md5;
    if (extension == ".obj") return load_obj;
    return nullptr;
}

std::vector<std::filesystem::path> models(const std::filesystem::path& corpus)
{
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus))
        if (entry.is_regular_file() && loader_of(entry.path()) != nullptr) files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

std::size_t drawn_vertices(const scene::Scene& scene)
{
    std::size_t sum = 0;
    for (const auto& instance : scene::find_instances(scene))
        sum += scene.meshes[instance.mesh].positions.size();
    return sum;
}

// Farther apart than single precision can square on the way through the skinning.
bool is_too_far_apart(const scene::Scene& scene)
{
    const auto size = scene::rest_bounds(scene).size();
    return !std::isfinite(size.x + size.y + size.z) || size.x + size.y + size.z >= 1e12f;
}

bool shows_something(const render::Frame& frame)
{
    for (std::size_t i = 3; i < frame.pixels.size(); i += 4)
        if (frame.pixels[i] != 0) return true;
    return false;
}

// From the front and from behind: a single-sided sheet shows one of them.
bool shows_something(render::Renderer& renderer, const render::SharedScene& scene)
{
    for (const auto& [yaw, pitch] : {std::pair(30.0f, 25.0f), std::pair(210.0f, -25.0f)}) {
        render::View view{.width = 64, .height = 64, .light = render::Light::reference};
        view.camera = {.yaw = yaw, .pitch = pitch};
        view.background = glm::vec4(0.0f);
        const render::Moment still;
        if (shows_something(renderer.render(scene, view, {&still, 1}).at(0))) return true;
    }
    return false;
}

// What became of it: "drawn", or why there is nothing to see.
std::string draw(render::Renderer& renderer, const render::SharedScene& scene)
{
    auto reason = reason_for_nothing(*scene);
    if (reason == "no elements") return reason;
    if (is_too_far_apart(*scene)) return "too far apart";
    const bool large = drawn_vertices(*scene) > many_vertices;
    expect_equal_skinning(renderer, scene, large ? 2 : 3, large ? 1 : 2);
    EXPECT_EQ(shows_something(renderer, scene), reason.empty()) << reason;
    return reason.empty() ? "drawn" : reason;
}

TEST_F(GpuCorpus, EveryModelThatLoads)
{
    const auto corpus = corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus: set VITRINE_CORPUS";
    std::map<std::string, std::size_t> count;
    for (const auto& file : models(*corpus)) {
        SCOPED_TRACE(file.string());
        auto source = MemorySource::folder_of(file);
        auto loaded = loader_of(file)(source, {});
        if (!loaded) continue; // the corpus tests hold refusals
        const auto outcome = draw(renderer(), share(std::move(*loaded)));
        ++count[outcome];
        if (outcome != "drawn" && std::getenv("VITRINE_VERBOSE") != nullptr)
            std::printf("%s: %s\n", outcome.c_str(), file.c_str());
    }
    for (const auto& [outcome, models] : count)
        std::printf("%zu models: %s\n", models, outcome.c_str());
    EXPECT_GT(count["drawn"], 100u);
}

} // namespace
} // namespace vitrine::test

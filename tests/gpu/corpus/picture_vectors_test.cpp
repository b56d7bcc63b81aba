// Thumbnails of models of the corpus, and of the same models in other colors, sizes and poses: each is found
// by its picture among all others.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/preview/representative_pose.hpp"
#include "server/services/vectors/picture_descriptor.hpp"
#include "tests/gpu/corpus/corpus_files.hpp"
#include "tests/gpu/device.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/memory_source.hpp"
#include "vk_renderer/camera/best_view.hpp"

namespace vitrine::test {
namespace {

namespace fs = std::filesystem;
using server::UnitVector;

constexpr std::size_t max_models = 60;
constexpr std::size_t tried_files = 400;             // spread over all files
constexpr double min_same_shape_cosine = 0.9;        // least cosine of two pictures in one color
constexpr std::uintmax_t max_file_bytes = 3'000'000; // of a model file

struct PicturedModel {
    std::string name; // of the file, without extensions
    UnitVector vector;
    UnitVector plain; // in other colors
    render::SharedScene scene;
    render::ClipTime shown{};
};

// Other colors without textures.
scene::Scene recolored(const scene::Scene& scene)
{
    auto other = scene;
    for (auto& material : other.materials) {
        material.base_color = {0.1f, 0.3f, 0.8f, material.base_color.w};
        material.base_color_texture = {};
    }
    return other;
}

class GpuPictureVectors : public Gpu {
protected:
    std::optional<UnitVector> describe(const render::SharedScene& scene, const render::ClipTime& shown)
    {
        render::View view{.width = 256, .height = 256, .camera = {.automatic = true}};
        const auto still = render::with_best_view(*scene, view, shown);
        return server::describe_picture(renderer().render(scene, still, std::span(&shown, 1)).at(0));
    }

    // The corpus has dozens of cubes and spheres.
    static bool shows_shape_of_another(const std::vector<PicturedModel>& all, const UnitVector& plain)
    {
        return std::ranges::any_of(
            all, [&](const auto& other) { return cosine(other.plain, plain) > min_same_shape_cosine; });
    }

    std::vector<PicturedModel> models(const fs::path& corpus)
    {
        std::vector<PicturedModel> all;
        std::set<std::string> names;
        const auto files = list_models(corpus, [](const auto&) { return true; });
        for (std::size_t i = 0; i < tried_files && all.size() < max_models; ++i) {
            const auto& file = files[i * files.size() / tried_files];
            auto name = file.filename().string();
            name.resize(name.find('.'));
            if (fs::file_size(file) > max_file_bytes || names.contains(name)) continue;
            auto source = MemorySource::folder_of(file);
            auto loaded = format_of(file)->load(source, {});
            if (!loaded || !scene::draws_anything(*loaded)) continue;
            const auto scene = std::make_shared<const scene::Scene>(std::move(*loaded));
            const auto pose = scene::select_representative_pose(*scene);
            const render::ClipTime shown{pose.clip, pose.time};
            auto vector = describe(scene, shown);
            auto plain = describe(std::make_shared<const scene::Scene>(recolored(*scene)), shown);
            if (!vector || !plain || shows_shape_of_another(all, *plain)) continue;
            names.insert(name);
            all.push_back({name, *std::move(vector), *std::move(plain), scene, shown});
        }
        return all;
    }
};

scene::Scene rescaled(const scene::Scene& scene)
{
    auto other = scene;
    for (auto& node : other.nodes)
        if (node.parent == scene::none) {
            node.local.scale *= 7.0f;
            node.local.translation *= 7.0f;
        }
    return other;
}

struct FoundShares {
    std::size_t tried = 0, first = 0,
                listed = 0; // the model itself: before all others, with the default score
    void add(const std::vector<PicturedModel>& all, const PicturedModel& model, const UnitVector& vector)
    {
        const double own = cosine(model.vector, vector);
        ++tried;
        listed += server::descriptor_score(own) >= 0.5;
        first +=
            std::ranges::none_of(all, [&](const auto& other) { return cosine(other.vector, vector) > own; });
    }
    std::string text() const { return fmt::format("{} of {} first, {} listed", first, tried, listed); }
};

// Share of the pairs of different models that a list with the default score has.
double listed_pairs(const std::vector<PicturedModel>& all)
{
    std::size_t pairs = 0, listed = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            ++pairs;
            listed += server::descriptor_score(cosine(all[i].vector, all[j].vector)) >= 0.5;
        }
    return static_cast<double>(listed) / static_cast<double>(std::max<std::size_t>(pairs, 1));
}

TEST_F(GpuPictureVectors, FindModelsInOtherColorsSizesAndPoses)
{
    const auto corpus = corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus";
    const auto all = models(*corpus);
    ASSERT_GE(all.size(), 30u);
    FoundShares colors, sizes, poses;
    for (const auto& model : all) {
        colors.add(all, model, model.plain);
        const auto scaled = std::make_shared<const scene::Scene>(rescaled(*model.scene));
        if (model.shown.clip == scene::none)
            if (const auto vector = describe(scaled, model.shown)) sizes.add(all, model, *vector);
        for (std::uint32_t clip = 0; clip < std::min<std::size_t>(model.scene->clips.size(), 3); ++clip)
            if (const auto vector = describe(model.scene, {clip, model.scene->clips[clip].duration / 3}))
                poses.add(all, model, *vector);
    }
    const auto pairs = listed_pairs(all);
    fmt::print(
        "{} models; other colors: {}; other size: {}; other poses: {}; pairs of others listed: {:.2f} %\n",
        all.size(), colors.text(), sizes.text(), poses.text(), 100.0 * pairs);
    const auto share = [](std::size_t count, std::size_t of) {
        return static_cast<double>(count) / static_cast<double>(of);
    };
    EXPECT_GE(share(sizes.first, sizes.tried), 0.9);
    EXPECT_EQ(sizes.listed, sizes.tried);
    EXPECT_GE(share(colors.first, colors.tried), 0.7);
    EXPECT_GE(share(colors.listed, colors.tried), 0.75);
    EXPECT_GE(share(poses.first, poses.tried), 0.7);
    EXPECT_LE(pairs, 0.01);
}

} // namespace
} // namespace vitrine::test

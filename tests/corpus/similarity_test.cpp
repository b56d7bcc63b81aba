// Models of the corpus, written in other formats, mirrored, decimated and divided, among each other and among
// made shapes: near duplicates are found and nothing else.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loaders/export/gltf/gltf_writer.hpp"
#include "loaders/export/obj/mesh_files.hpp"
#include "loaders/gltf/gltf.hpp"
#include "loaders/obj/obj.hpp"
#include "loaders/ply/ply.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "loaders/worker/child/formats.hpp"
#include "tests/corpus/gltf_corpus.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/support/pose_model.hpp"
#include "tests/unit/similarity/made_shapes.hpp"
#include "tests/unit/similarity/similar_set.hpp"

namespace vitrine {
namespace {

namespace fs = std::filesystem;
using test::ShapeChange;
using test::SignedShape;

using Cloud = std::set<std::array<int, 3>>;

// The vertices of the static pose in a box of 512 steps: equal for models that differ in what is not their
// shape, such as "banner_red" and "banner_blue".
Cloud cloud_of(const scene::Scene& scene)
{
    scene::Pose pose;
    scene::static_pose(scene, pose);
    const auto corners = test::drawn_corners(scene, pose);
    scene::Aabb box;
    for (const auto& corner : corners)
        box.add(corner);
    const auto size = box.size();
    const float step = std::max({size.x, size.y, size.z, 1e-9f}) / 512.0f;
    Cloud cloud;
    for (const auto& corner : corners) {
        const auto at = (corner - box.min) / step;
        cloud.insert({static_cast<int>(std::lround(at.x)), static_cast<int>(std::lround(at.y)),
                      static_cast<int>(std::lround(at.z))});
    }
    return cloud;
}

double common_share(const Cloud& a, const Cloud& b)
{
    std::size_t common = 0;
    for (const auto& point : a)
        common += b.contains(point);
    return static_cast<double>(common) / static_cast<double>(std::max(a.size(), b.size()));
}

class SimilarModels {
public:
    void add(const std::string& group, const std::string& name, const LoadResult<scene::Scene>& scene)
    {
        if (!scene || !scene::validate(*scene, scene::FlatMeshes::allowed)) return;
        if (const auto signature = scene::surface_signature(*scene))
            set_.push_back({group, name, *signature});
    }

    // The model and what other programs would make of it.
    void add_with_variants(const std::string& group, const scene::Scene& scene)
    {
        clouds_.emplace(group, cloud_of(scene));
        add(group, group, scene);
        add(group, group + " glb", as_glb(scene));
        scene::Pose pose;
        scene::static_pose(scene, pose);
        if (const auto baked = bake_mesh(scene, pose, BakeSpace::file)) {
            test::MemorySource obj("m.obj", {{"m.obj", write_mesh_obj(*baked)}});
            add(group, group + " obj", load_obj(obj, {}));
            test::MemorySource ply("m.ply", {{"m.ply", write_mesh_ply(*baked)}});
            add(group, group + " ply", load_ply(ply, {}));
        }
        for (const auto change : {ShapeChange::placed, ShapeChange::mirrored, ShapeChange::reordered,
                                  ShapeChange::divided, ShapeChange::decimated}) {
            const auto variant = test::changed(scene, change, random_);
            if (!variant.meshes.empty())
                add(group, fmt::format("{} ({})", group, static_cast<int>(change)), variant);
        }
    }

    test::SetResult query() const
    {
        return test::query_all(set_, [&](const SignedShape& a, const SignedShape& b) {
            const auto of_a = clouds_.find(a.group), of_b = clouds_.find(b.group);
            return of_a != clouds_.end() && of_b != clouds_.end() &&
                   common_share(of_a->second, of_b->second) > 0.9;
        });
    }

    std::size_t size() const { return set_.size(); }

private:
    static LoadResult<scene::Scene> as_glb(const scene::Scene& scene)
    {
        const auto bytes = exporting::write_glb(scene);
        if (!bytes) return std::unexpected(bytes.error());
        test::MemorySource source(
            "m.glb", {{"m.glb", std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size())}});
        return load_gltf(source, {});
    }

    std::vector<SignedShape> set_;
    std::map<std::string, Cloud> clouds_;
    std::mt19937 random_{11};
};

LoadResult<scene::Scene> load(const fs::path& file)
{
    test::FolderSource source(file);
    const auto bytes = source.open(source.main_name());
    if (!bytes) return fail(LoadErrc::missing_file, "", "");
    const auto format = worker::find_format(worker::formats(), source.main_name(), *bytes);
    if (!format) return std::unexpected(format.error());
    return (*format)->load(source, {});
}

// "axe" of axe.fbx, axe.gltf and axe.gltf.glb.
std::string stem_of(const fs::path& file)
{
    const auto name = file.filename().string();
    return name.substr(0, name.find('.'));
}

// The same assets as FBX, glTF and OBJ, by the program that their authors have used.
std::vector<fs::path> kay_kit(const fs::path& corpus)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(corpus)) {
        const auto extension = entry.path().extension();
        const bool is_model =
            extension == ".fbx" || extension == ".gltf" || extension == ".glb" || extension == ".obj";
        if (is_model && entry.path().string().contains("KayKit")) files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

std::string first_of(const std::vector<std::string>& pairs)
{
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(pairs.size(), 30); ++i)
        text += "\n  " + pairs[i];
    return text;
}

TEST(CorpusSimilarity, FindsNearDuplicatesAndNothingElse)
{
    const auto corpus = test::corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus: set VITRINE_CORPUS";
    SimilarModels models;
    std::set<std::string> known;
    for (const auto& file : kay_kit(*corpus)) {
        auto scene = load(file);
        if (!scene) continue;
        const auto stem = stem_of(file);
        if (known.insert(stem).second)
            models.add_with_variants(stem, *scene);
        else
            models.add(stem, file.filename().string(), *scene);
    }
    EXPECT_GE(known.size(), 60u);
    for (const auto& shape : test::made_shapes())
        models.add_with_variants(shape.name, shape.scene);
    const auto result = models.query();
    fmt::print("{} models of {} and made shapes: recall {:.4f}, precision {:.4f}, at most {} candidates\n",
               models.size(), known.size(), result.recall(), result.precision(), result.most_candidates);
    EXPECT_GE(result.recall(), 0.95) << first_of(result.missed);
    EXPECT_GE(result.precision(), 0.99) << first_of(result.wrong);
}

} // namespace
} // namespace vitrine

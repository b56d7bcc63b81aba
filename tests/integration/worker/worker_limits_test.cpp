// Every limit with each format, through the real loader process: a limit of 0 must reject each
// file that has such an element. A model is rejected with the limit's name and number; exceeding the limit of
// a clip or an image is a warning.

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include <gmock/gmock.h>

#include "loaders/io/limits.hpp"
#include "server/samples/samples.hpp"
#include "tests/integration/worker/loader_fixture.hpp"
#include "tests/support/compare.hpp"

using namespace vitrine;
using testing::HasSubstr;

namespace {

template <typename Count>
std::uint64_t sum(const scene::Scene& scene, Count count)
{
    std::uint64_t all = 0;
    for (const auto& mesh : scene.meshes)
        all += count(mesh);
    return all;
}

bool moves(const scene::Scene& scene)
{
    return std::ranges::any_of(scene.clips, [](const auto& clip) { return clip.duration > 0.0; });
}

// Returns whether the file has nested levels.
bool nests(const scene::Scene& scene)
{
    constexpr std::array flat{"obj", "md2", "md3", "ply", "stl"};
    return std::ranges::find(flat, scene.format) == flat.end();
}

using Counter = std::function<bool(const scene::Scene&)>;

// Returns whether a scene has elements that a limit counts.
const std::map<std::string, Counter> has_any{
    {"file_bytes", [](const auto&) { return true; }},
    {"total_bytes", [](const auto&) { return true; }},
    {"vertices", [](const auto& s) { return sum(s, [](auto& m) { return m.positions.size(); }) > 0; }},
    {"indices", [](const auto& s) { return sum(s, [](auto& m) { return m.indices.size(); }) > 0; }},
    {"influences",
     [](const auto& s) { return sum(s, [](auto& m) { return m.influences.joints.size(); }) > 0; }},
    {"key_values", moves},
    {"morph_deltas",
     [](const auto& s) { return sum(s, [](auto& m) { return m.morph_targets.size(); }) > 0; }},
    {"drawn_vertices", [](const auto& s) { return sum(s, [](auto& m) { return m.positions.size(); }) > 0; }},
    {"drawn_influences",
     [](const auto& s) { return sum(s, [](auto& m) { return m.influences.joints.size(); }) > 0; }},
    {"nodes", [](const auto& s) { return !s.nodes.empty(); }},
    {"joints", [](const auto& s) { return !s.skins.empty(); }},
    {"skin_joints", [](const auto& s) { return !s.skins.empty(); }},
    {"meshes", [](const auto& s) { return !s.meshes.empty(); }},
    {"materials", [](const auto& s) { return !s.materials.empty(); }},
    {"images", [](const auto& s) { return !s.images.empty(); }},
    {"clips", [](const auto& s) { return !s.clips.empty(); }},
    {"frames", [](const auto& s) { return (s.format.starts_with("md") || s.format == "bvh") && moves(s); }},
    {"clip_seconds", moves},
    {"depth", nests},
    {"image_pixels", [](const auto& s) { return !s.images.empty(); }},
    {"total_pixels", [](const auto& s) { return !s.images.empty(); }},
};

// Returns whether exceeding the limit removes a part of the model only.
bool is_cut(const std::string& limit, const scene::Scene& scene)
{
    if (limit == "clip_seconds") return !moves(scene);
    if (limit == "key_values" || limit == "frames" || limit == "clips") return scene.clips.empty();
    return std::ranges::all_of(scene.images, [](const auto& image) { return image.pixels.empty(); });
}

// Images and MD5 animations are separate files.
bool costs_a_part(const std::string& limit, const std::string& format)
{
    if (limit == "clip_seconds" || limit == "image_pixels" || limit == "total_pixels") return true;
    if (limit == "images") return format != "gltf" && format != "glb";
    return format == "md5" && (limit == "key_values" || limit == "frames" || limit == "clips");
}

class WorkerLimit : public test::LoaderTest {
protected:
    WorkerLimit() { options_.program = test::program("vitrine-loader"); }

    void take(const samples::SampleFile& sample)
    {
        main_name_ = sample.main_name;
        format_ = sample.folder.substr(sample.folder.find('-') + 1);
        files_.clear();
        for (const auto& file : sample.files)
            files_.push_back(
                write(file.name, {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()}));
    }

    LoadResult<scene::Scene> load_with(const std::string& limit, std::uint64_t value = 0)
    {
        options_.limits = {};
        if (!limit.empty())
            EXPECT_EQ(io::set_limit(options_.limits, limit + "=" + std::to_string(value)), "");
        return worker::load_scene(files_, main_name_, options_);
    }

    void expect_held(const std::string& limit)
    {
        SCOPED_TRACE(limit);
        const auto loaded = load_with(limit);
        const auto named = HasSubstr("the limit " + limit + " = 0");
        if (!costs_a_part(limit, format_)) {
            ASSERT_FALSE(loaded.has_value());
            EXPECT_EQ(to_string(loaded.error().code), "limit_exceeded");
            EXPECT_THAT(loaded.error().detail, named);
            return;
        }
        ASSERT_TRUE(loaded.has_value()) << loaded.error().detail;
        EXPECT_TRUE(is_cut(limit, *loaded));
        EXPECT_THAT(loaded->warnings, testing::Contains(testing::Field(&scene::Warning::message, named)));
    }

    std::string main_name_, format_;
    std::vector<worker::BundleFile> files_;
};

} // namespace

TEST_F(WorkerLimit, OfPixelsReducesImagesInEveryFormat)
{
    std::set<std::string> formats;
    for (const auto& known : samples::all_samples()) {
        if (known.name != "robot") continue; // with an image of 256 x 256
        for (const auto& sample : samples::write_formats(known.name, known.make())) {
            SCOPED_TRACE(sample.folder);
            take(sample);
            const auto whole = load_with("");
            ASSERT_TRUE(whole.has_value()) << whole.error().detail;
            const auto reduced = load_with("image_pixels", 50'000);
            ASSERT_TRUE(reduced.has_value()) << reduced.error().detail;
            ASSERT_EQ(reduced->images.size(), whole->images.size());
            for (const auto& image : reduced->images) {
                EXPECT_FALSE(image.pixels.empty());
                EXPECT_LE(std::uint64_t{image.width} * image.height, 50'000u);
            }
            EXPECT_THAT(reduced->warnings,
                        testing::Contains(testing::Field(&scene::Warning::code, "image_reduced")));
            ASSERT_EQ(reduced->meshes.size(), whole->meshes.size());
            for (std::size_t i = 0; i < whole->meshes.size(); ++i)
                EXPECT_TRUE(std::ranges::equal(reduced->meshes[i].uv0, whole->meshes[i].uv0));
            formats.insert(format_);
        }
    }
    EXPECT_EQ(formats.size(), 9u);
}

TEST_F(WorkerLimit, IsEnforcedInEveryFormat)
{
    std::set<std::pair<std::string, std::string>> tried; // pairs of format and limit
    auto all = samples::write_partial_formats();
    for (const auto& known : samples::all_samples())
        if (known.name == "robot" || known.name == "flag") // a skinned model and one with morph targets
            std::ranges::move(samples::write_formats(known.name, known.make()), std::back_inserter(all));
    for (const auto& sample : all) {
        SCOPED_TRACE(sample.folder);
        take(sample);
        const auto whole = load_with("");
        ASSERT_TRUE(whole.has_value()) << whole.error().detail;
        for (const auto& [limit, any] : has_any) {
            if (!any(*whole)) continue;
            expect_held(limit);
            tried.emplace(format_, limit);
        }
    }
    for (const auto* format : {"obj", "3ds", "md2", "md3", "md5", "fbx", "dae", "gltf", "glb"})
        for (const auto* limit : {"file_bytes", "vertices", "indices", "drawn_vertices", "nodes", "meshes",
                                  "materials", "images", "total_pixels"})
            EXPECT_TRUE(tried.contains({format, limit})) << format << ' ' << limit;
    for (const auto* format : {"md5", "fbx", "dae", "gltf"})
        for (const auto* limit :
             {"influences", "drawn_influences", "joints", "skin_joints", "key_values", "clips"})
            EXPECT_TRUE(tried.contains({format, limit})) << format << ' ' << limit;
    for (const auto* limit : {"nodes", "joints", "skin_joints", "key_values", "clips", "depth"})
        EXPECT_TRUE(tried.contains({"bvh", limit})) << limit;
    for (const auto* format : {"bvh", "md2", "md3", "md5"})
        EXPECT_TRUE(tried.contains({format, "frames"})) << format;
    for (const auto* format : {"fbx", "dae", "gltf"})
        EXPECT_TRUE(tried.contains({format, "morph_deltas"})) << format;
}

// Images that are only checked have the same influence on the scene as their pixels.
TEST_F(WorkerLimit, HoldsWhenPixelsAreLeftOut)
{
    const auto robot = std::ranges::find(samples::all_samples(), "robot", &samples::Sample::name);
    for (const auto& sample : samples::write_formats(robot->name, robot->make())) {
        SCOPED_TRACE(sample.folder);
        take(sample);
        options_.pixels = worker::PixelResult::returned;
        auto whole = load_with("");
        ASSERT_TRUE(whole.has_value()) << whole.error().detail;
        options_.pixels = worker::PixelResult::left_out;
        const auto without = load_with("");
        ASSERT_TRUE(without.has_value()) << without.error().detail;
        for (scene::Image& image : whole->images) {
            EXPECT_FALSE(image.pixels.empty());
            image.pixels = {};
        }
        EXPECT_TRUE(test::same(*whole, *without));
        if (!whole->images.empty()) expect_held("image_pixels");
    }
}

TEST_F(WorkerLimit, OfDepth)
{
    std::string nodes;
    for (int i = 0; i < 400; ++i) // levels; each is 32 units of the limit
        nodes += "{\"children\":[" + std::to_string(i + 1) + "]},";
    const std::string text =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[" + nodes +
        "{}]}";
    options_.limits.depth = 8;
    const auto rejected = load("deep.gltf", text);
    ASSERT_FALSE(rejected.has_value());
    EXPECT_EQ(to_string(rejected.error().code), "limit_exceeded") << rejected.error().detail;
    options_.limits.depth = 16;
    EXPECT_TRUE(load("deep.gltf", text).has_value());
}

TEST(Limits, AreSetByName)
{
    Limits limits;
    for (const auto& limit : io::named_limits()) {
        EXPECT_EQ(io::set_limit(limits, std::string(limit.name) + "=7"), "");
        EXPECT_EQ(io::value_of(limits, limit), 7u) << limit.name;
    }
    EXPECT_EQ(limits.zip_ratio, 7u);
    EXPECT_THAT(io::set_limit(limits, "vertexes=1"),
                HasSubstr("unknown limit 'vertexes'; the limits are file_bytes, "));
    EXPECT_EQ(io::set_limit(limits, "vertices"), "'vertices' is not NAME=NUMBER");
    EXPECT_EQ(io::set_limit(limits, "vertices=many"), "'many' of vertices is not an integer");
    EXPECT_EQ(io::set_limit(limits, "depth=4294967296"), "depth is at most 4294967295");
}

TEST(Limits, AreTestedInEveryFormat)
{
    for (const auto& limit : io::named_limits()) {
        const std::string name(limit.name);
        if (name.starts_with("zip_")) continue; // worker_zip_test.cpp
        EXPECT_TRUE(has_any.contains(name)) << name;
    }
}

// Each limit, through the real loader process, in every format that can pass it: refused with the limit's
// number.

#include <gmock/gmock.h>

#include "loaders/export/gltf_writer.hpp"
#include "loaders/export/md5_writer.hpp"
#include "loaders/io/limits.hpp"
#include "tests/integration/worker/loader_fixture.hpp"
#include "tests/support/scenes.hpp"

using namespace vitrine;
using testing::HasSubstr;

namespace {

struct Model {
    std::string main;
    std::vector<exporting::NamedFile> files;
};

Model obj()
{
    return {"m.obj",
            {{"m.obj", exporting::to_bytes("mtllib m.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")},
             {"m.mtl", exporting::to_bytes("newmtl red\nKd 1 0 0\n")}}};
}

Model glb(const scene::Scene& scene)
{
    return {"m.glb", {{"m.glb", exporting::write_glb(scene).value()}}};
}

Model md5()
{
    return {"m.md5mesh", exporting::write_md5(test::skinned_bar(), "m")};
}

struct Case {
    std::string name;
    Model model;
    std::vector<const char*> limits; // what the model has more than none of
};

std::vector<Case> cases()
{
    return {
        {"obj", obj(), {"file_bytes", "total_bytes", "vertices", "indices", "nodes", "meshes", "materials"}},
        {"bar",
         glb(test::skinned_bar()),
         {"file_bytes", "total_bytes", "vertices", "indices", "influences", "key_values", "nodes", "joints",
          "skin_joints", "meshes", "clips"}},
        {"quad", glb(test::morphing_quad()), {"morph_deltas", "key_values"}},
        {"cube", glb(test::textured_cube()), {"images", "materials"}},
        {"md5",
         md5(),
         {"file_bytes", "total_bytes", "vertices", "indices", "influences", "nodes", "joints", "meshes"}}};
}

class WorkerLimit : public test::LoaderTest {
protected:
    WorkerLimit() { options_.program = test::program("vitrine-loader"); }

    LoadResult<scene::Scene> load_model(const Model& model) const
    {
        std::vector<worker::BundleFile> files;
        for (const auto& file : model.files)
            files.push_back(
                write(file.name, {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()}));
        return worker::load_scene(files, model.main, options_);
    }
};

} // namespace

TEST_F(WorkerLimit, IsRefusedWithItsNumber)
{
    for (const auto& [name, model, limits] : cases()) {
        options_.limits = {};
        ASSERT_TRUE(load_model(model).has_value()) << name;
        for (const auto* limit : limits) {
            options_.limits = {};
            ASSERT_EQ(io::set_limit(options_.limits, std::string(limit) + "=0"), "");
            const auto loaded = load_model(model);
            ASSERT_FALSE(loaded.has_value()) << name << " " << limit;
            EXPECT_EQ(to_string(loaded.error().code), "limit_exceeded") << name << " " << limit;
            EXPECT_THAT(loaded.error().detail, HasSubstr(std::string("the limit ") + limit + " = 0"))
                << name << " " << limit;
        }
    }
}

// What an MD5 animation would take too much of costs that animation.
TEST_F(WorkerLimit, OfAnotherFilesClipCostsThatClipAlone)
{
    for (const auto* limit : {"key_values=0", "clips=0"}) {
        options_.limits = {};
        ASSERT_EQ(io::set_limit(options_.limits, limit), "");
        const auto loaded = load_model(md5());
        ASSERT_TRUE(loaded.has_value()) << limit << ": " << loaded.error().detail;
        EXPECT_TRUE(loaded->clips.empty()) << limit;
        EXPECT_FALSE(loaded->warnings.empty()) << limit;
    }
}

TEST_F(WorkerLimit, OfSecondsEndsTheClip)
{
    options_.limits.clip_seconds = 0;
    const auto loaded = load_model(glb(test::skinned_bar()));
    ASSERT_TRUE(loaded.has_value()) << loaded.error().detail;
    EXPECT_EQ(loaded->clips.at(0).duration, 0.0);
    ASSERT_EQ(loaded->warnings.size(), 1u);
    EXPECT_THAT(loaded->warnings[0].message, HasSubstr("clip_seconds = 0"));
}

// A texture that is too large costs the texture and not the model, with a warning.
TEST_F(WorkerLimit, OfPixelsCostsThePictureAlone)
{
    for (const auto* limit : {"image_pixels=3", "total_pixels=3"}) {
        options_.limits = {};
        ASSERT_EQ(io::set_limit(options_.limits, limit), "");
        const auto loaded = load_model(glb(test::textured_cube()));
        ASSERT_TRUE(loaded.has_value()) << limit << ": " << loaded.error().detail;
        EXPECT_FALSE(loaded->warnings.empty()) << limit;
        for (const auto& image : loaded->images)
            EXPECT_LE(image.pixels.size(), 12u) << limit;
    }
}

TEST_F(WorkerLimit, OfDepth)
{
    std::string nodes;
    for (int i = 0; i < 400; ++i) // levels; 32 for each of the limit
        nodes += "{\"children\":[" + std::to_string(i + 1) + "]},";
    const std::string text =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[" + nodes +
        "{}]}";
    options_.limits.depth = 8;
    const auto refused = load("deep.gltf", text);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(to_string(refused.error().code), "limit_exceeded") << refused.error().detail;
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
                HasSubstr("there is no limit 'vertexes'; there are file_bytes, "));
    EXPECT_EQ(io::set_limit(limits, "vertices"), "'vertices' is not NAME=NUMBER");
    EXPECT_EQ(io::set_limit(limits, "vertices=many"), "'many' of vertices is not a whole number");
    EXPECT_EQ(io::set_limit(limits, "depth=4294967296"), "depth is at most 4294967295");
}

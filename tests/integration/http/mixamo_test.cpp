// A folder as Mixamo gives it, one character with skin and motions "without skin", as one upload and as
// several assets; and a BVH beside a character.

#include <array>
#include <map>
#include <set>

#include <boost/json/parse.hpp>

#include "loaders/export/bvh/bvh_writer.hpp"
#include "loaders/export/fbx/fbx_writer.hpp"
#include "tests/integration/http_fixture.hpp"
#include "tests/support/humanoid/humanoid_rigs.hpp"

namespace vitrine::test {
namespace {

namespace json = boost::json;

constexpr std::array motions{"walk", "run", "idle"};

std::uint32_t motion_named(const scene::Scene& scene, std::string_view name)
{
    for (std::uint32_t i = 0; i < scene.clips.size(); ++i)
        if (scene.clips[i].name == name) return i;
    ADD_FAILURE() << "there is no motion " << name;
    return 0;
}

UploadFile fbx(const scene::Scene& scene, const std::string& stem)
{
    const auto file = exporting::write_fbx(scene, stem, exporting::FbxContainer::binary).at(0);
    return {stem + ".fbx", {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()}};
}

// A triangle that follows three joints; `color` makes the files of different characters differ.
UploadFile character(const std::string& stem, NamingStyle names, float color)
{
    auto scene = make_humanoid({.names = names});
    scene.clips.clear();
    scene::Mesh mesh;
    for (const auto& corner : {glm::vec3(0, 0, 0), glm::vec3(0.4f, 1, 0), glm::vec3(-0.4f, 1.7f, 0.1f)})
        mesh.positions.push_back(corner);
    mesh.normals.assign(3, {0, 0, 1});
    mesh.indices = {0, 1, 2};
    mesh.primitives = {{.count = 3, .material = 0}};
    scene.materials.resize(1);
    scene.materials[0].name = "skin";
    scene.materials[0].base_color = {color, 0.5f, 0.2f, 1.0f};
    scene.materials[0].double_sided = true;
    mesh.influences = {.first = {0, 1, 2, 3}, .joints = {0, 3, 5}, .weights = {1, 1, 1}, .positions = {}};
    scene.meshes = {std::move(mesh)};
    scene.nodes.push_back({.name = "body", .mesh = 0, .skin = 0});
    return fbx(scene, stem);
}

// Mixamo calls each clip "mixamo.com".
UploadFile motion(const std::string& name)
{
    auto scene = make_humanoid({.names = NamingStyle::mixamo});
    auto clip = scene.clips[motion_named(scene, name)];
    clip.name = "mixamo.com";
    scene.clips = {std::move(clip)};
    return fbx(scene, name);
}

UploadFile bvh(const std::string& name)
{
    const auto scene = make_humanoid({.names = NamingStyle::cmu, .torso = 0.5f});
    return {name + ".bvh", exporting::write_bvh(scene, motion_named(scene, name))};
}

class HttpMixamo : public Http {
protected:
    static json::value read(const std::string& path)
    {
        const auto reply = get(port(), path);
        EXPECT_EQ(reply.status, 200) << path << ": " << reply.body;
        return reply.status == 200 ? json::parse(reply.body) : json::value();
    }
    // Local transforms of the joints of a pose, by name.
    static std::map<std::string, json::value> locals(const std::string& asset, const std::string& clip,
                                                     const std::string& time)
    {
        std::map<std::string, json::value> found;
        const auto pose = read(fmt::format("/v1/assets/{}/clips/{}/pose?t={}", asset, clip, time));
        for (const auto& node : pose.at_pointer("/poses/0/nodes").as_array())
            if (std::string name(node.at("name").as_string()); name.starts_with("mixamorig:"))
                found[name] = json::object{{"t", node.at("translation")}, {"r", node.at("rotation")}};
        EXPECT_GT(found.size(), 15u) << "joints";
        return found;
    }
    static void expect_near(const std::map<std::string, json::value>& a,
                            const std::map<std::string, json::value>& b, double tolerance)
    {
        ASSERT_EQ(a.size(), b.size());
        for (const auto& [name, value] : a)
            for (const auto* member : {"t", "r"})
                for (std::size_t i = 0; i < value.at(member).as_array().size(); ++i)
                    EXPECT_NEAR(value.at(member).as_array()[i].to_number<double>(),
                                b.at(name).at(member).as_array()[i].to_number<double>(), tolerance)
                        << name << " " << member << i;
    }
    static std::string picture(const std::string& asset, const std::string& query)
    {
        const auto reply =
            get(port(), fmt::format("/v1/assets/{}/render?w=64&h=64&format=png&{}", asset, query));
        EXPECT_EQ(reply.status, 200) << query << ": " << reply.body;
        return reply.body;
    }
    // Asset ids by main file.
    static std::map<std::string, std::string> upload_all(const std::vector<UploadFile>& files)
    {
        const auto reply = upload(port(), files);
        EXPECT_TRUE(reply.status == 200 || reply.status == 201) << reply.body;
        std::map<std::string, std::string> assets;
        for (const auto& item : reply.json().at("items").as_array()) {
            const auto job = await_job(port(), text_at(item, "/job/id"));
            EXPECT_EQ(text_at(job, "/state"), "succeeded") << job;
            assets[text_at(item, "/asset/mainFile")] = text_at(item, "/asset/id");
        }
        return assets;
    }
};

TEST_F(HttpMixamo, OneUploadIsOneCharacterWithAllClips)
{
    std::vector<UploadFile> files{character("folder/hero", NamingStyle::mixamo, 0.1f)};
    for (const auto* name : motions) {
        files.push_back(motion(name));
        files.back().name = "folder/" + files.back().name;
    }
    const auto assets = upload_all(files);
    ASSERT_EQ(assets.size(), 1u);
    const auto& [main, id] = *assets.begin();
    EXPECT_EQ(main, "folder/hero.fbx");
    std::set<std::string> names;
    for (const auto& clip : read("/v1/assets/" + id + "/clips").at("items").as_array())
        names.insert(text_at(clip, "/name"));
    EXPECT_EQ(names, (std::set<std::string>{"idle", "run", "walk"})) << "the names of the files";
    EXPECT_NE(picture(id, "clip=walk&t=0.2"), picture(id, "clip=run&t=0.2"));
}

TEST_F(HttpMixamo, MotionsOfOtherAssetsPlayExactly)
{
    const auto hero = import_asset(port(), {character("hero", NamingStyle::mixamo, 0.2f)});
    for (const auto* name : motions) {
        SCOPED_TRACE(name);
        const auto moves = import_asset(port(), {motion(name)});
        const auto thumbnail = get(port(), "/v1/assets/" + moves + "/thumbnail");
        EXPECT_EQ(thumbnail.status, 200) << thumbnail.body;
        EXPECT_NE(picture(moves, "clip=0&t=0"), picture(moves, "clip=0&t=0.3")) << "its skeleton moves";
        const auto characters = read("/v1/assets/" + moves + "/fitting-characters");
        const auto& best = characters.at_pointer("/items/0");
        EXPECT_EQ(best.at("by"), "name");
        EXPECT_EQ(best.at("fit").to_number<double>(), 1.0);
        const auto lent = moves + ":mixamo.com";
        for (const auto* time : {"0", "0.3", "0.61"})
            EXPECT_EQ(locals(hero, lent, time), locals(moves, "0", time)) << time;
        const auto exported = get(port(), fmt::format("/v1/assets/{}/export.glb?clip={}", hero, lent));
        ASSERT_EQ(exported.status, 200) << exported.body;
        const auto glb = import_asset(port(), {{std::string(name) + "-hero.glb", exported.body}});
        ASSERT_FALSE(glb.empty());
        expect_near(locals(glb, "0", "0.3"), locals(hero, lent, "0.3"), 1e-5);
        EXPECT_NE(picture(hero, "clip=" + lent + "&t=0.3"), picture(hero, ""));
    }
    std::size_t by_name = 0;
    for (const auto& item : read("/v1/assets/" + hero + "/fitting-clips").at("items").as_array())
        by_name += item.at("by") == "name" && item.at("fit").to_number<double>() == 1.0 ? 1 : 0;
    EXPECT_GE(by_name, motions.size());
}

TEST_F(HttpMixamo, ABvhBesideACharacterIsNamedByItsFile)
{
    const std::vector<UploadFile> files{character("models/hero", NamingStyle::mixamo, 0.3f), bvh("walk")};
    const auto assets = upload_all(files);
    ASSERT_EQ(assets.size(), 2u) << "a BVH is a model too";
    const auto& hero = assets.at("models/hero.fbx");
    const auto by_file = picture(hero, "clip=walk.bvh:0&t=0.3");
    EXPECT_EQ(by_file, picture(hero, "clip=" + assets.at("walk.bvh") + ":0&t=0.3"));
    EXPECT_NE(by_file, picture(hero, "clip=walk.bvh:0&t=0"));
    EXPECT_NE(by_file, picture(hero, ""));
    const auto other = get(port(), fmt::format("/v1/assets/{}/render?clip=run.bvh:0", hero));
    EXPECT_EQ(other.status, 404);
    EXPECT_NE(other.body.find("no_clip"), std::string::npos);
    // The same without keeping anything.
    std::string body;
    for (const auto& [name, bytes] : files)
        body += fmt::format("--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{}\"\r\n\r\n",
                            name) +
                bytes + "\r\n";
    body += "--B--\r\n";
    const auto post = [&](std::string_view path) {
        return fetch(port(), "POST", path, {{"Content-Type", "multipart/form-data; boundary=B"}}, body);
    };
    const auto drawn = post("/v1/render?w=64&h=64&format=png&clip=walk.bvh:0&t=0.3");
    EXPECT_EQ(drawn.status, 200) << drawn.body;
    EXPECT_EQ(drawn.body, by_file) << "the character is the model that draws anything";
    EXPECT_EQ(post("/v1/inspect?model=walk.bvh").json().at("format"), "bvh");
    const auto report = post("/v1/check").json();
    EXPECT_EQ(report.at("files").as_array().size(), 2u);
}

} // namespace
} // namespace vitrine::test

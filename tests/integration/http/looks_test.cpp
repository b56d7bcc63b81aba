// Skins, levels of detail, parts, clay and ranges of frames over REST and in the live preview.

#include <array>

#include <boost/json/parse.hpp>

#include "loaders/images/image.hpp"
#include "tests/integration/http_fixture.hpp"
#include "tests/integration/preview_client.hpp"
#include "tests/support/tga.hpp"
#include "tests/unit/md2/samples.hpp"

namespace vitrine::test {
namespace {

namespace json = boost::json;

// Triangles in front of each other, seen from +Z: "a_LOD0" red, "a_LOD1" green at z = 0, and "back" blue at z
// = -1; unlit.
std::string levels_gltf()
{
    const auto material = [](const char* color) {
        return fmt::format(R"({{"pbrMetallicRoughness":{{"baseColorFactor":[{},1]}},)"
                           R"("extensions":{{"KHR_materials_unlit":{{}}}}}})",
                           color);
    };
    const auto mesh = [](int number) {
        return fmt::format(
            R"({{"name":"m{0}","primitives":[{{"attributes":{{"POSITION":0}},"material":{0}}}]}})", number);
    };
    return fmt::format(
        R"({{"asset":{{"version":"2.0"}},"extensionsUsed":["KHR_materials_unlit"],)"
        R"("buffers":[{{"byteLength":36,"uri":"data:;base64,AACAvwAAgL8AAAAAAACAPwAAgL8AAAAAAAAAAAAAgD8AAAAA"}}],)"
        R"("bufferViews":[{{"buffer":0,"byteLength":36}}],"accessors":[{{"bufferView":0,"componentType":5126,)"
        R"("count":3,"type":"VEC3","min":[-1,-1,0],"max":[1,1,0]}}],"materials":[{},{},{}],"meshes":[{},{},{}],)"
        R"("nodes":[{{"name":"root","children":[1,2,3]}},{{"name":"a_LOD0","mesh":0}},{{"name":"a_LOD1","mesh":1}},)"
        R"({{"name":"back","mesh":2,"translation":[0,0,-1]}}],"scenes":[{{"nodes":[0]}}],"scene":0}})",
        material("1,0,0"), material("0,1,0"), material("0,0,1"), mesh(0), mesh(1), mesh(2));
}

// Two skins; three frames, of which the last two are the clip "walk".
std::vector<UploadFile> md2_files()
{
    Md2Model model;
    model.skins = {"red.tga", "blue.tga"};
    model.frames.push_back(model.frames[1]);
    model.frames[0].name = "idle1";
    model.frames[1].name = "walk1";
    model.frames[2].name = "walk2";
    model.frames[2].translate = {30, 0, 0};
    return {{"tris.md2", model.write()},
            {"red.tga", tga(1, 1, {255, 0, 0, 255})},
            {"blue.tga", tga(1, 1, {0, 0, 255, 255})}};
}

class HttpLooks : public Http {
protected:
    static void SetUpTestSuite()
    {
        Http::SetUpTestSuite();
        levels = import_asset(port(), {{"levels.gltf", levels_gltf()}});
        soldier = import_asset(port(), md2_files());
        ASSERT_FALSE(levels.empty());
        ASSERT_FALSE(soldier.empty());
    }
    static Reply read(const std::string& asset, const std::string& rest, int status = 200)
    {
        auto reply = get(port(), fmt::format("/v1/assets/{}{}", asset, rest));
        EXPECT_EQ(reply.status, status) << rest << " " << reply.body.substr(0, 500);
        return reply;
    }
    // "red", "green", "blue" or the numbers of the color in the middle.
    static std::string color_of(const std::string& picture)
    {
        const auto image = images::decode_image(std::as_bytes(std::span(picture)), "", Limits{});
        if (!image) return "no image";
        const auto at = (std::size_t{image->height} * 6 / 10 * image->width + image->width / 2) * 4;
        const std::array<int, 3> color{image->pixels[at], image->pixels[at + 1], image->pixels[at + 2]};
        for (const auto& [name, channel] :
             {std::pair{"red", 0u}, std::pair{"green", 1u}, std::pair{"blue", 2u}})
            if (color[channel] > 60 && color[(channel + 1) % 3] < 60 && color[(channel + 2) % 3] < 60)
                return name;
        return fmt::format("{},{},{}", color[0], color[1], color[2]);
    }
    static std::string shown(const std::string& query)
    {
        return color_of(read(levels, "/render?w=64&h=64&view=front&light=reference&format=png" + query).body);
    }
    static inline std::string levels, soldier;
};

TEST_F(HttpLooks, PicturesShowALevelOrSomeNodes)
{
    EXPECT_EQ(shown(""), "red");
    EXPECT_EQ(shown("&lod=0"), "red");
    EXPECT_EQ(shown("&lod=1"), "green");
    EXPECT_EQ(shown("&hide=a_LOD0"), "blue");
    EXPECT_EQ(shown("&hide=1"), "blue");
    EXPECT_EQ(shown("&hide=m0"), "blue") << "the mesh";
    EXPECT_EQ(shown("&only=back"), "blue");
    EXPECT_EQ(shown("&only=root&hide=back"), "red");
    EXPECT_EQ(shown("&lod=1&only=a_LOD1"), "green");
    const auto clay = shown("&surface=clay");
    EXPECT_EQ(clay.find_first_not_of("0123456789,"), std::string::npos) << clay;
    EXPECT_EQ(shown("&surface=clay&only=back"), clay);
}

TEST_F(HttpLooks, EqualLooksHaveOneEntityTag)
{
    const auto etag = [](const std::string& query) {
        return read(levels, "/render?w=32&h=32&format=png" + query).header("etag");
    };
    EXPECT_EQ(etag(""), etag("&lod=0"));
    EXPECT_EQ(etag("&hide=a_LOD1,back"), etag("&hide=3,2,3"));
    EXPECT_NE(etag("&hide=back"), etag("&only=back"));
    EXPECT_NE(etag(""), etag("&lod=1"));
    EXPECT_NE(etag(""), etag("&surface=clay"));
}

TEST_F(HttpLooks, SequencesPicksMeshesAndExportsShowThem)
{
    for (const std::string kind :
         {"/turntable?frames=2&size=32", "/animation?frames=2&size=32", "/sprite?frames=1&size=32"}) {
        const auto plain = read(levels, kind).body;
        EXPECT_NE(plain, read(levels, kind + "&lod=1").body) << kind;
        EXPECT_NE(plain, read(levels, kind + "&surface=clay").body) << kind;
    }
    read(levels, "/sprite/manifest?frames=1&only=back");
    const auto pick = read(levels, "/pick?w=64&h=64&x=32&y=38&view=front&lod=1").json();
    EXPECT_EQ(text_at(pick, "/hit/node/name"), "a_LOD1");
    const auto faces = [](const std::string& query) {
        const auto mesh = read(levels, "/mesh?format=obj" + query).body;
        return std::ranges::count(mesh, 'f');
    };
    EXPECT_GT(faces(""), faces("&only=back"));
    EXPECT_EQ(faces(""), faces("&lod=1"));
    const auto glb = read(levels, "/export.glb?hide=back&surface=clay").body;
    EXPECT_NE(glb.find("\"clay\""), std::string::npos);
    EXPECT_NE(read(levels, "/export.glb").body, glb);
}

TEST_F(HttpLooks, RejectWhatTheModelDoesNotHave)
{
    const auto expect = [](const std::string& query, int status, const char* code, const char* words) {
        const auto reply = read(levels, "/render?" + query, status);
        EXPECT_EQ(text_at(reply.json(), "/code"), code) << reply.body;
        EXPECT_NE(reply.body.find(words), std::string::npos) << reply.body;
    };
    expect("lod=2", 422, "not_in_model", "the file has the levels 0 to 1");
    expect("hide=leg", 422, "not_in_model", "there is no node 'leg' among 4: 'a_LOD0', 'a_LOD1', 'back'");
    expect("only=leg", 422, "not_in_model", "there is no node 'leg'");
    expect("skin=red", 422, "not_in_model", "there is no skin 'red': the file has only one");
    expect("hide=root", 422, "nothing_to_show", "Nothing that is left of the model is drawn");
    expect("lod=x", 400, "bad_parameter", "a whole number from 0");
    expect("hide=", 400, "bad_parameter", "a name is empty");
    expect("surface=gold", 400, "bad_parameter", "must be clay");
    expect("clip=frames:0-1", 422, "not_in_model", "only models that are animated by whole-mesh frames");
    EXPECT_EQ(read(soldier, "/render?skin=1&variant=0", 400).body.find("no skin"), std::string::npos);
    const auto wrong = read(soldier, "/render?skin=green", 422);
    EXPECT_NE(wrong.body.find("among 2: 'red', 'blue'"), std::string::npos) << wrong.body;
}

TEST_F(HttpLooks, SkinsOfQuakeModelsAreVariants)
{
    const auto color = [](const std::string& query) {
        return color_of(
            read(soldier, "/render?w=64&h=64&view=0,90&light=reference&format=png&background=white" + query)
                .body);
    };
    EXPECT_EQ(color(""), "red");
    EXPECT_EQ(color("&skin=blue"), "blue");
    EXPECT_EQ(color("&skin=1"), "blue");
    EXPECT_EQ(color("&variant=blue"), "blue");
    EXPECT_NE(read(soldier, "/thumbnail?size=64&skin=blue").body, read(soldier, "/thumbnail?size=64").body);
    EXPECT_NE(read(soldier, "/export.glb").body.find(R"("variants":[{"name":"red"},{"name":"blue"}])"),
              std::string::npos);
}

TEST_F(HttpLooks, RangesOfFramesCrossTheClips)
{
    const auto mesh = [](const std::string& query) {
        return read(soldier, "/mesh?format=obj&" + query).body;
    };
    EXPECT_EQ(mesh("clip=frames:0-2&t=0.1"), mesh("clip=walk&t=0"));
    EXPECT_EQ(mesh("clip=frames:0-2&t=0.2"), mesh("clip=walk&t=0.1"));
    EXPECT_EQ(mesh("clip=frames:all&t=0.2"), mesh("clip=frames:2-0&t=0"));
    EXPECT_EQ(mesh("layer=frames:1-2@0.1"), mesh("clip=walk&t=0.1"));
    EXPECT_NE(mesh("clip=frames:0-2&t=0.05"), mesh("clip=frames:0-2&t=0"));
    const auto etag = [](const std::string& clip) {
        return read(soldier, "/render?w=32&h=32&format=png&t=0.1&clip=" + clip).header("etag");
    };
    EXPECT_EQ(etag("frames:all"), etag("frames:0-2"));
    EXPECT_NE(etag("frames:0-1"), etag("frames:0-2"));
    const auto of_range = [&](const std::string& rest) {
        return read(soldier, "/clips/frames:1-2" + rest).json();
    };
    EXPECT_EQ(of_range("/bounds").at("exact"), read(soldier, "/clips/walk/bounds").json().at("exact"));
    EXPECT_EQ(of_range("/keys").at("count"), 2);
    EXPECT_EQ(of_range("/facts").at("loops"), read(soldier, "/clips/walk/facts").json().at("loops"));
    read(soldier, "/clips/frames:0-3/bounds", 422);
    read(soldier, "/animation?frames=3&size=32&clip=frames:0-2");
    EXPECT_NE(read(soldier, "/render?clip=frames:0-3", 422).body.find("the frames 0 to 2"),
              std::string::npos);
    read(soldier, "/render?clip=frames:a", 422);
}

TEST_F(HttpLooks, UserClipsMayCrossTheClips)
{
    const auto other = import_asset(port(), [] {
        auto files = md2_files();
        files[0].name = "other.md2";
        return files;
    }());
    const auto add = [&](const std::string& body) {
        return fetch(port(), "PATCH", fmt::format("/v1/assets/{}/clips", other),
                     {{"Content-Type", "application/json"}}, body);
    };
    const auto added = add(R"({"name":"whole","clip":"frames","firstFrame":0,"lastFrame":2,"frameRate":20})");
    ASSERT_EQ(added.status, 200) << added.body;
    const auto clip = added.json().at_pointer("/items/2");
    EXPECT_EQ(clip.at("duration").to_number<double>(), 0.1);
    EXPECT_EQ(clip.at("cutFrom"), json::parse(R"({"clip":"frames","firstFrame":0,"lastFrame":2})"));
    const auto mesh = [&](const std::string& query) { return read(other, "/mesh?format=obj&" + query).body; };
    EXPECT_EQ(mesh("clip=whole&t=0.05"), mesh("clip=walk&t=0"));
    EXPECT_EQ(mesh("clip=whole&t=0.1"), mesh("clip=walk&t=0.1"));
    EXPECT_EQ(add(R"({"name":"beyond","clip":"frames","firstFrame":0,"lastFrame":3})").status, 422);
    EXPECT_EQ(mesh("clip=frames:all&t=0.2"), mesh("clip=walk&t=0.1")) << "of the file still";
}

TEST_F(HttpLooks, PartsAreListed)
{
    const auto parts = read(levels, "/parts").json();
    EXPECT_EQ(parts.at("skins"), json::array());
    EXPECT_EQ(parts.at("frames"), 0);
    EXPECT_EQ(parts.at("omitted"), 0);
    EXPECT_EQ(parts.at("levels"),
              json::parse(R"([{"level":0,"nodes":2,"triangles":2},{"level":1,"nodes":2,"triangles":2}])"));
    EXPECT_EQ(parts.at("nodes").as_array().size(), 4u);
    EXPECT_EQ(parts.at_pointer("/nodes/2"),
              json::parse(R"({"node":2,"name":"a_LOD1","parent":0,"mesh":"m1","triangles":1,"visible":false,)"
                          R"("levels":[1,null]})"));
    const auto of_md2 = read(soldier, "/parts").json();
    EXPECT_EQ(of_md2.at("skins"), json::parse(R"(["red","blue"])"));
    EXPECT_EQ(of_md2.at("frames"), 3);
}

TEST_F(HttpLooks, AreSelectedInTheLivePreview)
{
    WebSocket socket(port(), levels);
    const auto hello = json::parse(socket.next().data);
    EXPECT_EQ(hello.at("levels"), 2);
    EXPECT_EQ(hello.at("frames"), 0);
    const auto next_color = [&] {
        const auto frame = parse(socket.next_of(2));
        acknowledge(socket, frame);
        return color_of(frame.payload);
    };
    socket.say(
        R"({"type":"view","width":64,"height":64,"light":"reference","lod":1,"camera":{"yaw":0,"pitch":0}})");
    EXPECT_EQ(next_color(), "green");
    socket.say(R"({"type":"view","lod":null})");
    EXPECT_EQ(next_color(), "red");
    socket.say(R"({"type":"view","hide":["a_LOD0"]})");
    EXPECT_EQ(next_color(), "blue");
    socket.say(R"({"type":"view","hide":null,"only":[1]})");
    EXPECT_EQ(next_color(), "red");
    socket.say(R"({"type":"view","only":"leg"})");
    EXPECT_EQ(json::parse(socket.next_of(1).data).at("code"), "cannot_draw");
    socket.say(R"({"type":"view","hide":[{}]})");
    EXPECT_EQ(json::parse(socket.next_of(1).data).at("code"), "bad_value");
}

TEST_F(HttpLooks, RangesOfFramesPlayInTheLivePreview)
{
    WebSocket socket(port(), soldier);
    EXPECT_EQ(json::parse(socket.next().data).at("frames"), 3);
    const auto next_time = [&] {
        const auto frame = parse(socket.next_of(2));
        acknowledge(socket, frame);
        return frame.time;
    };
    socket.say(R"({"type":"view","width":64,"height":64,"clip":"frames:0-2","time":0.15})");
    EXPECT_DOUBLE_EQ(next_time(), 0.15);
    socket.say(R"({"type":"view","clip":"frames:1-2","time":0.05})");
    EXPECT_DOUBLE_EQ(next_time(), 0.05);
    socket.say(R"({"type":"view","clip":"frames:0-3"})");
    const auto problem = json::parse(socket.next_of(1).data);
    EXPECT_EQ(problem.at("code"), "bad_value");
    EXPECT_NE(problem.at("detail").as_string().find("the frames 0 to 2"), std::string::npos);
}

} // namespace
} // namespace vitrine::test

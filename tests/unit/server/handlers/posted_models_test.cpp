// POST /v1/inspect, /render, /animation, /convert and /check: the model is the body, nothing of it is kept.

#include <algorithm>
#include <array>

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::HasSubstr;

class PostedModels : public HandlerTest {
protected:
    PostedModels()
        : HandlerTest(true, [this](ServicesConfig& config) {
              config.posted_bytes = 1000;
              config.load_scene = [this](const auto& files, const std::string& main_name, const auto&) {
                  in_memory =
                      std::ranges::all_of(files, [](const auto& file) { return file.descriptor >= 0; });
                  blobs_while_loading = files_under(folder() / "data/blobs");
                  return loader.load(main_name);
              };
          })
    {
    }

    static std::string form(const std::vector<std::string>& names)
    {
        std::string body;
        for (const auto& name : names)
            body += "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name +
                    "\"\r\n\r\n" + name + "\r\n";
        return body + "--B--\r\n";
    }
    Answered post(std::string_view target, const std::vector<std::string>& names, const Fields& fields = {})
    {
        auto all = fields;
        all.emplace_back("Content-Type", "multipart/form-data; boundary=B");
        return ask(Method::post, target, all, {form(names)});
    }
    static std::string text(const Answered& answered)
    {
        return std::string(body_bytes(answered.response.body).value());
    }
    bool keeps_derived_data() const
    {
        const auto kept = folder() / "data/derived";
        return std::filesystem::exists(kept) && files_under(kept) > 0;
    }

    // Of the last load.
    bool in_memory = false;
    std::size_t blobs_while_loading = 0;
};

TEST_F(PostedModels, AnswerAsVitrineInspectDoes)
{
    const auto found = post("/v1/inspect", {"bar.obj"});
    ASSERT_EQ(found.status(), 200);
    EXPECT_EQ(found.json().at("format"), "obj");
    EXPECT_EQ(found.json().at("clips").as_array().size(), 1u);
    EXPECT_TRUE(found.json().at("clips").at(0).at("facts").is_object());
    EXPECT_EQ(found.header("Cache-Control"), "no-store");
    EXPECT_EQ(found.header("ETag"), "");
    EXPECT_EQ(post("/v1/inspect?clip=0", {"bar.obj"}).code(), "bad_query");
}

// Their work ends though the device does not answer.
TEST_F(PostedModels, AreLeftWhenTheClientLeaves)
{
    std::array<int, 2> sockets{-1, -1};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.data()), 0);
    peer = std::make_shared<PeerSocket>(sockets[0]);
    ::close(sockets[1]);
    {
        const std::lock_guard device_waits(gpu.gate);
        EXPECT_THROW(post("/v1/render?w=16&h=16", {"bar.obj"}), PeerDisconnected);
    }
    ::close(sockets[0]);
    peer = nullptr;
    EXPECT_EQ(post("/v1/render?w=16&h=16", {"bar.obj"}).status(), 200) << "others are drawn";
    EXPECT_TRUE(test::eventually([&] { return files_under(folder() / "data/blobs") == 0; }));
}

TEST_F(PostedModels, AreInMemoryOnly)
{
    ASSERT_EQ(post("/v1/inspect", {"bar.obj", "readme.txt"}).status(), 200);
    EXPECT_TRUE(in_memory);
    EXPECT_EQ(blobs_while_loading, 0u);
    EXPECT_EQ(services.metrics.posted_bytes.Value(), 0.0) << "after the response";
}

TEST_F(PostedModels, MemoryIsLimited)
{
    const auto send = [&](std::size_t bytes) {
        return ask(Method::post, "/v1/inspect?name=bar.obj", {}, {std::string(bytes, ' ')}, bytes);
    };
    EXPECT_EQ(send(1001).code(), "upload_too_large");
    EXPECT_EQ(
        ask(Method::post, "/v1/inspect?name=bar.obj", {}, {std::string(600, ' '), std::string(401, ' ')})
            .code(),
        "upload_too_large")
        << "without a declared length";
    ASSERT_TRUE(services.posted_bytes->take(500)); // by other requests
    const auto busy = send(501);
    EXPECT_EQ(busy.status(), 503);
    EXPECT_EQ(busy.code(), "memory_full");
    EXPECT_EQ(busy.header("Retry-After"), "2");
    EXPECT_EQ(send(500).status(), 200);
    services.posted_bytes->release(500);
    EXPECT_EQ(send(1000).status(), 200);
}

TEST_F(PostedModels, NameMayBeThatOfTheDisposition)
{
    const Fields fields{{"Content-Disposition", "attachment; filename=\"bar.obj\""}};
    EXPECT_EQ(ask(Method::post, "/v1/inspect", fields, {"v"}).status(), 200);
    EXPECT_EQ(ask(Method::post, "/v1/inspect?name=bad.obj", fields, {"v"}).code(), "truncated")
        << "the parameter counts";
    EXPECT_EQ(ask(Method::post, "/v1/inspect", {{"Content-Disposition", "attachment"}}, {"v"}).status(), 415);
}

TEST_F(PostedModels, MayBeOneFile)
{
    const auto found = ask(Method::post, "/v1/inspect?name=bar.obj", {{"Content-Type", "model/obj"}}, {"v"});
    ASSERT_EQ(found.status(), 200);
    EXPECT_EQ(found.json().at("format"), "obj");
    EXPECT_EQ(ask(Method::post, "/v1/inspect", {{"Content-Type", "model/obj"}}, {"v"}).status(), 415);
    EXPECT_EQ(post("/v1/inspect?name=a&name=b", {"bar.obj"}).status(), 400);
}

TEST_F(PostedModels, AreDrawnConvertedAndForgotten)
{
    const auto image = post("/v1/render?clip=0&t=0.5&w=16&h=16&format=png&turn=0:0,0,30", {"bar.obj"});
    ASSERT_EQ(image.status(), 200) << image.json();
    EXPECT_EQ(image.header("Content-Type"), "image/png");
    EXPECT_EQ(image.header("Cache-Control"), "no-store");
    EXPECT_EQ(post("/v1/render?w=0", {"bar.obj"}).status(), 400);
    EXPECT_EQ(post("/v1/render?clip=none-such", {"bar.obj"}).code(), "no_clip");
    const auto motion = post("/v1/animation?frames=3&size=16", {"bar.obj"});
    ASSERT_EQ(motion.status(), 200);
    EXPECT_EQ(motion.header("Content-Type"), "image/webp");
    const auto glb = post("/v1/convert", {"bar.obj"});
    ASSERT_EQ(glb.status(), 200);
    EXPECT_EQ(text(glb).substr(0, 4), "glTF");
    const auto baked = post("/v1/convert?layer=0@0.1", {"bar.obj"});
    ASSERT_EQ(baked.status(), 200);
    EXPECT_NE(text(baked), text(glb));
    EXPECT_EQ(services.catalog.asset_count(), 0u);
    EXPECT_FALSE(keeps_derived_data());
    EXPECT_TRUE(test::eventually([&] { return files_under(folder() / "data/blobs") == 0; }))
        << "the blobs of the requests are removed";
}

TEST_F(PostedModels, OneOfSeveralIsChosen)
{
    const auto drawn = post("/v1/inspect", {"rig.bvh", "bar.obj"});
    ASSERT_EQ(drawn.status(), 200) << "the only one that draws anything";
    EXPECT_EQ(drawn.json().at("format"), "obj");
    const auto named = post("/v1/inspect?model=rig.bvh", {"rig.bvh", "bar.obj"});
    ASSERT_EQ(named.status(), 200);
    EXPECT_EQ(named.json().at("format"), "fbx");
    const auto several = post("/v1/inspect", {"a/cube.obj", "b/bar.obj"});
    EXPECT_EQ(several.status(), 422);
    EXPECT_EQ(several.code(), "several_models");
    EXPECT_THAT(text(several), HasSubstr("a/cube.obj, b/bar.obj"));
    EXPECT_EQ(post("/v1/inspect?model=bar.obj", {"a/cube.obj", "b/bar.obj"}).status(), 200);
    EXPECT_EQ(post("/v1/inspect?model=c.obj", {"a/cube.obj", "b/bar.obj"}).code(), "no_model");
    EXPECT_EQ(post("/v1/inspect", {"bad.obj", "bar.obj"}).status(), 200) << "the only one that loads";
    const auto bad = post("/v1/inspect", {"bad.obj"});
    EXPECT_EQ(bad.status(), 422);
    EXPECT_EQ(bad.code(), "truncated");
    EXPECT_EQ(bad.json().at("where"), "byte 9");
}

TEST_F(PostedModels, PlayTheClipsOfTheOthers)
{
    const std::vector<std::string> both{"a/bar.obj", "b/bar2.obj"};
    const auto lent = post("/v1/render?model=bar.obj&clip=bar2.obj:0&t=0.5&w=16&h=16", both);
    ASSERT_EQ(lent.status(), 200) << lent.json();
    EXPECT_EQ(text(lent), text(post("/v1/render?model=bar.obj&clip=0&t=0.5&w=16&h=16", both)));
    EXPECT_EQ(post("/v1/convert?model=bar.obj&clip=bar2.obj:0", both).status(), 200);
    EXPECT_EQ(post("/v1/render?model=bar.obj&attach=bar2.obj@0&w=16&h=16", both).status(), 200);
    EXPECT_EQ(post("/v1/render?model=bar.obj&clip=bar3.obj:0", both).code(), "no_clip");
    EXPECT_EQ(post("/v1/render?model=bar.obj&attach=bar3.obj@0", both).code(), "no_asset");
}

TEST_F(PostedModels, TooManyAreRejected)
{
    std::vector<std::string> names;
    for (int i = 0; i < 17; ++i)
        names.push_back("bar" + std::to_string(i) + ".obj");
    const auto many = post("/v1/inspect", names);
    EXPECT_EQ(many.status(), 413);
    EXPECT_EQ(many.code(), "limit_exceeded");
    EXPECT_EQ(loader.loads, 0);
    EXPECT_EQ(post("/v1/check", names).status(), 200);
}

TEST_F(PostedModels, AreChecked)
{
    const auto found = post("/v1/check?profile=mobile", {"bar.obj", "bad.obj"});
    ASSERT_EQ(found.status(), 200);
    const auto report = found.json();
    EXPECT_EQ(report.at("profile"), "mobile");
    const auto& files = report.at("files").as_array();
    ASSERT_EQ(files.size(), 2u);
    EXPECT_EQ(files[0].at("file"), "bad.obj");
    EXPECT_EQ(files[0].at("problem").at("code"), "truncated");
    EXPECT_EQ(files[1].at("file"), "bar.obj");
    EXPECT_TRUE(files[1].at("items").is_array());
    EXPECT_EQ(services.catalog.asset_count(), 0u);
}

TEST_F(PostedModels, ReportsHaveSeveralFormats)
{
    const auto sarif = post("/v1/check?format=sarif", {"bar.obj"});
    ASSERT_EQ(sarif.status(), 200);
    EXPECT_EQ(sarif.header("Content-Type"), "application/sarif+json");
    EXPECT_EQ(sarif.json().at("version"), "2.1.0");
    const auto accepted = post("/v1/check", {"bar.obj"}, {{"Accept", "application/sarif+json"}});
    EXPECT_EQ(text(accepted), text(sarif));
    const auto junit = post("/v1/check", {"bar.obj"}, {{"Accept", "application/xml, text/plain;q=0.5"}});
    EXPECT_EQ(junit.header("Content-Type"), "application/xml");
    EXPECT_THAT(text(junit), HasSubstr("<testsuite name=\"bar.obj\""));
    EXPECT_EQ(post("/v1/check", {"bar.obj"}, {{"Accept", "*/*"}}).header("Content-Type"), "application/json");
    const auto lines = post("/v1/check?format=text&failOn=note&profile=mobile", {"bar.obj"});
    EXPECT_EQ(lines.header("Content-Type"), "text/plain; charset=utf-8");
    EXPECT_EQ(post("/v1/check?format=html", {"bar.obj"}).code(), "bad_query");
    EXPECT_EQ(post("/v1/check?profile=phone", {"bar.obj"}).code(), "bad_query");
    EXPECT_EQ(post("/v1/check", {"readme.txt"}).code(), "no_model");
}

} // namespace
} // namespace vitrine::server::testing

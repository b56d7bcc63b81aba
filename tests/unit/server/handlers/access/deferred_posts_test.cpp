// POST requests with Prefer: respond-async, whose parameters or model are the body: their responses are kept.

#include <mutex>

#include <gmock/gmock.h>

#include "server/util/process_owner.hpp"
#include "tests/unit/server/handlers/access/access_matrix.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const Field respond_async{"Prefer", "respond-async"};

std::string bytes_of_body(const Response& response)
{
    if (const auto bytes = body_bytes(response.body)) return std::string(*bytes);
    const auto& slice = std::get<FileSlice>(response.body);
    const auto read = slice.file->read(slice.offset, static_cast<std::size_t>(slice.length), {});
    return {reinterpret_cast<const char*>(read.data()), read.size()};
}

class DeferredPosts : public AccessMatrix {
protected:
    DeferredPosts()
        : AccessMatrix([this](ServicesConfig& config) {
              gpu.absent = false;
              config.posted_bytes = 1000;
          })
    {
    }

    Answered post_model(const std::string& target, const Field& who, const std::vector<Field>& more = {})
    {
        auto fields = more;
        fields.push_back(who);
        fields.emplace_back("Content-Type", "model/obj");
        return ask(Method::post, target, fields, {"v"});
    }
    Answered post_json(const std::string& target, const std::string& body,
                       const std::vector<Field>& more = {})
    {
        auto fields = more;
        fields.push_back(admin);
        fields.emplace_back("Content-Type", "application/json");
        return ask(Method::post, target, fields, {body}, body.size());
    }
    Answered read(const std::string& target, const Field& who) { return get(target, {who}); }
    // The job after its end.
    boost::json::value await(const Answered& answered, const Field& who)
    {
        boost::json::value job;
        EXPECT_TRUE(test::eventually([&] {
            job = read(answered.header("Location"), who).json();
            return !job.at("finishedAt").is_null();
        }));
        return job;
    }
    std::string result_of(const Answered& answered, const Field& who)
    {
        EXPECT_EQ(answered.status(), 202);
        const auto job = await(answered, who);
        EXPECT_EQ(job.at("state"), "succeeded") << job;
        EXPECT_EQ(job.at("method"), "POST");
        const std::string result(job.at("result").as_string());
        EXPECT_EQ(result, answered.header("Location") + "/result");
        return result;
    }
    long long job_count()
    {
        long long count = 0;
        services.catalog.connections().read(
            [&](DatabaseConnection& sql) { sql << "SELECT COUNT(*) FROM response_jobs", soci::into(count); });
        return count;
    }

    const Field admin = bearer(server_token), viewer = bearer(make(Role::viewer).secret),
                other = bearer(make(Role::viewer).secret), editor = bearer(make(Role::editor).secret);
};

TEST_F(DeferredPosts, ModelsAreAnsweredAsAtOnce)
{
    for (const std::string target :
         {"/v1/inspect?name=bar.obj", "/v1/render?name=bar.obj&w=16&h=16&format=webp&clip=0&t=0.5",
          "/v1/animation?name=bar.obj&frames=3&size=16", "/v1/convert?name=bar.obj",
          "/v1/check?name=bar.obj&format=sarif"}) {
        const auto whole = post_model(target, viewer);
        ASSERT_EQ(whole.status(), 200) << target;
        const auto answered = post_model(target, viewer, {respond_async});
        EXPECT_THAT(answered.header("Location"), StartsWith("/v1/jobs/response_"));
        EXPECT_EQ(answered.header("Preference-Applied"), "respond-async");
        EXPECT_EQ(answered.json().at("target").as_string(), target);
        const auto result = result_of(answered, viewer);
        const auto drawn = gpu.frames.load();
        const auto found = read(result, viewer);
        EXPECT_EQ(found.status(), 200);
        EXPECT_EQ(bytes_of_body(found.response), bytes_of_body(whole.response)) << target;
        for (const auto* field : {"Content-Type", "Content-Disposition", "ETag"})
            EXPECT_EQ(found.header(field), whole.header(field)) << target << ' ' << field;
        EXPECT_THAT(found.header("Cache-Control"), HasSubstr("no-store"));
        EXPECT_EQ(gpu.frames.load(), drawn) << "it is not drawn a second time";
    }
    EXPECT_EQ(services.catalog.asset_count(), 0u);
    EXPECT_EQ(services.metrics.posted_bytes.Value(), 0.0) << "models end with their responses";
}

TEST_F(DeferredPosts, ParametersInTheBodyAreAnsweredAsAtOnce)
{
    const auto path = "/v1/assets/" + imported("bar.obj");
    for (const auto& [route, body] : {std::pair<std::string, std::string>{"/render", R"({"w": 48, "h": 32})"},
                                      {"/turntable", R"({"frames": 3, "size": 32})"},
                                      {"/sprite", R"({"clip": "0", "frames": 2, "size": 32})"},
                                      {"/animation", R"({"clip": "0", "frames": 2, "size": 32})"},
                                      {"/export.glb", "{}"},
                                      {"/mesh", R"({"format": "ply"})"}}) {
        const auto result = result_of(post_json(path + route, body, {respond_async}), admin);
        const auto drawn = gpu.frames.load();
        const auto found = read(result, admin);
        EXPECT_EQ(gpu.frames.load(), drawn);
        const auto whole = post_json(path + route, body);
        ASSERT_EQ(whole.status(), 200) << route;
        EXPECT_EQ(bytes_of_body(found.response), bytes_of_body(whole.response)) << route;
        EXPECT_EQ(found.header("Content-Type"), whole.header("Content-Type"));
    }
    EXPECT_EQ(post_json(path + "/pick", R"({"x": 1, "y": 1})", {respond_async}).status(), 200);
    EXPECT_EQ(post_json(path + "/clips/0/pose", "{}", {respond_async}).status(), 200);
}

TEST_F(DeferredPosts, WhatIsWrongIsToldAtOnce)
{
    const auto path = "/v1/assets/" + imported("bar.obj");
    const auto hollow = "/v1/assets/" + imported("void.obj");
    const auto expect_same = [&](const Answered& at_once, const Answered& later, int status) {
        EXPECT_EQ(at_once.status(), status);
        EXPECT_EQ(later.status(), at_once.status());
        EXPECT_EQ(later.json(), at_once.json());
        EXPECT_EQ(later.header("Location"), "");
    };
    for (const auto& [target, status] : {std::pair<std::string, int>{"/v1/render?name=bad.obj", 422},
                                         {"/v1/inspect?name=bad.obj", 422},
                                         {"/v1/convert?name=readme.txt", 422},
                                         {"/v1/render?name=bar.obj&model=c.obj", 422},
                                         {"/v1/render?name=bar.obj&w=0", 400},
                                         {"/v1/render?name=bar.obj&clip=none-such", 404},
                                         {"/v1/animation?name=bar.obj&frames=0", 400},
                                         {"/v1/convert?name=bar.obj&clip=none-such", 404},
                                         {"/v1/check?name=bar.obj&profile=phone", 400},
                                         {"/v1/inspect?name=bar.obj&w=1", 400},
                                         {"/v1/render", 415}})
        expect_same(post_model(target, viewer), post_model(target, viewer, {respond_async}), status);
    for (const auto& [target, body, status] :
         {std::tuple<std::string, std::string, int>{path + "/render", R"({"w": 0})", 400},
          {path + "/render", "[", 400},
          {path + "/render", R"({"clip": "none-such"})", 404},
          {path + "/mesh", R"({"format": "stl"})", 400},
          {path + "/export.glb", R"({"variant": 7})", 400},
          {hollow + "/turntable", R"({"frames": 3})", 422},
          {"/v1/assets/asset_none/render", "{}", 404}})
        expect_same(post_json(target, body), post_json(target, body, {respond_async}), status);
    EXPECT_EQ(job_count(), 0);
}

TEST_F(DeferredPosts, ResultsAreOfTheirSender)
{
    const auto answered = post_model("/v1/inspect?name=bar.obj", viewer, {respond_async});
    const auto result = result_of(answered, viewer);
    for (const auto& stranger : {other, editor}) {
        EXPECT_EQ(read(result, stranger).status(), 403);
        EXPECT_EQ(read(result, stranger).code(), "role_required");
        EXPECT_THAT(read(result, stranger).header("WWW-Authenticate"), HasSubstr("scope=\"admin\""));
    }
    EXPECT_EQ(read(result, admin).status(), 200);
    EXPECT_EQ(read("/v1/jobs/response_none/result", admin).code(), "no_job");
    EXPECT_EQ(read("/v1/jobs/job_none/result", admin).code(), "no_job");
    EXPECT_EQ(read(result + "?a=1", viewer).code(), "bad_query");
}

TEST_F(DeferredPosts, EndWithTheirJob)
{
    const auto answered = post_model("/v1/inspect?name=bar.obj", viewer, {respond_async});
    const auto result = result_of(answered, viewer);
    const auto derived = [&] { return files_under(folder() / "data/derived"); };
    const auto kept = derived();
    ASSERT_GT(kept, 0u);
    services.catalog.connections().write(
        [&](DatabaseConnection& sql) { sql << "UPDATE response_jobs SET created = created - 3600000001"; });
    EXPECT_EQ(read(answered.header("Location"), viewer).code(), "no_job");
    EXPECT_EQ(read(result, viewer).code(), "no_job");
    ASSERT_TRUE(services.response_jobs.start({.target = "/x"}, std::chrono::seconds(60),
                                             [](const auto&) { return std::string(); }));
    EXPECT_EQ(derived(), kept - 1) << "the next job removes the file";
    EXPECT_EQ(job_count(), 1);
}

TEST_F(DeferredPosts, ResultsMayBeGone)
{
    const auto answered = post_model("/v1/inspect?name=bar.obj", viewer, {respond_async});
    const auto result = result_of(answered, viewer);
    services.response_jobs.answers().remove(answered.header("Location").substr(9));
    EXPECT_EQ(read(result, viewer).status(), 410);
    EXPECT_EQ(read(result, viewer).code(), "job_result_gone");
}

TEST_F(DeferredPosts, EndWithTheProcessThatMakesThem)
{
    const auto answered = post_model("/v1/inspect?name=bar.obj", viewer, {respond_async});
    const auto result = result_of(answered, viewer);
    services.catalog.connections().write([&](DatabaseConnection& sql) {
        const auto ended = process_owner() + "0";
        sql << "UPDATE response_jobs SET state = 'running', finished = 0, owner = :owner", soci::use(ended);
    });
    const auto job = read(answered.header("Location"), viewer);
    EXPECT_EQ(job.json().at("state"), "failed");
    EXPECT_FALSE(job.json().at("finishedAt").is_null());
    EXPECT_EQ(job.header("Retry-After"), "") << "it does not change any more";
    const auto found = read(result, viewer);
    EXPECT_EQ(found.status(), 503);
    EXPECT_EQ(found.code(), "stopping");
    EXPECT_EQ(found.header("Retry-After"), "1");
}

// Only GET makes what the derived files have without them.
TEST_F(DeferredPosts, ResultsOfGetAreItsUrl)
{
    const auto path = "/v1/assets/" + imported("bar.obj") + "/render?w=33";
    const auto answered = get(path, {admin, respond_async});
    const auto job = await(answered, admin);
    EXPECT_EQ(job.at("method"), "GET");
    EXPECT_EQ(job.at("result").as_string(), path);
    EXPECT_EQ(read(answered.header("Location") + "/result", admin).code(), "no_job_result");
}

TEST_F(DeferredPosts, AreCancelledByTheirSender)
{
    const std::string target = "/v1/render?name=bar.obj&w=16&h=16";
    Answered answered, foreign;
    {
        const std::lock_guard device_waits(gpu.gate);
        answered = post_model(target, viewer, {respond_async});
        foreign = post_model(target, other, {respond_async});
        ASSERT_EQ(answered.status(), 202);
        ASSERT_EQ(foreign.status(), 202);
        const auto job = answered.header("Location");
        EXPECT_EQ(read(job + "/result", viewer).status(), 409);
        EXPECT_EQ(read(job + "/result", viewer).code(), "job_not_finished");
        const auto rejected = ask(Method::delete_, job, {other});
        EXPECT_EQ(rejected.status(), 403);
        EXPECT_EQ(rejected.code(), "role_required");
        EXPECT_THAT(rejected.header("WWW-Authenticate"), HasSubstr("scope=\"editor\""));
        EXPECT_EQ(ask(Method::delete_, job, {viewer}).status(), 202);
        EXPECT_EQ(ask(Method::delete_, foreign.header("Location"), {editor}).status(), 202);
    }
    EXPECT_EQ(await(answered, viewer).at("state"), "cancelled");
    EXPECT_EQ(read(answered.header("Location") + "/result", viewer).status(), 410);
    EXPECT_EQ(ask(Method::delete_, "/v1/jobs/job_none", {viewer}).code(), "role_required") << "imports";
}

} // namespace
} // namespace vitrine::server::testing

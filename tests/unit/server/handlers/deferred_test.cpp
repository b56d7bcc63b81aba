// Responses that are made later: Prefer: respond-async.

#include <future>
#include <thread>

#include <gmock/gmock.h>

#include "loaders/base/stop.hpp"
#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class DeferredResponses : public HandlerTest {
protected:
    Answered defer(const std::string& target) { return get(target, {{"Prefer", "respond-async"}}); }
    // The job after its end.
    boost::json::value await(const Answered& answered)
    {
        boost::json::value job;
        EXPECT_TRUE(test::eventually([&] {
            job = get(answered.header("Location")).json();
            return !job.at("finishedAt").is_null();
        }));
        return job;
    }
    const std::string path = "/v1/assets/" + imported("bar.obj");
};

TEST_F(DeferredResponses, AreFoundByTheSameRequestWhenTheirJobHasEnded)
{
    for (const std::string rest :
         {"/render?w=48&h=32", "/turntable?frames=3&size=32", "/export.glb", "/mesh?format=ply"}) {
        const auto answered = defer(path + rest);
        ASSERT_EQ(answered.status(), 202) << rest;
        EXPECT_THAT(answered.header("Location"), StartsWith("/v1/jobs/response_"));
        EXPECT_EQ(answered.header("Preference-Applied"), "respond-async");
        EXPECT_EQ(answered.header("Retry-After"), "1");
        EXPECT_THAT(answered.header("Cache-Control"), HasSubstr("no-store"));
        EXPECT_EQ(answered.json().at("target").as_string(), path + rest);
        const auto job = await(answered);
        EXPECT_EQ(job.at("state").as_string(), "succeeded") << job;
        EXPECT_EQ(job.at("kind").as_string(), "response");
        EXPECT_TRUE(job.at("problem").is_null());
        EXPECT_EQ(get(std::string(job.at("result").as_string())).status(), 200) << rest;
    }
}

TEST_F(DeferredResponses, DrawNothingASecondTime)
{
    const auto target = path + "/render?w=49&h=32";
    await(defer(target));
    const auto drawn = gpu.frames.load();
    EXPECT_GT(drawn, 0);
    EXPECT_EQ(get(target).status(), 200);
    EXPECT_EQ(gpu.frames.load(), drawn);
}

TEST_F(DeferredResponses, HaveTheProblemOfTheirResponse)
{
    const auto job = await(defer(path + "/render?w=0"));
    EXPECT_EQ(job.at("state").as_string(), "failed");
    EXPECT_TRUE(job.at("result").is_null());
    EXPECT_EQ(job.at_pointer("/problem/status").as_int64(), 400);
    EXPECT_EQ(job.at_pointer("/problem/code").as_string(), "bad_query");
    EXPECT_EQ(job.at_pointer("/problem/errors/0/pointer").as_string(), "/query/w");
    EXPECT_EQ(await(defer("/v1/assets/asset_none/export.glb")).at_pointer("/problem/code").as_string(),
              "no_asset");
}

TEST_F(DeferredResponses, OtherRequestsAreAnsweredAtOnce)
{
    EXPECT_EQ(get(path + "/render?w=32", {{"Prefer", "wait=5"}}).status(), 200);
    EXPECT_EQ(ask(Method::head, path + "/render?w=33", {{"Prefer", "respond-async"}}).status(), 200);
    EXPECT_EQ(defer(path + "/bounds").status(), 200);
    EXPECT_EQ(get("/v1/jobs/response_none").code(), "no_job");
}

TEST_F(DeferredResponses, WaitInALimitedQueueAndAreCancelledThere)
{
    std::promise<void> release;
    const auto released = release.get_future().share();
    std::vector<std::string> ids;
    auto start = [&] {
        return services.response_jobs.start({.target = "/x"}, std::chrono::seconds(60),
                                            [released](const auto&) {
                                                released.wait();
                                                return std::string();
                                            });
    };
    for (std::size_t i = 0; i < ResponseJobs::max_waiting + ResponseJobs::threads; ++i)
        ids.push_back(start().value().id);
    EXPECT_EQ(start().error().code, "server_busy");
    EXPECT_EQ(defer(path + "/render?w=34").status(), 503);
    const auto last = "/v1/jobs/" + ids.back();
    EXPECT_EQ(get(last).json().at("state").as_string(), "queued");
    EXPECT_EQ(ask(Method::delete_, last).status(), 202);
    EXPECT_EQ(ask(Method::delete_, last).code(), "job_finished");
    release.set_value();
    EXPECT_TRUE(test::eventually([&] {
        return get("/v1/jobs/" + ids[ids.size() - 2]).json().at("state").as_string() == "succeeded";
    }));
    EXPECT_EQ(get(last).json().at("state").as_string(), "cancelled");
}

// A loop that ends when it is stopped.
std::string compute_until_stopped(const std::string&)
{
    for (;;) {
        check_stop();
        std::this_thread::yield();
    }
}

TEST_F(DeferredResponses, EndAfterTheirTime)
{
    const auto id =
        services.response_jobs.start({.target = "/x"}, std::chrono::milliseconds(1), compute_until_stopped)
            ->id;
    EXPECT_TRUE(test::eventually([&] { return services.response_jobs.find(id)->finished != 0; }));
    EXPECT_THAT(services.response_jobs.find(id)->problem, HasSubstr("time_limit_exceeded"));
}

TEST_F(DeferredResponses, EndWithTheirProcess)
{
    const auto running =
        services.response_jobs.start({.target = "/x"}, std::chrono::hours(1), compute_until_stopped)->id;
    services.response_jobs.stop();
    EXPECT_THAT(services.response_jobs.find(running)->problem, HasSubstr("stopping"));
    EXPECT_EQ(defer(path + "/render?w=35").status(), 503);
    services.catalog.connections().write(
        [&](DatabaseConnection& sql) { sql << "UPDATE response_jobs SET state = 'running', owner = 'x'"; });
    EXPECT_EQ(services.response_jobs.find(running)->state, JobState::running)
        << "of another machine, perhaps";
}

} // namespace
} // namespace vitrine::server::testing

// /v1/jobs, and uploads that ask for their jobs.

#include <gmock/gmock.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::SizeIs;

class JobRoutes : public HandlerTest {
protected:
    Answered upload_as(const std::string& name, const std::string& query = {}, const Fields& more = {})
    {
        const auto body = "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name +
                          "\"\r\n\r\n" + name + "\r\n--B--\r\n";
        Fields fields{{"Content-Type", "multipart/form-data; boundary=B"}};
        fields.insert(fields.end(), more.begin(), more.end());
        return ask(Method::post, "/v1/assets" + query, fields, {body});
    }
    static std::string job_of(const Answered& answered)
    {
        return std::string(answered.json().at_pointer("/items/0/job/id").as_string());
    }
};

TEST_F(JobRoutes, UploadsAnswerWithTheJob)
{
    const Fields async{{"Prefer", "wait=10, Respond-Async"}};
    const auto answered = upload_as("a.obj", {}, async);
    EXPECT_EQ(answered.status(), 202);
    EXPECT_EQ(answered.header("Location"), "/v1/jobs/" + job_of(answered));
    EXPECT_EQ(answered.header("Preference-Applied"), "respond-async");
    EXPECT_EQ(get(answered.header("Location")).status(), 200);
    EXPECT_EQ(upload_as("a.obj", {}, async).status(), 200) << "known: there is nothing to wait for";
    const auto other = upload_as("b.obj", {}, {{"Prefer", "handling=lenient"}});
    EXPECT_EQ(other.status(), 201);
    EXPECT_EQ(other.header("Preference-Applied"), "");

    const auto asset = std::string(other.json().at_pointer("/items/0/asset/id").as_string());
    wait_for(services, job_of(other));
    const auto path = "/v1/assets/" + asset + "/versions/1/restore";
    EXPECT_EQ(ask(Method::post, path, async).status(), 200) << "it is the newest";
}

TEST_F(JobRoutes, UploadsHaveAPriority)
{
    const auto priority = [](const Answered& answered) {
        return std::string(answered.json().at_pointer("/items/0/job/priority").as_string());
    };
    EXPECT_EQ(priority(upload_as("a.obj")), "interactive");
    EXPECT_EQ(priority(upload_as("b.obj", "?priority=bulk")), "bulk");
    EXPECT_EQ(upload_as("c.obj", "?priority=low").code(), "bad_query");
}

TEST_F(JobRoutes, ListsArePaged)
{
    std::vector<std::string> jobs;
    for (const char* name : {"a.obj", "b.obj", "c.obj"}) {
        jobs.insert(jobs.begin(), job_of(upload_as(name)));
        wait_for(services, jobs.front());
    }
    const auto first = get("/v1/jobs?limit=2&kind=import");
    ASSERT_THAT(first.json().at("items").as_array(), SizeIs(2));
    EXPECT_EQ(first.json().at_pointer("/items/0/id").as_string(), jobs[0]);
    const std::string cursor(first.json().at("next").as_string());
    EXPECT_EQ(first.header("Link"), "</v1/jobs?limit=2&kind=import&cursor=" + cursor + ">; rel=\"next\"");
    const auto rest = get("/v1/jobs?limit=2&kind=import&cursor=" + cursor).json();
    ASSERT_THAT(rest.at("items").as_array(), SizeIs(1));
    EXPECT_EQ(rest.at_pointer("/items/0/id").as_string(), jobs[2]);
    EXPECT_TRUE(rest.at("next").is_null());

    EXPECT_THAT(get("/v1/jobs?from=2000-01-01T00:00:00Z").json().at("items").as_array(), SizeIs(3));
    EXPECT_THAT(get("/v1/jobs?to=2000-01-01T00:00:00%2B01:00").json().at("items").as_array(), SizeIs(0));
    for (const char* query :
         {"?from=yesterday", "?to=2026", "?cursor=x", "?cursor=3", "?limit=0", "?state=late"})
        EXPECT_EQ(get(std::string("/v1/jobs") + query).code(), "bad_query") << query;
    EXPECT_EQ(ask(Method::post, "/v1/jobs/" + jobs[0] + "/retry").code(), "job_not_failed");
    EXPECT_EQ(ask(Method::post, "/v1/jobs/none/retry").code(), "no_job");
    EXPECT_EQ(ask(Method::post, "/v1/jobs/none/retry?x=1").code(), "bad_query");
}

} // namespace
} // namespace vitrine::server::testing

// One process of the role `api` and two workers, with one database of PostgreSQL and one object store.
// Skipped without VITRINE_TEST_DATABASE (script/with-postgres).

#include <csignal>
#include <cstdlib>
#include <optional>
#include <regex>
#include <set>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "tests/integration/s3/roles_fixture.hpp"

namespace vitrine::test {
namespace {

// Images are handed over in the database.
class RolesWithoutSharedFiles : public Roles {
protected:
    RolesWithoutSharedFiles() { derived = "none"; }
};

// Without the id of the request.
std::string without_id(boost::json::value problem)
{
    problem.as_object().erase("requestId");
    return boost::json::serialize(problem);
}

// What the API process answers is what one whole process answers, which has the same asset.
void expect_same_images(int api, const std::string& asset, int whole, const std::string& expected)
{
    const auto prefix = "/v1/assets/" + asset, expected_prefix = "/v1/assets/" + expected;
    for (const std::string path :
         {"/thumbnail?size=128", "/render?w=200&h=150&clip=0&t=0.3&overlay=skeleton",
          "/render?w=64&format=jpeg", "/render?w=1000&h=700&format=png", "/pick?w=200&h=200&x=100&y=100",
          "/sprite?frames=4&size=64", "/animation?frames=4&size=64", "/turntable?frames=4&size=64",
          "/render?w=64&clip=none-such", "/render?w=64&variant=none-such"}) {
        const auto here = get(api, prefix + path), there = get(whole, expected_prefix + path);
        EXPECT_EQ(here.status, there.status) << path << here.body.substr(0, 300);
        EXPECT_EQ(here.header("content-type"), there.header("content-type")) << path;
        EXPECT_EQ(here.header("etag"), there.header("etag")) << path;
        EXPECT_EQ(here.header("cache-control"), there.header("cache-control")) << path;
        if (here.header("content-type") == "application/problem+json")
            EXPECT_EQ(without_id(here.json()), without_id(there.json())) << path;
        else
            EXPECT_EQ(here.body, there.body) << path;
    }
    EXPECT_EQ(get(api, prefix + "/sprite/manifest?frames=4").status, 200) << "needs no device";
    const auto lineup = [](const std::string& id) {
        return "/v1/render?w=96&h=64&asset=" + id + "&asset=" + id;
    };
    EXPECT_EQ(get(api, lineup(asset)).body, get(whole, lineup(expected)).body);
    const std::string body = R"({"w": 64, "h": 48, "clip": "0", "t": 0.25, "overlay": ["skeleton"]})";
    const Fields json{{"Content-Type", "application/json"}};
    EXPECT_EQ(fetch(api, "POST", prefix + "/render", json, body).status, 200);
    EXPECT_EQ(fetch(api, "POST", prefix + "/render", json, body).body,
              fetch(whole, "POST", expected_prefix + "/render", json, body).body);
    const auto look = [&](int port, const std::string& id) {
        const auto message = fmt::format(R"({{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{
            "name": "look", "arguments": {{"asset": "{}", "poses": 2, "view": ["front", "side"], "size": 64}}}}}})",
                                         id);
        return fetch(port, "POST", "/mcp", json, message).body;
    };
    EXPECT_NE(look(api, asset).find("image/jpeg"), std::string::npos) << look(api, asset);
    EXPECT_EQ(look(api, asset), look(whole, expected));
}

// The model is the body of the request.
void expect_same_answers_to_models(int api, int whole)
{
    const auto model = koi_glb().bytes;
    for (const std::string path :
         {"/v1/render?w=64&name=koi.glb", "/v1/animation?frames=3&size=64&name=koi.glb",
          "/v1/render?w=64&name=koi.txt", "/v1/render?w=64&model=other&name=koi.glb"}) {
        const auto here = fetch(api, "POST", path, {}, model), there = fetch(whole, "POST", path, {}, model);
        EXPECT_EQ(here.status, there.status) << path << here.body.substr(0, 300);
        EXPECT_EQ(here.header("content-type"), there.header("content-type")) << path;
        EXPECT_EQ(here.header("cache-control"), there.header("cache-control")) << path;
        if (here.status == 200)
            EXPECT_EQ(here.body, there.body) << path;
        else
            EXPECT_EQ(without_id(here.json()), without_id(there.json())) << path;
    }
}

// A large image too, as one process draws it.
void expect_images_of_one_process(int api, const std::filesystem::path& data)
{
    const ServerProcess whole(data);
    const auto asset = import_asset(api, {robot_glb()});
    const auto expected = import_asset(whole.port(), {robot_glb()});
    ASSERT_NE(asset, "");
    ASSERT_NE(expected, "");
    expect_same_images(api, asset, whole.port(), expected);
    expect_same_answers_to_models(api, whole.port());
    EXPECT_EQ(get(api, "/v1/assets/" + asset + "/render?w=1001&h=700&format=png").status, 200);
}

TEST_F(Roles, WorkersImportAndDrawWhatTheApiProcessAnswers)
{
    expect_images_of_one_process(api->port(), folder.path() / "whole");
    EXPECT_GT(handed_over_as_files(), 0);
}

TEST_F(RolesWithoutSharedFiles, WorkersDrawWhatTheApiProcessAnswers)
{
    expect_images_of_one_process(api->port(), folder.path() / "whole");
    EXPECT_EQ(handed_over_as_files(), 0);
}

// Only the ids of the assets differ between the processes.
TEST_F(Roles, WorkersPickInALineup)
{
    const ServerProcess whole(folder.path() / "whole");
    struct Row {
        int port;
        std::string left, right;
        Reply read(const std::string& route) const
        {
            auto reply = get(port, route + "asset=" + left + "&asset=" + right);
            reply.body = std::regex_replace(reply.body, std::regex(left), "LEFT");
            reply.body = std::regex_replace(reply.body, std::regex(right), "RIGHT");
            return reply;
        }
    };
    const auto import_row = [](int port) {
        return Row{port, import_asset(port, {robot_glb()}), import_asset(port, {koi_glb()})};
    };
    const auto here = import_row(api->port()), there = import_row(whole.port());
    ASSERT_FALSE(here.left.empty() || here.right.empty() || there.left.empty() || there.right.empty());
    std::vector<std::string> routes{"/v1/lineup?sizes=equal&", "/v1/pick?x=200&y=0&w=200&h=100&",
                                    "/v1/pick?x=1&y=1&clip=none-such&"};
    for (const int y : {35, 50, 65, 75})
        for (int x = 10; x < 200; x += 15)
            routes.push_back(fmt::format("/v1/pick?sizes=equal&w=200&h=100&y={}&x={}&", y, x));
    std::set<std::string> picked;
    for (const auto& route : routes) {
        const auto reply = here.read(route), expected = there.read(route);
        EXPECT_EQ(reply.status, expected.status) << route << reply.body;
        EXPECT_EQ(reply.header("content-type"), expected.header("content-type")) << route;
        if (reply.status == 200)
            EXPECT_EQ(reply.body, expected.body) << route;
        else
            EXPECT_EQ(without_id(reply.json()), without_id(expected.json())) << route;
        if (reply.body.contains("\"hit\":{")) picked.insert(text_at(reply.json(), "/asset/id"));
    }
    EXPECT_EQ(picked, (std::set<std::string>{"LEFT", "RIGHT"}));
    EXPECT_GT(count_requests("state = 'done' AND status = 200 AND request LIKE '%/v1/pick%'"), 2);
}

TEST_F(Roles, SayWhatTheyDo)
{
    const auto ready = get(api->port(), "/readyz");
    EXPECT_EQ(ready.status, 200);
    EXPECT_EQ(text_at(ready.json(), "/role"), "api");
    EXPECT_TRUE(ready.json().at("device").is_null());
    EXPECT_EQ(text_at(get(workers[0]->port(), "/readyz").json(), "/role"), "worker");
    EXPECT_EQ(get(workers[0]->port(), "/healthz").status, 200);
    EXPECT_EQ(get(workers[0]->port(), "/index.html").status, 404) << "no page";
    const auto listed = get(api->port(), "/v1/workers").json();
    ASSERT_EQ(listed.at("items").as_array().size(), 2u);
    const auto& worker = listed.at("items").as_array().front();
    EXPECT_EQ(text_at(worker, "/role"), "worker");
    EXPECT_TRUE(text_at(worker, "/address").starts_with("http://127.0.0.1:"));
    EXPECT_FALSE(worker.at("devices").as_array().empty());
    EXPECT_EQ(get(api->port(), "/v1/workers?limit=1").json().at("items").as_array().size(), 1u);
    EXPECT_EQ(get(api->port(), "/v1/workers?limit=0").status, 400);
    EXPECT_EQ(get(api->port(), "/v1/workers?limit=501").status, 400);
    const auto metrics = get(api->port(), "/metrics").body;
    EXPECT_TRUE(metrics.contains("\nvitrine_workers{role=\"worker\"} 2\n"));
    EXPECT_TRUE(metrics.contains("\nvitrine_render_requests_waiting 0\n"));
    const auto labels =
        fmt::format("{{worker=\"{}\",address=\"{}\",", text_at(worker, "/name"), text_at(worker, "/address"));
    EXPECT_TRUE(metrics.contains(fmt::format("\nvitrine_worker_capacity{}work=\"draws\"}} {}\n", labels,
                                             worker.at("capacity").at("draws").as_int64())));
    EXPECT_TRUE(metrics.contains("\nvitrine_worker_load" + labels + "work=\"viewers\"} 0\n"));
    EXPECT_TRUE(metrics.contains("\nvitrine_worker_devices" + labels + "device=\"" +
                                 text_at(worker, "/devices/0") + "\"} 1\n"));
}

TEST_F(Roles, AQuarantineHoldsForAllUntilItIsLifted)
{
    const auto asset = import_asset(api->port(), {koi_glb()});
    ASSERT_NE(asset, "");
    const auto status = [&](const ServerProcess& server) {
        static int width = 100; // an image that is not stored
        return get(server.port(), "/v1/assets/" + asset + "/render?w=" + std::to_string(++width)).status;
    };
    ASSERT_EQ(status(*api), 200);
    const auto dialect = server::make_dialect(catalog);
    const auto sql = dialect->connect(true);
    *sql << "INSERT INTO quarantined_models (model, created) SELECT DISTINCT model, now_micros() FROM "
            "render_requests";
    EXPECT_EQ(status(*api), 422);
    for (const auto& worker : workers)
        EXPECT_TRUE(eventually([&] { return status(*worker) == 422; }));
    EXPECT_EQ(fetch(api->port(), "DELETE", "/v1/assets/" + asset + "/quarantine").status, 204);
    EXPECT_TRUE(eventually([&] { return status(*api) == 200; })) << "its workers know it";
    for (const auto& worker : workers)
        EXPECT_TRUE(eventually([&] { return status(*worker) == 200; }));
}

TEST_F(Roles, WithoutWorkersImagesAreRejectedAndTheRestIsServed)
{
    const auto asset = import_asset(api->port(), {koi_glb()});
    ASSERT_NE(asset, "");
    const auto thumbnail = "/v1/assets/" + asset + "/thumbnail?size=64";
    const auto drawn = get(api->port(), thumbnail);
    EXPECT_EQ(drawn.status, 200);
    for (auto& worker : workers) {
        worker->signal(SIGTERM);
        EXPECT_EQ(worker->wait(), 0);
    }
    EXPECT_TRUE(eventually([&] { return live_workers() == 0; }));
    EXPECT_EQ(get(api->port(), "/v1/workers").json().at("items").as_array().size(), 0u) << "a clean stop";
    Reply rejected;
    EXPECT_TRUE(eventually([&] {
        rejected = get(api->port(), "/v1/assets/" + asset + "/render?w=65");
        return text_at(rejected.json(), "/code") == "no_worker";
    }));
    EXPECT_EQ(rejected.status, 503);
    EXPECT_NE(rejected.header("retry-after"), "");
    EXPECT_EQ(get(api->port(), thumbnail).body, drawn.body);
    EXPECT_EQ(get(api->port(), "/v1/assets/" + asset + "/skeleton").status, 200);
    EXPECT_EQ(get(api->port(), "/readyz").status, 200);
    const auto waiting = upload(api->port(), {vase_glb()});
    ASSERT_EQ(waiting.status, 201);
    workers[0].emplace(folder.path() / "w0", flags("worker"));
    const auto job = await_job(api->port(), text_at(waiting.json(), "/items/0/job/id"));
    EXPECT_EQ(text_at(job, "/state"), "succeeded");
}

} // namespace
} // namespace vitrine::test

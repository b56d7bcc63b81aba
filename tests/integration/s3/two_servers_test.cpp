// Two servers with one database of PostgreSQL and one object store. Skipped without VITRINE_TEST_DATABASE
// (script/with-postgres).

#include <csignal>
#include <cstdlib>
#include <optional>
#include <set>

#include "server/services/database/dialect.hpp"
#include "tests/integration/event_stream.hpp"
#include "tests/integration/s3/object_store.hpp"

namespace vitrine::test {
namespace {

class TwoServers : public SharedStoresTest {
protected:
    void SetUp() override
    {
        SharedStoresTest::SetUp();
        if (IsSkipped()) return;
        a.emplace(folder.path() / "a", flags());
        b.emplace(folder.path() / "b", flags());
        ASSERT_NE(a->port(), 0);
        ASSERT_NE(b->port(), 0);
    }

    std::vector<std::string> flags() const
    {
        auto all = store->flags(folder.path().filename());
        all.insert(all.end(), {"--database", catalog});
        return all;
    }

    static std::string name_at(const ServerProcess& server, const std::string& asset)
    {
        return text_at(get(server.port(), "/v1/assets/" + asset).json(), "/name");
    }

    std::optional<ServerProcess> a, b;
};

TEST_F(TwoServers, ServeTheSameAssets)
{
    const auto asset = import_asset(a->port(), {koi_glb()});
    ASSERT_NE(asset, "");
    EXPECT_EQ(get(b->port(), "/v1/assets/" + asset + "/files/koi.glb").body, koi_glb().bytes);
    EXPECT_EQ(get(b->port(), "/v1/assets/" + asset + "/skeleton").body,
              get(a->port(), "/v1/assets/" + asset + "/skeleton").body);
    EXPECT_EQ(get(b->port(), "/v1/assets/" + asset + "/thumbnail?size=64").status, 200);
    EXPECT_EQ(import_asset(b->port(), {koi_glb()}), asset) << "known content";
}

// Each answers again from its memory until it hears of a change.
TEST_F(TwoServers, SeeEachOthersChanges)
{
    const auto asset = import_asset(a->port(), {koi_glb()});
    ASSERT_NE(asset, "");
    for (int i = 0; i < 5; ++i) {
        const auto name = "koi " + std::to_string(i);
        const auto& writer = i % 2 == 0 ? *a : *b;
        const auto& reader = i % 2 == 0 ? *b : *a;
        for (int read = 0; read < 3; ++read)
            EXPECT_NE(name_at(reader, asset), name);
        const auto changed = fetch(writer.port(), "PATCH", "/v1/assets/" + asset,
                                   {{"Content-Type", "application/json"}}, R"({"name": ")" + name + "\"}");
        ASSERT_EQ(changed.status, 200) << changed.body;
        EXPECT_TRUE(eventually([&] { return name_at(reader, asset) == name; }));
    }
}

TEST_F(TwoServers, SendTheEventsOfBoth)
{
    EventStream stream(b->port());
    const auto asset = import_asset(a->port(), {koi_glb()});
    std::string seen;
    for (auto event = stream.next(); event.type != "asset.thumbnail"; event = stream.next()) {
        ASSERT_NE(event.type, "");
        seen = event.id;
    }
    EventStream replayed(a->port(), seen); // at the other server
    EXPECT_EQ(replayed.next().type, "asset.thumbnail");
    EXPECT_EQ(fetch(b->port(), "DELETE", "/v1/assets/" + asset).status, 204);
    auto last = replayed.next();
    while (last.type != "asset.deleted" && !last.type.empty())
        last = replayed.next();
    EXPECT_EQ(last.type, "asset.deleted");
}

// The other server imports what a killed one has acknowledged.
TEST_F(TwoServers, NothingAcknowledgedIsLostWithAServer)
{
    std::set<std::string> jobs;
    for (const auto& files :
         {std::vector{koi_glb()}, std::vector{robot_glb()}, std::vector{vase_glb()}, robot_md5()}) {
        const auto reply = upload(a->port(), files);
        ASSERT_EQ(reply.status, 201) << reply.body;
        jobs.insert(text_at(reply.json(), "/items/0/job/id"));
    }
    a->signal(SIGKILL);
    EXPECT_EQ(a->wait(), 128 + SIGKILL);
    for (const auto& job : jobs)
        EXPECT_EQ(text_at(await_job(b->port(), job, 2 * wait_timeout), "/state"), "succeeded");
    EXPECT_EQ(get(b->port(), "/v1/assets?status=ready").json().at("items").as_array().size(), jobs.size());
}

// The other server goes on with an upload of a killed one.
TEST_F(TwoServers, ShareUploadsInPieces)
{
    const auto file = koi_glb().bytes;
    const auto half = file.size() / 2;
    const auto begun = fetch(a->port(), "POST", "/v1/uploads",
                             {{"Tus-Resumable", "1.0.0"}, {"Upload-Length", std::to_string(file.size())}});
    ASSERT_EQ(begun.status, 201) << begun.body;
    const auto path = begun.header("location");
    const auto append = [&](const ServerProcess& server, std::size_t offset, std::string_view bytes) {
        return fetch(server.port(), "PATCH", path,
                     {{"Tus-Resumable", "1.0.0"},
                      {"Upload-Offset", std::to_string(offset)},
                      {"Content-Type", "application/offset+octet-stream"}},
                     bytes)
            .status;
    };
    EXPECT_EQ(append(*a, 0, std::string_view(file).substr(0, half)), 204);
    a->signal(SIGKILL);
    EXPECT_EQ(a->wait(), 128 + SIGKILL);
    const auto state = fetch(b->port(), "HEAD", path, {{"Tus-Resumable", "1.0.0"}});
    EXPECT_EQ(state.header("upload-offset"), std::to_string(half));
    EXPECT_EQ(append(*b, 0, "again"), 409);
    EXPECT_EQ(append(*b, half, std::string_view(file).substr(half)), 204);
    const auto id = path.substr(path.rfind('/') + 1);
    const auto made = fetch(b->port(), "POST", "/v1/assets", {{"Content-Type", "application/json"}},
                            R"({"uploads":[{"id":")" + id + R"(","name":"koi.glb"}]})");
    ASSERT_EQ(made.status, 201) << made.body;
    const auto asset = text_at(made.json(), "/items/0/asset/id");
    EXPECT_EQ(get(b->port(), "/v1/assets/" + asset + "/files/koi.glb").body, file);
    EXPECT_EQ(get(b->port(), path).status, 404);
}

TEST_F(TwoServers, SurviveTheEndOfTheirConnections)
{
    const auto asset = import_asset(a->port(), {koi_glb()});
    ASSERT_NE(asset, "");
    const auto dialect = server::make_dialect(catalog);
    for (int i = 0; i < 3; ++i) {
        *dialect->connect(false) << "DO $body$ BEGIN PERFORM pg_terminate_backend(pid) FROM pg_stat_activity "
                                    "WHERE pid <> pg_backend_pid() AND application_name = "
                                    "current_setting('application_name'); END $body$";
        const auto name = "fish " + std::to_string(i);
        const auto changed = fetch(a->port(), "PATCH", "/v1/assets/" + asset,
                                   {{"Content-Type", "application/json"}}, R"({"name": ")" + name + "\"}");
        EXPECT_EQ(changed.status, 200) << changed.body;
        EXPECT_TRUE(eventually([&] { return name_at(*b, asset) == name; }));
    }
}

} // namespace
} // namespace vitrine::test

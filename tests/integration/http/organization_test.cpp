// Tags, collections and the trash over HTTP: what survives a kill, and what is left of purged assets.

#include <csignal>
#include <cstdlib>
#include <functional>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "tests/integration/http_support.hpp"
#include "tests/support/eventually.hpp"

namespace vitrine::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Organization : public ::testing::Test {
protected:
    void start(std::vector<std::string> options = {})
    {
        server_.reset();
        server_ = std::make_unique<ServerProcess>(folder_.path() / "data", std::move(options));
        ASSERT_NE(server_->port(), 0) << server_->line();
    }
    void kill_and_start(std::vector<std::string> options = {}, const std::function<void()>& between = {})
    {
        server_->signal(SIGKILL);
        EXPECT_TRUE(server_->wait());
        if (between) between();
        start(std::move(options));
    }
    // What is in the trash has been there for so many days more.
    void age_trash(long long days) const
    {
        const auto text =
            fmt::format("UPDATE assets SET deleted = deleted - {} WHERE deleted > 0", days * 86'400'000'000);
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open((folder_.path() / "data/catalog.sqlite").c_str(), &database), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(database, text.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
        sqlite3_close(database);
    }

    int port() const { return server_->port(); }
    Reply send(const std::string& method, const std::string& path, const std::string& body = {}) const
    {
        return fetch(port(), method, path, {{"Content-Type", "application/json"}}, body);
    }
    Reply batch(const std::string& asset, const std::string& operations) const
    {
        return send("POST", "/v1/assets:batch",
                    fmt::format(R"({{"assets": ["{}"], "operations": [{}]}})", asset, operations));
    }
    std::vector<std::string> texts(const std::string& path, const std::string& pointer) const
    {
        std::vector<std::string> found;
        for (const auto& item : get(port(), path).json().at("items").as_array())
            found.push_back(text_at(item, pointer));
        return found;
    }

private:
    TempDir folder_;
    std::unique_ptr<ServerProcess> server_;
};

TEST_F(Organization, SurvivesAKill)
{
    start();
    const auto robot = import_asset(port(), {robot_glb()});
    const auto koi = import_asset(port(), {koi_glb()});
    const auto id = text_at(send("POST", "/v1/collections", R"({"name": "Show"})").json(), "/id");
    const auto members = fmt::format("/v1/collections/{}/assets", id);
    EXPECT_EQ(send("POST", members, fmt::format(R"({{"assets": ["{}", "{}"]}})", robot, koi)).status, 200);
    EXPECT_EQ(batch(robot, R"({"op": "tag", "tags": ["metal"]}, {"op": "set", "author": "Ada"})").status,
              200);
    EXPECT_EQ(send("PATCH", "/v1/tags/metal", R"({"name": "steel"})").status, 200);
    kill_and_start();
    EXPECT_THAT(texts(members, "/asset/id"), ElementsAre(robot, koi));
    EXPECT_THAT(texts("/v1/tags", "/name"), ElementsAre("steel"));
    EXPECT_THAT(texts("/v1/assets?tag=steel", "/author"), ElementsAre("Ada"));
    EXPECT_THAT(texts("/v1/assets?q=steel", "/match/in"), ElementsAre("tag"));
    EXPECT_THAT(texts("/v1/assets?collection=" + id + "&sort=created", "/id"), ElementsAre(robot, koi));
}

// The bytes go with the last asset that has them.
TEST_F(Organization, PurgedFilesAreRemoved)
{
    start();
    const auto robot = import_asset(port(), {robot_glb()});
    const auto koi = import_asset(port(), {koi_glb()});
    const auto stored = [&] {
        return get(port(), "/v1/storage").json().at("originalBytes").to_number<std::size_t>();
    };
    const auto both = stored();
    EXPECT_EQ(send("POST", fmt::format("/v1/assets/{}/purge", robot)).status, 409);
    EXPECT_EQ(batch(robot, R"({"op": "delete"}, {"op": "purge"})").json().at_pointer("/items/0/status"), 200);
    EXPECT_EQ(get(port(), "/v1/assets/" + robot).status, 404);
    EXPECT_TRUE(eventually([&] { return stored() == both - robot_glb().bytes.size(); }));
    if (std::getenv("VITRINE_TEST_OBJECT_STORE") == nullptr) // which keeps objects for some hours
        EXPECT_TRUE(eventually(
            [&] { return get(port(), "/metrics").body.contains("vitrine_blobs_removed_total 1"); }));
    EXPECT_EQ(get(port(), fmt::format("/v1/assets/{}/files/{}", koi, koi_glb().name)).status, 200);
    EXPECT_NE(import_asset(port(), {robot_glb()}), robot) << "it is new again";
}

TEST_F(Organization, TheTrashExpires)
{
    if (std::getenv("VITRINE_TEST_DATABASE") != nullptr) GTEST_SKIP() << "ages a row in the file of SQLite";
    start({"--trash-days", "2"});
    const auto robot = import_asset(port(), {robot_glb()});
    const auto koi = import_asset(port(), {koi_glb()});
    EXPECT_EQ(send("DELETE", "/v1/assets/" + robot).status, 204);
    kill_and_start({"--trash-days", "2"}, [&] { age_trash(1); });
    EXPECT_THAT(texts("/v1/assets?trash=true", "/id"), ElementsAre(robot));
    kill_and_start({"--trash-days", "2"}, [&] { age_trash(2); });
    EXPECT_TRUE(eventually([&] { return get(port(), "/v1/assets/" + robot).body.contains("no_asset"); }));
    EXPECT_THAT(texts("/v1/assets?trash=true", "/id"), IsEmpty());
    EXPECT_THAT(texts("/v1/assets", "/id"), ElementsAre(koi));
}

} // namespace
} // namespace vitrine::test

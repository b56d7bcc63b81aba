// A server on a library of an older version: its skeletons never differ from its poses, and its facts are
// refreshed in the background.

#include <atomic>
#include <csignal>
#include <thread>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "server/services/database/dialect.hpp"
#include "tests/integration/http_support.hpp"
#include "tests/integration/server_process.hpp"

namespace vitrine::test {
namespace {

namespace json = boost::json;

void execute(const std::filesystem::path& data, const std::string& statement)
{
    const auto dialect = server::make_dialect(catalog_location(data));
    *dialect->connect(false) << statement;
}

// Another version has found one joint more, in front of the others, and has not stored what came later.
void make_older(const std::filesystem::path& data)
{
    execute(data, "UPDATE versions SET facts_version = 0, facts_tried = 0");
    execute(data, R"(UPDATE documents SET json = '{"joints":[{"index":0,"node":7,"name":"of another loader",)"
                  R"("parent":null},' || substr(json, 12) WHERE kind = 'skeleton')");
    execute(data, R"(UPDATE documents SET json = '{"items":[]}' WHERE kind = 'clips')");
    execute(data, "DELETE FROM documents WHERE kind = 'rig'");
    execute(data, "DELETE FROM clip_facets");
}

class Refresh : public ::testing::Test {
protected:
    std::string path(const std::string& asset, std::string_view rest = {}) const
    {
        return fmt::format("/v1/assets/{}{}", asset, rest);
    }

    // Returns how the skeleton differs from the pose; empty: it does not.
    static std::string difference(int port, const std::string& asset)
    {
        const auto skeleton = get(port, "/v1/assets/" + asset + "/skeleton");
        const auto pose = get(port, "/v1/assets/" + asset + "/clips/c0/pose?t=0");
        if (skeleton.status != 200 || pose.status != 200)
            return fmt::format("{} {} {}", skeleton.status, pose.status, skeleton.body);
        const auto parsed = pose.json();
        std::map<std::int64_t, std::string> names;
        for (const auto& node : parsed.at("poses").at(0).at("nodes").as_array())
            names[node.at("node").as_int64()] = text_at(node, "/name");
        const auto described = skeleton.json();
        if (described.as_object().contains("facts")) return "the skeleton is not of the file";
        for (const auto& joint : described.at("joints").as_array()) {
            const auto found = names.find(joint.at("node").as_int64());
            if (found == names.end() || found->second != text_at(joint, "/name"))
                return "joint " + json::serialize(joint);
        }
        const auto clips = get(port, "/v1/assets/" + asset + "/clips").json();
        return clips.at("items").as_array().empty() ? "no clips" : "";
    }

    bool is_stale(const std::string& asset) const
    {
        return get(server->port(), path(asset)).json().as_object().contains("facts");
    }

    void start()
    {
        server.emplace(data,
                       std::vector<std::string>{"--derived", "none"}); // derived files are in `data` alone
        ASSERT_NE(server->port(), 0) << server->line();
    }
    void stop()
    {
        server->signal(SIGTERM);
        EXPECT_EQ(server->wait(), 0);
        server.reset();
    }

    TempDir folder;
    std::filesystem::path data = folder.path() / "data";
    std::optional<ServerProcess> server;
};

TEST_F(Refresh, SkeletonsNeverDifferFromPoses)
{
    start();
    const std::vector<std::string> assets{import_asset(server->port(), {koi_glb()}),
                                          import_asset(server->port(), robot_md5())};
    const auto skeleton = get(server->port(), path(assets[0], "/skeleton")).body;
    stop();
    make_older(data);
    std::filesystem::remove_all(data / "derived"); // scene blobs of another version are not used
    start();
    std::atomic<bool> done = false;
    std::atomic<int> compared = 0;
    std::mutex mutex;
    std::string differences; // guarded by `mutex`
    std::vector<std::jthread> clients;
    for (std::size_t i = 0; i < 4; ++i)
        clients.emplace_back([&, asset = assets[i % 2]] {
            for (; !done; ++compared)
                if (const auto found = difference(server->port(), asset); !found.empty()) {
                    const std::lock_guard lock(mutex);
                    differences += found + "\n";
                }
        });
    EXPECT_TRUE(eventually([&] { return !is_stale(assets[0]) && !is_stale(assets[1]); }));
    const int before = compared;
    EXPECT_TRUE(eventually([&] { return compared >= before + 8; })) << "after the refresh too";
    done = true;
    clients.clear();
    EXPECT_EQ(differences, "");
    EXPECT_EQ(get(server->port(), path(assets[0], "/skeleton")).body, skeleton);
    for (const auto& asset : assets)
        EXPECT_EQ(text_at(get(server->port(), path(asset)).json(), "/status"), "ready");
}

TEST_F(Refresh, IsVisibleAsJobs)
{
    start();
    const auto koi = import_asset(server->port(), {koi_glb()});
    stop();
    make_older(data);
    start();
    EXPECT_TRUE(eventually([&] { return !is_stale(koi); }));
    const auto has_ended = [&] {
        const auto jobs =
            get(server->port(), "/v1/jobs?kind=refresh&asset=" + koi).json().at("items").as_array();
        return jobs.size() == 1 && text_at(jobs[0], "/state") == "succeeded" &&
               text_at(jobs[0], "/asset") == koi;
    };
    EXPECT_TRUE(eventually(has_ended));
    const auto others = get(server->port(), "/v1/jobs?kind=refresh&asset=nobody").json().at("items");
    EXPECT_TRUE(others.as_array().empty());
    const auto all = get(server->port(), "/v1/jobs?asset=" + koi).json().at("items").as_array();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(text_at(all[1], "/kind"), "import");
    EXPECT_EQ(get(server->port(), path(koi, "/fitting-characters")).status, 200) << "its rig is known";
    const auto moving = get(server->port(), "/v1/assets?speed.min=0").json().at("items");
    EXPECT_EQ(moving.as_array().size(), 1u) << "facts of its clips are known";
    const auto shows = [&](const std::string& line) {
        return eventually([&] { return get(server->port(), "/metrics").body.contains(line); });
    };
    EXPECT_TRUE(shows("vitrine_stale_assets 0\n"));
    EXPECT_TRUE(shows("vitrine_refreshes_total{outcome=\"succeeded\"} 1\n")) << "counted after the commit";
}

// A file that is lost cannot be refreshed, and what is known about it stays.
TEST_F(Refresh, LostFileKeepsItsFacts)
{
    start();
    const auto koi = import_asset(server->port(), {koi_glb()});
    stop();
    make_older(data);
    std::filesystem::remove_all(data / "derived");
    remove_stored_files(data);
    start();
    const auto failed = [&] {
        const auto jobs =
            get(server->port(), "/v1/jobs?kind=refresh&state=failed").json().at("items").as_array();
        return jobs.size() == 1 && text_at(jobs[0], "/problem/code") == "internal";
    };
    EXPECT_TRUE(eventually(failed));
    const auto asset = get(server->port(), path(koi)).json();
    EXPECT_EQ(text_at(asset, "/status"), "ready");
    EXPECT_EQ(asset.at("facts").at("current"), false);
    const auto skeleton = get(server->port(), path(koi, "/skeleton")).json();
    EXPECT_EQ(skeleton.at("facts").at("version"), 0);
    EXPECT_EQ(text_at(skeleton, "/joints/0/name"), "of another loader");
    EXPECT_EQ(get(server->port(), path(koi, "/clips/c0/pose?t=0")).status, 422);
}

} // namespace
} // namespace vitrine::test

// `vitrine migrate` as its users run it.

#include <algorithm>
#include <random>
#include <thread>

#include "tests/integration/moves/moves_fixture.hpp"
#include "tests/integration/s3/object_store.hpp"
#include "tests/support/processes/spawn.hpp"

namespace vitrine::test {
namespace {

struct ServedLibrary {
    std::string assets, skeleton, file, job_counts;
    bool operator==(const ServedLibrary&) const = default;
};

ServedLibrary read_library(int port, const std::string& asset)
{
    return {get(port, "/v1/assets?sort=name").body, get(port, "/v1/assets/" + asset + "/skeleton").body,
            get(port, "/v1/assets/" + asset + "/files/koi.glb").body,
            std::to_string(get(port, "/v1/jobs").json().at("items").as_array().size())};
}

TEST_F(Moves, ThereAndBackServeTheSame)
{
    auto* const store = ObjectStore::running();
    if (std::getenv("VITRINE_TEST_DATABASE") == nullptr || store == nullptr)
        GTEST_SKIP() << "needs PostgreSQL and Swift: script/with-postgres";
    const auto data = folder_ / "data", back = folder_ / "back", other = folder_ / "other";
    std::string asset;
    ServedLibrary before;
    {
        ServerProcess server(data, on_sqlite());
        asset = import_asset(server.port(), {koi_glb()});
        ASSERT_NE(import_asset(server.port(), robot_md5()), "");
        ASSERT_NE(asset, "");
        before = read_library(server.port(), asset);
        stop(server);
    }
    const auto database = catalog_location(other);
    auto flags = store->flags(folder_.filename());
    std::vector<std::string> there{"migrate", "--from", "sqlite:" + data.string(), "--to", database};
    there.insert(there.end(), flags.begin(), flags.end());
    const auto moved = run(there);
    ASSERT_EQ(moved.exit_code, 0) << moved.err;
    flags.insert(flags.end(), {"--database", database});
    {
        ServerProcess server(other, flags);
        EXPECT_EQ(read_library(server.port(), asset), before);
        EXPECT_EQ(get(server.port(), "/v1/assets/" + asset + "/thumbnail?size=64").status, 200);
        ASSERT_NE(import_asset(server.port(), {vase_glb()}), "");
        before = read_library(server.port(), asset);
        stop(server);
    }
    const auto returned = run({"migrate", "--from", database, "--blobs-from", flags[1], "--s3-endpoint",
                               store->endpoint(), "--to", "sqlite:" + back.string()});
    ASSERT_EQ(returned.exit_code, 0) << returned.err;
    ServerProcess server(back, on_sqlite());
    EXPECT_EQ(read_library(server.port(), asset), before);
}

TEST_F(Moves, ThereAndBackHaveEqualChecksums)
{
    const auto first = make_library("first", 40).string();
    const auto database = other_catalog("second");
    const auto third = (folder_ / "third").string();
    const auto there = run({"migrate", "--from", first, "--to", database});
    ASSERT_EQ(there.exit_code, 0) << there.err;
    const auto back = run({"migrate", "--from", database, "--blobs-from", first, "--to", third});
    ASSERT_EQ(back.exit_code, 0) << back.err;
    EXPECT_EQ(tables_of(back), tables_of(there));
    EXPECT_TRUE(tables_of(there).contains("documents")) << there.out;
    for (std::size_t i = 0; i < 40; ++i)
        EXPECT_EQ(content_of(blob_path(third, i)), server::testing::blob_content(i));
}

// A terminal shows bars, which are erased; a log gets lines.
TEST_F(Moves, ShowTheirProgress)
{
    const auto data = make_library("data", 5).string();
    const auto shown = run_on_terminal({"migrate", "--from", data, "--to", other_catalog("terminal")});
    EXPECT_TRUE(shown.contains("copying assets [")) << shown;
    EXPECT_TRUE(shown.ends_with("\r\033[K")) << "it is erased";
    const auto logged = run({"migrate", "--from", data, "--to", other_catalog("log")});
    EXPECT_TRUE(logged.err.contains("copying assets: 5 of 5\n")) << logged.err;
    EXPECT_FALSE(logged.err.contains('\r'));
}

pid_t start_migrate(const std::string& from, const std::string& to)
{
    return spawn({program("vitrine"), "migrate", "--from", from, "--to", to}, {.error = discarded});
}

TEST_F(Moves, ContinueAfterKills)
{
    const auto data = make_library("data", 400).string();
    const auto other = other_catalog("other");
    const auto direct = run({"migrate", "--from", data, "--to", (folder_ / "direct").string()});
    std::minstd_rand random(17);
    int killed = 0;
    for (int i = 0; i < 12; ++i) {
        const auto pid = start_migrate(data, other);
        ASSERT_GT(pid, 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 200));
        ::kill(pid, SIGKILL);
        int status = 0;
        ASSERT_EQ(::waitpid(pid, &status, 0), pid);
        killed += WIFSIGNALED(status) ? 1 : 0;
        if (!WIFSIGNALED(status)) break;
    }
    EXPECT_GT(killed, 0);
    const auto outcome = run({"migrate", "--from", data, "--to", other});
    const bool had_ended = outcome.err.contains("has 400 assets of another origin");
    EXPECT_TRUE(outcome.exit_code == 0 || had_ended) << outcome.err;
    const auto third = (folder_ / "third").string();
    const auto back = run({"migrate", "--from", other, "--blobs-from", data, "--to", third});
    ASSERT_EQ(back.exit_code, 0) << back.err;
    EXPECT_TRUE(back.out.contains("400 blobs")) << back.out;
    EXPECT_EQ(tables_of(back), tables_of(direct));
}

TEST_F(Moves, NameADamagedBlobAndMoveTheRest)
{
    const auto data = make_library("data", 10);
    std::ofstream(blob_path(data, 3)) << "damage";
    std::filesystem::remove(blob_path(data, 4));
    const auto to = folder_ / "to";
    const auto outcome = run({"migrate", "--from", data.string(), "--to", to.string()});
    EXPECT_EQ(outcome.exit_code, 1);
    const auto damaged = blob_path(data, 3).filename().string();
    EXPECT_TRUE(outcome.err.contains("vitrine: blob " + damaged + " is damaged in ")) << outcome.err;
    EXPECT_TRUE(outcome.err.contains(blob_path(data, 4).filename().string() + " is missing in "));
    EXPECT_TRUE(outcome.err.contains("assets asset_")) << outcome.err;
    EXPECT_TRUE(outcome.out.contains("8 blobs")) << outcome.out;
    ServerProcess server(to, on_sqlite());
    EXPECT_EQ(get(server.port(), "/v1/assets").status, 200);
}

// The limit of a file's size stands for a full disk.
TEST_F(Moves, ContinueAfterAFullDisk)
{
    const auto data = make_library("data", 60).string();
    const auto to = (folder_ / "to").string();
    const auto command = fmt::format("trap '' XFSZ; ulimit -f 150; exec {} migrate --from {} --to {} 2>{}",
                                     program("vitrine"), data, to, (folder_ / "full").string());
    const int status = std::system(command.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 1);
    const auto said = content_of(folder_ / "full");
    EXPECT_TRUE(said.contains("vitrine: " + to + "/catalog.sqlite: ")) << said;
    const auto again = run({"migrate", "--from", data, "--to", to});
    EXPECT_EQ(again.exit_code, 0) << again.err;
}

TEST_F(Moves, RefuseAFolderInUse)
{
    const auto data = folder_ / "data";
    ServerProcess server(data, on_sqlite());
    ASSERT_NE(server.port(), 0);
    const auto outcome = run({"migrate", "--from", data.string(), "--to", other_catalog("to")});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_TRUE(outcome.err.contains("another process uses " + data.string())) << outcome.err;
}

TEST_F(Moves, RefuseAPlaceWithBlobsOfOthers)
{
    const auto data = make_library("data", 3).string();
    const auto to = folder_ / "to";
    const auto other = to / "blobs/aa/aa" / std::string(64, 'a');
    std::filesystem::create_directories(other.parent_path());
    std::ofstream(other) << "of somebody else";
    for (int i = 0; i < 2; ++i) {
        const auto outcome = run({"migrate", "--from", data, "--to", to.string()});
        EXPECT_EQ(outcome.exit_code, 1);
        EXPECT_TRUE(outcome.err.contains("has 1 blobs that the catalog does not name")) << outcome.err;
    }
    EXPECT_EQ(run({"migrate", "--from", data, "--to", to.string(), "--force"}).exit_code, 0);
}

TEST_F(Moves, SayWhatIsWrongWithTheirArguments)
{
    const auto data = make_library("data", 2).string();
    const auto none = (folder_ / "none").string(), file = write("file", "x");
    const struct {
        std::string from, to, said;
        std::vector<std::string> more{};
    } cases[]{
        {none, data, "--from: there is no catalog " + none},
        {file, none, "--from: " + file + " is neither a data folder nor a database of SQLite"},
        {data, file, "--to: " + file + " is neither a data folder nor a database of SQLite"},
        {data, data, "--from and --to are the same"},
        {data, "mysql://host/name", "--to must be sqlite:PATH"},
        {"sqlite:", none, "--from must be sqlite:PATH"},
        {data, none, "--blobs: ", {"--blobs", "s3://"}},
        {data, none, "--blobs must be s3://BUCKET[/PREFIX], file:FOLDER", {"--blobs", "ftp://x"}},
        {"postgres://h/n", "postgres://h/m", "--blobs needs --blobs-from", {"--blobs", "files:" + none}},
    };
    for (const auto& [from, to, said, more] : cases) {
        std::vector<std::string> arguments{"migrate", "--from", from, "--to", to};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto outcome = run(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << said;
        EXPECT_TRUE(outcome.err.starts_with("vitrine: " + said)) << outcome.err;
        EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
        EXPECT_FALSE(std::filesystem::exists(none));
    }
}

TEST_F(Moves, ToADatabaseThatIsAwayAreOneSentence)
{
    const auto data = make_library("data", 2).string();
    const auto outcome = run({"migrate", "--from", data, "--to", "postgres://me:secret@127.0.0.1:1/x"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_TRUE(outcome.err.starts_with("vitrine: postgres://me@127.0.0.1:1/x")) << outcome.err;
    EXPECT_FALSE(outcome.err.contains("secret")) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
}

} // namespace
} // namespace vitrine::test

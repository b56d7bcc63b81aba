// `vitrine library` against a real server: a folder becomes assets, and changes of its files reach them.

#include <chrono>
#include <fstream>
#include <memory>

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include "tests/integration/cli/program.hpp"
#include "tests/integration/http_support.hpp"

namespace vitrine::test {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* libraries_token = "sesame-sesame-sesame"; // an open server has no admin

class Libraries : public CliTest {
protected:
    Libraries() { fs::create_directories(root()); }
    fs::path root() const { return fs::canonical(folder_ / ".") / "art"; }

    void begin() { begin({"--library-root", root().parent_path().string()}); }
    void begin(const std::vector<std::string>& more)
    {
        std::vector<std::string> options{"--token", libraries_token};
        options.insert(options.end(), more.begin(), more.end());
        server_.reset(); // a process of the data folder ends before the next one
        server_ = std::make_unique<ServerProcess>(folder_ / "data", options);
        ASSERT_NE(server_->port(), 0);
    }
    Outcome library(std::vector<std::string> arguments) const
    {
        arguments.insert(arguments.begin(), "library");
        arguments.insert(arguments.end(), {"--token", libraries_token, "--server",
                                           fmt::format("http://127.0.0.1:{}", server_->port())});
        return run(arguments);
    }
    // With an old time: newer files are indexed when they have settled.
    void write(const std::string& path, double height) const
    {
        fs::create_directories((root() / path).parent_path());
        std::ofstream(root() / path) << fmt::format("v 0 0 0\nv 1 0 0\nv 0 {} 0\nf 1 2 3\n", height);
        fs::last_write_time(root() / path, fs::file_time_type::clock::now() - std::chrono::hours(1));
    }
    Reply ask(std::string_view method, const std::string& path, const std::string& body = {}) const
    {
        Fields fields{{"Authorization", std::string("Bearer ") + libraries_token}};
        if (!body.empty()) fields.emplace_back("Content-Type", "application/json");
        return fetch(server_->port(), method, path, fields, body);
    }
    json::array assets() const { return ask("GET", "/v1/assets").json().at("items").as_array(); }
    json::value asset(const std::string& name) const
    {
        for (const auto& found : assets())
            if (found.at("name").as_string() == name) return found;
        return {};
    }
    bool await(const std::string& name) const
    {
        return eventually([&] {
            const auto found = asset(name);
            return found.is_object() && found.at("status").as_string() == "ready";
        });
    }

    std::unique_ptr<ServerProcess> server_;
};

TEST_F(Libraries, AMovedFileKeepsItsTagAndADeletedOneComesBack)
{
    write("boats/dory.obj", 2);
    write("backup/old.obj", 3);
    begin();
    const auto added = library({"add", root().string(), "--ignore", "backup/"});
    ASSERT_EQ(added.exit_code, 0) << added.err;
    const auto id = added.out.substr(0, added.out.find('\n'));
    ASSERT_TRUE(await("dory"));
    EXPECT_EQ(assets().size(), 1u) << "what is ignored is no asset";
    const auto asset_id = text_at(asset("dory"), "/id");
    const auto path = "/v1/assets/" + asset_id;
    const auto tagged = ask("PATCH", path, R"({"tags": ["wood"]})");
    ASSERT_EQ(tagged.status, 200) << tagged.body;

    fs::create_directories(root() / "ships");
    fs::rename(root() / "boats/dory.obj", root() / "ships/skiff.obj"); // reported by inotify
    ASSERT_TRUE(await("skiff"));
    EXPECT_EQ(text_at(asset("skiff"), "/id"), asset_id);
    EXPECT_EQ(json::serialize(asset("skiff").at("tags")), R"(["wood"])");
    EXPECT_EQ(ask("GET", path + "/files/dory.obj").body, content_of(root() / "ships/skiff.obj"));

    begin(); // the same after a restart
    fs::remove(root() / "ships/skiff.obj");
    write("other.obj", 4);
    ASSERT_EQ(library({"scan", id}).exit_code, 0);
    ASSERT_TRUE(await("other"));
    EXPECT_TRUE(eventually([&] { return asset("skiff").is_null(); }));
    write("ships/skiff.obj", 2);
    ASSERT_TRUE(await("skiff"));
    EXPECT_EQ(text_at(asset("skiff"), "/id"), asset_id);
    EXPECT_EQ(json::serialize(asset("skiff").at("tags")), R"(["wood"])");
    EXPECT_FALSE(fs::exists(folder_ / "data/blobs/00")) << "nothing is copied";

    EXPECT_THAT(library({"list"}).out, HasSubstr(root().string()));
    EXPECT_EQ(library({"remove", id}).exit_code, 0);
    EXPECT_TRUE(eventually([&] { return assets().empty(); }));
    EXPECT_TRUE(fs::exists(root() / "ships/skiff.obj"));
}

TEST_F(Libraries, AssetsAreFoundByTheirLibrary)
{
    write("dory.obj", 2);
    begin();
    const auto added = library({"add", root().string()});
    const auto id = added.out.substr(0, added.out.find('\n'));
    ASSERT_TRUE(await("dory"));
    EXPECT_EQ(text_at(asset("dory"), "/library"), id);
    const auto of_library = ask("GET", "/v1/assets?facets=library&fields=library&library=" + id).json();
    EXPECT_EQ(json::serialize(of_library.at("items")), fmt::format(R"([{{"library":"{}"}}])", id));
    EXPECT_EQ(text_at(of_library, "/facets/library/0/value"), id);
    EXPECT_TRUE(ask("GET", "/v1/assets?library=other").json().at("items").as_array().empty());
}

TEST_F(Libraries, ChangedContentIsAVersion)
{
    write("dory.obj", 2);
    begin();
    ASSERT_EQ(library({"add", root().string()}).exit_code, 0);
    ASSERT_TRUE(await("dory"));
    const auto path = "/v1/assets/" + text_at(asset("dory"), "/id");
    std::ofstream(root() / "dory.obj") << "v 0 0 0\nv 1 0 0\nv 0 9 0\nf 1 2 3\n";
    EXPECT_TRUE(eventually([&] { return asset("dory").at("version").as_int64() == 2; }));
    EXPECT_EQ(ask("GET", path + "/files/dory.obj").body, content_of(root() / "dory.obj"));
}

TEST_F(Libraries, IsPausedAndResumedByTheCommand)
{
    write("dory.obj", 2);
    begin();
    const auto added = library({"add", root().string()});
    ASSERT_EQ(added.exit_code, 0) << added.err;
    const auto id = added.out.substr(0, added.out.find('\n'));
    ASSERT_TRUE(await("dory"));

    const auto paused = library({"pause", id});
    ASSERT_EQ(paused.exit_code, 0) << paused.err;
    EXPECT_THAT(library({"list"}).out, HasSubstr("paused"));
    write("skiff.obj", 3);
    EXPECT_EQ(library({"scan", id}).exit_code, 1) << "a paused library is not scanned";
    EXPECT_TRUE(asset("skiff").is_null());
    EXPECT_TRUE(asset("dory").is_object()) << "assets stay";

    const auto resumed = library({"resume", id});
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_TRUE(await("skiff"));
    EXPECT_THAT(library({"list"}).out, Not(HasSubstr("paused")));
    EXPECT_EQ(library({"pause", "library_unknown"}).exit_code, 1);
    EXPECT_EQ(library({"pause"}).exit_code, 2) << "the id is required";
}

TEST_F(Libraries, OnlyBelowTheRootsOfTheServer)
{
    begin();
    const auto outside = library({"add", "/etc"});
    EXPECT_EQ(outside.exit_code, 1);
    EXPECT_THAT(outside.err, HasSubstr("--library-root"));
    EXPECT_EQ(library({"add", (folder_ / "data").string()}).exit_code, 1) << "the server's own data";
    begin({});
    EXPECT_THAT(library({"add", root().string()}).err, HasSubstr("has no --library-root"));
}

} // namespace
} // namespace vitrine::test

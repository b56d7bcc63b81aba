// The program over a real object store.

#include <csignal>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "server/services/s3/s3_client.hpp"
#include "server/util/sha256.hpp"
#include "tests/integration/http_support.hpp"
#include "tests/integration/s3/object_store.hpp"
#include "tests/support/paths.hpp"

namespace vitrine::test {
namespace {

class S3ServerTest : public ObjectStoreTest {
protected:
    // Starts the server; its log is appended to the file `log`.
    std::unique_ptr<ServerProcess> start(const std::string& prefix, const std::vector<std::string>& more = {})
    {
        auto flags = store->flags(prefix);
        flags.insert(flags.end(), {"--log", "debug", "--s3-deadline-seconds", "2"});
        flags.insert(flags.end(), more.begin(), more.end());
        const int log = ::open(log_file().c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
        auto server = std::make_unique<ServerProcess>(data(), flags, "vitrine", log);
        ::close(log);
        EXPECT_NE(server->port(), 0) << log_text();
        return server;
    }

    std::filesystem::path data() const { return folder.path() / "data"; }
    std::filesystem::path log_file() const { return folder.path() / "log"; }
    std::string log_text() const
    {
        std::ifstream in(log_file());
        return {std::istreambuf_iterator<char>(in), {}};
    }
    // Returns the output of a command of the program, which must end with this code.
    static std::string run(const std::string& arguments, int code)
    {
        const auto command = program("vitrine") + ' ' + arguments + " 2>&1";
        std::FILE* const pipe = ::popen(command.c_str(), "r"); // NOLINT(cert-env33-c)
        std::string text;
        for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
            text.push_back(static_cast<char>(c));
        EXPECT_EQ(WEXITSTATUS(::pclose(pipe)), code) << text;
        return text;
    }
};

void expect_whole_file(int port, const std::string& asset)
{
    const auto path = "/v1/assets/" + asset + "/files/koi.glb";
    EXPECT_EQ(get(port, path).body, koi_glb().bytes);
    const auto range = get(port, path, {{"Range", "bytes=4-7"}});
    EXPECT_EQ(range.status, 206);
    EXPECT_EQ(range.body, koi_glb().bytes.substr(4, 4));
}

TEST_F(S3ServerTest, AssetsLiveInTheStoreAndOutliveTheMachine)
{
    auto server = start("server/assets");
    const UploadFile large{"notes.bin", std::string((17u << 20) + 5, 'n')}; // is sent in parts
    const auto asset = import_asset(server->port(), {koi_glb(), large});
    ASSERT_NE(asset, "") << log_text();
    EXPECT_EQ(get(server->port(), "/v1/assets/" + asset + "/thumbnail?size=64").status, 200);
    expect_whole_file(server->port(), asset);
    EXPECT_FALSE(std::filesystem::exists(data() / "blobs"));
    EXPECT_EQ(
        get(server->port(), "/metrics").body.find("vitrine_blob_store_requests_total{outcome=\"failed\"} 1"),
        std::string::npos);
    server->signal(SIGTERM);
    EXPECT_EQ(server->wait(), 0);
    for (const char* lost : {"blob-cache", "derived", "tmp"})
        std::filesystem::remove_all(data() / lost);
    server = start("server/assets");
    expect_whole_file(server->port(), asset);
    EXPECT_EQ(get(server->port(), "/v1/assets/" + asset + "/files/notes.bin").body, large.bytes);
    EXPECT_EQ(get(server->port(), "/v1/assets/" + asset + "/thumbnail?size=96").status, 200)
        << "loaded again";
    EXPECT_EQ(log_text().find(ObjectStore::secret_key), std::string::npos);
}

TEST_F(S3ServerTest, AnAbsentStoreIs503UntilItIsBack)
{
    auto server = start("server/absent");
    const auto asset = import_asset(server->port(), {koi_glb()});
    ASSERT_NE(asset, "") << log_text();
    store->stop();
    const auto rejected = upload(server->port(), {robot_glb()});
    EXPECT_EQ(rejected.status, 503) << rejected.body;
    EXPECT_EQ(text_at(rejected.json(), "/code"), "storage_unavailable");
    EXPECT_NE(rejected.header("retry-after"), "");
    EXPECT_EQ(rejected.body.find(store->endpoint()), std::string::npos);
    EXPECT_EQ(get(server->port(), "/v1/assets").json().at("items").as_array().size(), 1u)
        << "nothing was acknowledged";
    expect_whole_file(server->port(), asset); // the local copy
    EXPECT_EQ(get(server->port(), "/readyz").status, 200);
    store->start();
    std::string second;
    EXPECT_TRUE(eventually([&] { return upload(server->port(), {robot_glb()}).status == 201; }));
    EXPECT_EQ(get(server->port(), "/v1/assets").json().at("items").as_array().size(), 2u);
    server->signal(SIGTERM);
    EXPECT_EQ(server->wait(), 0);
}

double metric_of(int port, const std::string& line)
{
    const auto text = get(port, "/metrics").body;
    const auto at = text.find("\n" + line + ' ');
    return at == text.npos ? -1 : std::atof(text.c_str() + at + line.size() + 2);
}

// What was derived on a machine that is gone is not made again.
TEST_F(S3ServerTest, DerivedFilesOutliveTheMachine)
{
    auto server = start("server/derived");
    const auto asset = import_asset(server->port(), {koi_glb()});
    ASSERT_NE(asset, "") << log_text();
    const auto path = "/v1/assets/" + asset + "/thumbnail?size=96";
    const auto picture = get(server->port(), path);
    ASSERT_EQ(picture.status, 200) << picture.body;
    EXPECT_TRUE(eventually([&] {
        return metric_of(server->port(), "vitrine_shared_derived_files_total{outcome=\"stored\"}") >= 3;
    })) << "the scene, and two sizes";
    server->signal(SIGTERM);
    EXPECT_EQ(server->wait(), 0);
    for (const char* lost : {"blob-cache", "derived", "tmp"})
        std::filesystem::remove_all(data() / lost);
    server = start("server/derived");
    EXPECT_EQ(get(server->port(), path).body, picture.body);
    EXPECT_EQ(metric_of(server->port(), "vitrine_renders_total{priority=\"image\"}"), 0.0);
    EXPECT_EQ(metric_of(server->port(), "vitrine_shared_derived_lookups_total{outcome=\"found\"}"), 1.0);
    server->signal(SIGTERM);
    EXPECT_EQ(server->wait(), 0);
}

// A server that starts without its store serves what it can, and an import waits.
TEST_F(S3ServerTest, ImportsWaitForTheStore)
{
    auto server = start("server/waits");
    const auto asset = import_asset(server->port(), {koi_glb()});
    ASSERT_NE(asset, "") << log_text();
    server->signal(SIGTERM);
    EXPECT_EQ(server->wait(), 0);
    for (const char* lost : {"blob-cache", "derived"})
        std::filesystem::remove_all(data() / lost);
    store->stop();
    server = start("server/waits");
    EXPECT_EQ(fetch(server->port(), "HEAD", "/v1/assets/" + asset + "/files/koi.glb").status, 200)
        << "the catalog knows its size";
    const auto again = fetch(server->port(), "POST", "/v1/assets/" + asset + "/reimport");
    ASSERT_EQ(again.status, 202) << again.body;
    const auto job = text_at(again.json(), "/id");
    const auto problem = [&] {
        const auto state = get(server->port(), "/v1/jobs/" + job).json();
        boost::system::error_code ignored;
        const auto* const code = state.find_pointer("/problem/code", ignored);
        return code != nullptr && code->is_string() ? std::string(code->as_string()) : std::string();
    };
    EXPECT_TRUE(eventually([&] { return problem() == "storage_unavailable"; }, 2 * wait_timeout));
    EXPECT_EQ(text_at(get(server->port(), "/v1/jobs/" + job).json(), "/state"), "queued");
    store->start();
}

TEST_F(S3ServerTest, ModelsOfDamagedObjectsAre503)
{
    auto server = start("server/damaged", {"--derived", "none"});
    const auto asset = import_asset(server->port(), {koi_glb()});
    ASSERT_NE(asset, "") << log_text();
    server->signal(SIGTERM);
    EXPECT_EQ(server->wait(), 0);
    for (const char* lost : {"blob-cache", "derived"})
        std::filesystem::remove_all(data() / lost);
    prometheus::Registry registry;
    server::S3Client client(store->options("server/damaged"), registry);
    client.put_text("blobs/" + server::sha256_hex(koi_glb().bytes), "other bytes");
    server = start("server/damaged", {"--derived", "none"});
    const auto scene = get(server->port(), "/v1/assets/" + asset + "/thumbnail?size=96");
    EXPECT_EQ(scene.status, 503) << scene.body;
    EXPECT_EQ(text_at(scene.json(), "/code"), "storage_unavailable");
    const auto file = get(server->port(), "/v1/assets/" + asset + "/files/koi.glb");
    EXPECT_EQ(file.status, 503) << file.body;
    EXPECT_EQ(text_at(file.json(), "/code"), "blob_corrupt");
}

TEST_F(S3ServerTest, DownloadsMayGoToTheStore)
{
    const auto server = start("server/links", {"--blob-redirect-seconds", "60"});
    const auto asset = import_asset(server->port(), {koi_glb()});
    ASSERT_NE(asset, "") << log_text();
    const auto path = "/v1/assets/" + asset + "/files/koi.glb";
    const auto moved = get(server->port(), path);
    EXPECT_EQ(moved.status, 302);
    EXPECT_NE(moved.header("cache-control").find("no-store"), std::string::npos);
    const auto link = moved.header("location");
    ASSERT_TRUE(link.starts_with(store->endpoint())) << link;
    const auto file = get(store->port(), link.substr(store->endpoint().size()));
    EXPECT_EQ(file.status, 200);
    EXPECT_EQ(file.body, koi_glb().bytes);
    EXPECT_EQ(file.header("content-disposition"), "attachment; filename*=UTF-8''koi.glb");
}

TEST_F(S3ServerTest, DoctorAndServeSayWhatIsWrong)
{
    const auto at = "--data " + data().string() + " --s3-endpoint " + store->endpoint();
    const auto good = run("doctor --blobs s3://vitrine/doctor " + at, 0);
    EXPECT_NE(good.find("ok    blob store       s3://vitrine/doctor at 127.0.0.1"), good.npos) << good;
    const auto wrong = run("doctor --blobs s3://no-such-bucket " + at, 1);
    EXPECT_NE(wrong.find("WRONG blob store"), wrong.npos) << wrong;
    EXPECT_NE(wrong.find("NoSuchBucket"), wrong.npos) << wrong;
    for (const char* blobs : {"nowhere", "s3://", "s3://a/../b"})
        EXPECT_NE(run(fmt::format("serve --blobs {} {}", blobs, at), 2).find("--blobs"), std::string::npos);
    for (const char* derived : {"s3://", "nowhere", "/no/such/folder", "."})
        EXPECT_NE(run(fmt::format("serve --derived {} {}", derived, at), 2).find("--derived"),
                  std::string::npos);
    EXPECT_NE(run("serve --derived " + folder.path().string() + " --data " + folder.path().string(), 2)
                  .find("--derived must not be in the data folder"),
              std::string::npos);
    const auto config = run("serve --print-config --blobs s3://vitrine/x " + at, 0);
    EXPECT_NE(config.find("s3://vitrine/x"), config.npos);
    EXPECT_EQ(config.find(ObjectStore::secret_key), config.npos);
}

} // namespace
} // namespace vitrine::test

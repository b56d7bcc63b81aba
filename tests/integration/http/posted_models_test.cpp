// Models in the bodies of requests: the answers are those of the command line and of assets, and nothing of
// them is in the data folder.

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "tests/integration/http_fixture.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/zip_builder.hpp"

namespace vitrine::test {
namespace {

namespace fs = std::filesystem;

// Names that were made, moved or written below the folder, except those of the catalog and of the caches of
// shaders.
class FolderWatch {
public:
    explicit FolderWatch(const fs::path& folder) : watch_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC))
    {
        add(folder);
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.is_directory() && !entry.path().native().contains("/shaders")) add(entry.path());
    }
    ~FolderWatch() { ::close(watch_); }
    FolderWatch(const FolderWatch&) = delete;
    FolderWatch& operator=(const FolderWatch&) = delete;

    std::set<std::string> take() const
    {
        std::set<std::string> names;
        alignas(inotify_event) std::array<char, 16'384> buffer{};
        for (ssize_t got = 0; (got = ::read(watch_, buffer.data(), buffer.size())) > 0;) {
            for (ssize_t at = 0; at < got;) {
                inotify_event event{};
                std::memcpy(&event, buffer.data() + at, sizeof event);
                const std::string name(buffer.data() + at + sizeof event);
                if (!name.starts_with("catalog") && !name.starts_with("pipelines") && name != "shaders")
                    names.insert(name);
                at += static_cast<ssize_t>(sizeof event + event.len);
            }
        }
        return names;
    }

private:
    void add(const fs::path& folder) const
    {
        ::inotify_add_watch(watch_, folder.c_str(), IN_CREATE | IN_MOVED_TO | IN_MODIFY);
    }

    int watch_;
};

std::string form_of(const std::vector<UploadFile>& files)
{
    std::string body;
    for (const auto& [name, bytes] : files)
        body += fmt::format("--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{}\"\r\n\r\n",
                            name) +
                bytes + "\r\n";
    return body + "--B--\r\n";
}

std::string zip_of(const std::vector<UploadFile>& files)
{
    ZipBuilder zip;
    for (const auto& [name, bytes] : files)
        zip.add(name, bytes, {.deflated = true});
    return zip.bytes();
}

class HttpPosted : public Http {
protected:
    static Reply post(const std::string& path, const std::string& body, const Fields& fields = {})
    {
        return fetch(port(), "POST", path, fields, body);
    }
    static fs::path data() { return folder->path() / "data"; }
    static inline const Fields form{{"Content-Type", "multipart/form-data; boundary=B"}};
    static inline const Fields zip{{"Content-Type", "application/zip"}};
};

TEST_F(HttpPosted, NothingIsInTheDataFolder)
{
    const FolderWatch watch(data());
    const auto model = koi_glb();
    const auto md5 = robot_md5();
    for (const auto* path : {"/v1/inspect", "/v1/render?w=64&h=64&format=webp",
                             "/v1/animation?frames=3&size=64", "/v1/convert", "/v1/check"}) {
        const std::string route(path);
        const auto named = route + (route.contains('?') ? "&" : "?") + "name=koi.glb";
        EXPECT_EQ(post(named, model.bytes).status, 200) << named;
        EXPECT_EQ(post(route, form_of(md5), form).status, 200) << route;
        EXPECT_EQ(post(route, zip_of(md5), zip).status, 200) << route;
    }
    EXPECT_EQ(watch.take(), std::set<std::string>());
    ASSERT_EQ(upload(port(), {model}).status, 200) << "known";
    EXPECT_FALSE(watch.take().empty()) << "an upload is on the disk";
}

TEST_F(HttpPosted, NothingIsLeftByAKilledServer)
{
    const TempDir own;
    ServerProcess killed(own.path() / "data");
    ASSERT_NE(killed.port(), 0);
    ASSERT_EQ(fetch(killed.port(), "POST", "/v1/inspect?name=koi.glb", {}, koi_glb().bytes).status, 200);
    const FolderWatch watch(own.path() / "data");
    Socket socket(killed.port());
    const auto body = koi_glb().bytes;
    socket.send(fmt::format("POST /v1/render?name=koi.glb HTTP/1.1\r\nHost: localhost:{}\r\nContent-Length: "
                            "{}\r\n\r\n{}",
                            killed.port(), body.size(), body.substr(0, body.size() / 2)));
    const auto taken = [&] {
        const auto text = get(killed.port(), "/metrics").body;
        return text.contains("\nvitrine_posted_bytes ") && !text.contains("\nvitrine_posted_bytes 0\n");
    };
    EXPECT_TRUE(eventually(taken)) << "half of the body is here";
    killed.signal(SIGKILL);
    killed.wait();
    EXPECT_EQ(watch.take(), std::set<std::string>());
}

TEST_F(HttpPosted, AnswersAreThoseOfTheAsset)
{
    const auto body = koi_glb().bytes;
    const auto posted = [&](const std::string& path) { return post(path + "&name=koi.glb", body).body; };
    for (const std::string image :
         {"/render?w=64&h=64&format=png&clip=0&t=0.5&view=front&overlay=skeleton&turn=0:0,20,0",
          "/render?w=48&h=64&format=webp&crowd=3&ghosts=1,0@0.1&surface=clay",
          "/animation?frames=3&size=64&clip=0"})
        EXPECT_TRUE(posted("/v1" + image) == get(port(), asset_path(image)).body) << image;
    EXPECT_TRUE(posted("/v1/convert?clip=0") == get(port(), asset_path("/export.glb?clip=0")).body);
    EXPECT_EQ(post("/v1/inspect", body, {{"Content-Disposition", "attachment; filename=\"koi.glb\""}}).status,
              200);
    EXPECT_EQ(post("/v1/inspect", body).status, 415) << "without a name";
    EXPECT_EQ(post("/v1/render?name=koi.glb&wide=3", body).status, 400);
}

// The same code, place and sentence.
TEST_F(HttpPosted, ProblemsAreThoseOfTheCommandLine)
{
    const std::string truncated("glTF\x02\0\0\0\x40\0\0\0", 12);
    const std::vector<UploadFile> wrong{{"short.glb", truncated},
                                        {"picture.glb", "\xff\xd8\xff\xe0 no model"},
                                        {"mesh.obj", "v 1 2\nf 1 2 3\n"},
                                        {"mesh.ply", "ply\nformat ascii 1.0\nelement vertex 9\n"}};
    const auto program = test::program("vitrine");
    for (const auto& [name, bytes] : wrong) {
        const auto file = folder->path() / name;
        std::ofstream(file, std::ios::binary) << bytes;
        std::FILE* const pipe =
            ::popen(fmt::format("{} inspect {} 2>&1", program, file.native()).c_str(), "r");
        std::string printed(4096, '\0');
        printed.resize(std::fread(printed.data(), 1, printed.size(), pipe));
        ::pclose(pipe);
        const auto reply = post("/v1/inspect?name=" + name, bytes);
        EXPECT_EQ(reply.status, 422) << name;
        const auto problem = reply.json();
        const auto where = problem.as_object().contains("where") ? text_at(problem, "/where") : std::string();
        const auto sentence =
            fmt::format("vitrine: {}: {}{}: {}\n", file.native(), text_at(problem, "/code"),
                        where.empty() || where == name ? "" : " at " + where, text_at(problem, "/detail"));
        EXPECT_EQ(sentence, printed) << name;
        for (const auto* route : {"/v1/render", "/v1/animation", "/v1/convert"})
            EXPECT_EQ(text_at(post(route + ("?name=" + name), bytes).json(), "/code"),
                      text_at(problem, "/code"));
    }
}

TEST_F(HttpPosted, MemoryHasALimit)
{
    const TempDir own;
    ServerProcess small(own.path() / "data", {"--posted-mb", "1"});
    ASSERT_NE(small.port(), 0);
    const std::string large(1'200'000, ' ');
    const auto post_to_small = [&](const std::string& path, const std::string& body) {
        return fetch(small.port(), "POST", path, {}, body);
    };
    EXPECT_EQ(text_at(post_to_small("/v1/inspect?name=a.obj", large).json(), "/code"), "upload_too_large");
    const auto bomb = zip_of({{"a.obj", large}});
    EXPECT_EQ(fetch(small.port(), "POST", "/v1/inspect", zip, bomb).status, 413) << "after unpacking";

    // Half of a body that has taken most of the memory.
    Socket waiting(small.port());
    waiting.send(fmt::format("POST /v1/inspect?name=a.obj HTTP/1.1\r\nHost: localhost:{}\r\nContent-Length: "
                             "900000\r\n\r\nv 0 0 0\n",
                             small.port()));
    EXPECT_TRUE(eventually(
        [&] { return get(small.port(), "/metrics").body.contains("\nvitrine_posted_bytes 900000\n"); }));
    const auto busy = post_to_small("/v1/inspect?name=b.obj", std::string(200'000, ' '));
    EXPECT_EQ(busy.status, 503) << busy.body;
    EXPECT_EQ(text_at(busy.json(), "/code"), "memory_full");
    EXPECT_EQ(busy.header("retry-after"), "2");
    EXPECT_EQ(post_to_small("/v1/inspect?name=b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").status, 200)
        << "a small one has room";
    waiting.close();
    EXPECT_TRUE(eventually(
        [&] { return get(small.port(), "/metrics").body.contains("\nvitrine_posted_bytes 0\n"); }));
}

TEST_F(HttpPosted, MethodsOfTheRoutes)
{
    for (const auto* route : {"/v1/inspect", "/v1/convert", "/v1/check"}) {
        EXPECT_EQ(get(port(), route).status, 405) << route;
        EXPECT_EQ(fetch(port(), "HEAD", route).status, 405) << route;
    }
    for (const auto* route : {"/v1/inspect", "/v1/render", "/v1/animation", "/v1/convert", "/v1/check"}) {
        const auto options = fetch(port(), "OPTIONS", route);
        EXPECT_EQ(options.status, 204) << route;
        EXPECT_TRUE(options.header("allow").contains("POST")) << options.header("allow");
    }
}

} // namespace
} // namespace vitrine::test

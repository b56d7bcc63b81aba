// Responses of handlers and the dispatcher, without a socket.

#include <gmock/gmock.h>
#include <sqlite3.h>

#include "server/handlers/handlers.hpp"
#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::FloatNear;

class Headers : public HandlerTest {
protected:
    // Checks the security header fields of SECURITY.md.
    static void expect_secure(const Answered& answered)
    {
        EXPECT_EQ(answered.header("X-Content-Type-Options"), "nosniff") << answered.status();
        EXPECT_EQ(answered.header("Referrer-Policy"), "same-origin") << answered.status();
        EXPECT_EQ(answered.header("X-Frame-Options"), "SAMEORIGIN") << answered.status();
        EXPECT_EQ(answered.header("Cross-Origin-Resource-Policy"), "same-origin") << answered.status();
        const auto policy = answered.header("Content-Security-Policy");
        for (const char* part : {"default-src 'self'", "connect-src 'self'", "object-src 'none'",
                                 "base-uri 'none'", "frame-ancestors 'self'"})
            EXPECT_NE(policy.find(part), std::string::npos) << answered.status() << ": " << policy;
        EXPECT_EQ(policy.find("unsafe-eval"), std::string::npos);
        EXPECT_EQ(policy.find("script-src"), std::string::npos) << "scripts are under default-src";
    }
};

TEST_F(Headers, EveryResponseHasTheSecurityFields)
{
    expect_secure(get("/healthz"));
    expect_secure(get("/v1/assets"));
    expect_secure(get("/v1/nothing"));
    expect_secure(ask(Method::delete_, "/v1/assets"));
    expect_secure(ask(Method::options, "/v1/assets"));
    expect_secure(get("/v1/assets", {{"X-Forwarded-For", "1.2.3.4"}}));
    expect_secure({dispatcher.reject(431, "too large")});
}

TEST_F(Headers, EveryResponseHasARequestId)
{
    EXPECT_EQ(get("/v1/nothing").header("X-Request-Id"), "of-the-test");
    const Answered refused{dispatcher.reject(431, "too large")};
    EXPECT_FALSE(refused.header("X-Request-Id").empty());
    EXPECT_EQ(refused.json().at("requestId").as_string(), refused.header("X-Request-Id"));
}

class Readiness : public HandlerTest {
protected:
    void break_catalog()
    {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open((folder() / "data/catalog.sqlite").c_str(), &database), SQLITE_OK);
        // The server's own connections may be writing.
        ASSERT_EQ(sqlite3_busy_timeout(database, 30'000), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(database, "DROP TABLE migrations", nullptr, nullptr, nullptr), SQLITE_OK);
        sqlite3_close(database);
    }
};

TEST_F(Readiness, IsReported)
{
    const auto ready = get("/readyz");
    EXPECT_EQ(ready.status(), 200);
    EXPECT_TRUE(ready.json().at("ready").as_bool());
    EXPECT_EQ(ready.json().at_pointer("/device/name").as_string(), "fake");
    EXPECT_EQ(ready.header("Cache-Control"), "no-store");
}

TEST_F(Readiness, EndsWithTheServer)
{
    stopping = true;
    const auto ready = get("/readyz");
    EXPECT_EQ(ready.status(), 503);
    EXPECT_FALSE(ready.json().at("ready").as_bool());
    EXPECT_TRUE(ready.json().at("stopping").as_bool());
}

TEST_F(Readiness, NeedsTheCatalog)
{
    break_catalog();
    const auto ready = get("/readyz");
    EXPECT_EQ(ready.status(), 503);
    EXPECT_FALSE(ready.json().at("ready").as_bool());
    EXPECT_FALSE(ready.json().at("catalog").as_bool());
}

class ReadinessWithoutADevice : public HandlerTest {
protected:
    ReadinessWithoutADevice() : HandlerTest(false) {}
};

TEST_F(ReadinessWithoutADevice, IsNotThere)
{
    const auto ready = get("/readyz");
    EXPECT_EQ(ready.status(), 503);
    EXPECT_FALSE(ready.json().at("ready").as_bool());
    EXPECT_TRUE(ready.json().at("device").is_null());
    EXPECT_FALSE(ready.json().at_pointer("/devices/0/draws").as_bool());
    EXPECT_EQ(get("/healthz").status(), 200) << "alive all the same";
}

// Without free space uploads are rejected, but reads work: still ready.
TEST_F(Readiness, ReportsFreeSpace)
{
    EXPECT_TRUE(get("/readyz").json().at("hasDiskSpace").as_bool());
    context.limits.free_bytes = ~std::uint64_t{0};
    const auto ready = get("/readyz");
    EXPECT_EQ(ready.status(), 200);
    EXPECT_FALSE(ready.json().at("hasDiskSpace").as_bool());
}

class Uploads : public HandlerTest {
protected:
    static std::string form(const std::vector<std::string>& names)
    {
        std::string body;
        for (const auto& name : names)
            body += "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name +
                    "\"\r\n\r\n" + name + "\r\n";
        return body + "--B--\r\n";
    }
    Answered upload_form(std::vector<std::string> pieces, std::size_t length = std::string::npos)
    {
        return ask(Method::post, "/v1/assets", {{"Content-Type", "multipart/form-data; boundary=B"}},
                   std::move(pieces), length);
    }
    std::size_t files_kept() const { return files_under(folder() / "data/tmp"); }
};

TEST_F(Uploads, EnforceTheLimitOfFiles)
{
    context.limits.upload_files = 2;
    const auto many = upload_form({form({"a.obj", "b.tga", "c.tga"})});
    EXPECT_EQ(many.status(), 413);
    EXPECT_EQ(many.code(), "too_many_files");
    EXPECT_EQ(services.catalog.asset_count(), 0u);
    EXPECT_EQ(files_kept(), 0u);
    EXPECT_EQ(upload_form({form({"a.obj", "b.tga"})}).status(), 201);
    EXPECT_EQ(services.catalog.asset_count(), 1u);
}

TEST_F(Uploads, DeclaredTooLargeAreRejectedUnread)
{
    const auto body = form({"a.obj"});
    context.limits.upload_bytes = body.size();
    const auto refused = upload_form({body}, body.size() + 1);
    EXPECT_EQ(refused.status(), 413);
    EXPECT_EQ(refused.code(), "upload_too_large");
    EXPECT_EQ(refused.pieces, 0u);
    EXPECT_EQ(upload_form({body}, body.size()).status(), 201);
}

// A chunked body has no declared length.
TEST_F(Uploads, ChunkedAreStoppedAtTheLimit)
{
    const auto body = form({"a.obj"});
    context.limits.upload_bytes = body.size() - 1;
    const auto refused = upload_form({body.substr(0, 10), body.substr(10), "never read", "never read"});
    EXPECT_EQ(refused.status(), 413);
    EXPECT_EQ(refused.code(), "upload_too_large");
    EXPECT_EQ(refused.pieces, 2u);
    EXPECT_EQ(services.catalog.asset_count(), 0u);
    EXPECT_EQ(files_kept(), 0u);
    context.limits.upload_bytes = body.size();
    EXPECT_EQ(upload_form({body.substr(0, 10), body.substr(10)}).status(), 201);
}

TEST_F(Uploads, NeedDiskSpace)
{
    context.limits.free_bytes = ~std::uint64_t{0};
    EXPECT_EQ(upload_form({form({"a.obj"})}).code(), "storage_full");
    EXPECT_EQ(upload_form({form({"a.obj"})}, 100).code(), "storage_full");
}

class Lists : public HandlerTest {
protected:
    std::vector<std::string> names(std::string_view query)
    {
        std::vector<std::string> found;
        const auto page = get("/v1/assets?" + std::string(query)).json();
        for (const auto& item : page.at("items").as_array())
            found.emplace_back(item.at("name").as_string());
        return found;
    }
};

// Names and the order of imports are different.
TEST_F(Lists, AreSortedByTriangles)
{
    const auto bar = imported("b_bar.obj");   // 20 triangles: 4 sides of 2 quads, 2 caps
    const auto cube = imported("c_cube.obj"); // 12
    const auto rig = imported("a_rig.obj");   // none
    const auto triangles = [&](const std::string& id) {
        return get("/v1/assets/" + id).json().at_pointer("/counts/triangles").to_number<int>();
    };
    ASSERT_EQ(triangles(bar), 20);
    ASSERT_EQ(triangles(cube), 12);
    ASSERT_EQ(triangles(rig), 0);
    EXPECT_THAT(names("sort=triangles"), ElementsAre("a_rig", "c_cube", "b_bar"));
    EXPECT_THAT(names("sort=-triangles"), ElementsAre("b_bar", "c_cube", "a_rig"));
    EXPECT_THAT(names("sort=name"), ElementsAre("a_rig", "b_bar", "c_cube"));
    EXPECT_THAT(names("sort=-name"), ElementsAre("c_cube", "b_bar", "a_rig"));
    EXPECT_THAT(names("sort=created"), ElementsAre("b_bar", "c_cube", "a_rig"));
    EXPECT_THAT(names("sort=-created"), ElementsAre("a_rig", "c_cube", "b_bar"));
    EXPECT_THAT(names(""), ElementsAre("a_rig", "c_cube", "b_bar")) << "the newest first";
}

class Versions : public HandlerTest {};

TEST_F(Versions, AreListed)
{
    const auto bar = imported("bar.obj");
    const auto listed = get("/v1/assets/" + bar + "/versions");
    EXPECT_EQ(listed.status(), 200);
    const auto page = listed.json();
    EXPECT_TRUE(page.at("next").is_null());
    ASSERT_EQ(page.at("items").as_array().size(), 1u);
    EXPECT_EQ(page.at_pointer("/items/0/version").to_number<int>(), 1);
    EXPECT_EQ(page.at_pointer("/items/0/mainFile").as_string(), "bar.obj");
    EXPECT_EQ(page.at_pointer("/items/0/sizeBytes").to_number<int>(), 18) << "content of bar.obj";
    EXPECT_EQ(page.at_pointer("/items/0/createdAt").as_string(),
              get("/v1/assets/" + bar).json().at("createdAt").as_string());
}

// The bar's rings at y = 0, 1 and 2 are 0.2 wide. At time t the upper half is rotated by 90 t degrees about
// (0, 1, 0); the middle ring is the mean of rotated and unrotated.
class ClipBounds : public HandlerTest {
protected:
    json::value bounds(std::string_view query)
    {
        const auto answered = get("/v1/assets/" + bar + "/clips/c0/bounds?" + std::string(query));
        EXPECT_EQ(answered.status(), 200) << query;
        return answered.json();
    }
    static void expect_box(const json::value& box, const std::array<double, 6>& wanted, double margin = 1e-5)
    {
        std::vector<double> numbers;
        for (const char* end : {"min", "max"})
            for (const auto& number : box.at(end).as_array())
                numbers.push_back(number.to_number<double>());
        std::vector<::testing::Matcher<double>> near;
        for (const double value : wanted)
            near.push_back(::testing::DoubleNear(value, margin));
        EXPECT_THAT(numbers, ElementsAreArray(near));
    }

    std::string bar = imported("bar.obj");
    static constexpr std::array<double, 6> straight{-0.1, 0.0, -0.1, 0.1, 2.0, 0.1};
    static constexpr std::array<double, 6> bent{-1.0, 0.0, -0.1, 0.1, 1.1, 0.1};
};

TEST_F(ClipBounds, AtOneTimeEqualThePose)
{
    expect_box(bounds("from=0&to=0").at("exact"), straight);
    expect_box(bounds("from=1&to=1").at("exact"), bent);
}

TEST_F(ClipBounds, IncludeBothEnds)
{
    const auto whole = bounds("");
    EXPECT_EQ(whole.at("clip").as_string(), "c0");
    EXPECT_EQ(whole.at("from").to_number<double>(), 0.0);
    EXPECT_EQ(whole.at("to").to_number<double>(), 1.0);
    const auto& box = whole.at("exact");
    // Its corners are at most 1 + cos a + 0.1 sin a and -sin a - 0.1 cos a, where a sum is at most the square
    // root of 1.01.
    EXPECT_GE(box.at("max").at(1).to_number<double>(), 2.0 - 1e-5) << "as it begins";
    EXPECT_LE(box.at("max").at(1).to_number<double>(), 2.00499);
    EXPECT_LE(box.at("min").at(0).to_number<double>(), -1.0 + 1e-5) << "as it ends";
    EXPECT_GE(box.at("min").at(0).to_number<double>(), -1.00499);
    expect_box(bounds("to=0").at("exact"), straight);
    for (const char* end : {"min", "max"})
        for (std::size_t i = 0; i < 3; ++i) {
            const double exact = box.at(end).at(i).to_number<double>();
            const double around = whole.at("conservative").at(end).at(i).to_number<double>();
            EXPECT_GE(end == std::string_view("min") ? exact - around : around - exact, -1e-5) << end << i;
        }
}

TEST_F(ClipBounds, AreGivenPerFrameMeshAndJoint)
{
    const auto answer = bounds("per=frame");
    const auto& frames = answer.at("frames").as_array();
    ASSERT_GE(frames.size(), 2u);
    EXPECT_EQ(frames.front().at("time").to_number<double>(), 0.0);
    EXPECT_EQ(frames.back().at("time").to_number<double>(), 1.0);
    expect_box(frames.front().at("exact"), straight);
    expect_box(frames.back().at("exact"), bent);
    const auto meshes = bounds("per=mesh&from=1&to=1");
    ASSERT_EQ(meshes.at("meshes").as_array().size(), 1u);
    expect_box(meshes.at_pointer("/meshes/0/exact"), bent);
    const auto joints = bounds("per=joint&from=1&to=1");
    ASSERT_EQ(joints.at("joints").as_array().size(), 2u);
    EXPECT_EQ(joints.at_pointer("/joints/0/name").as_string(), "lower");
    // "lower" influences rings 0 and 1; "upper" rings 1 and 2, from (+-0.1, 0 to 1) rotated by 90 degrees.
    expect_box(joints.at_pointer("/joints/0/conservative"), {-0.1, 0.0, -0.1, 0.1, 1.0, 0.1}, 1e-4);
    expect_box(joints.at_pointer("/joints/1/conservative"), {-1.0, 0.9, -0.1, 0.0, 1.1, 0.1}, 1e-4);
}

TEST_F(ClipBounds, RangesOutsideTheClipAreRefused)
{
    const auto refused = [&](std::string_view query) {
        return get("/v1/assets/" + bar + "/clips/c0/bounds?" + std::string(query)).status();
    };
    EXPECT_EQ(refused("to=1.5"), 400);
    EXPECT_EQ(refused("from=-1"), 400);
    EXPECT_EQ(refused("from=0.5&to=0.25"), 400);
    EXPECT_EQ(get("/v1/assets/" + bar + "/clips/c7/bounds").status(), 404);
}

class EventStreams : public HandlerTest {
protected:
    // Returns the first `count` pieces of the stream, run on this thread.
    std::vector<std::string> pieces(std::size_t count)
    {
        Request request;
        request.target = parse_target("/v1/events").value();
        PiecesBody body({});
        std::vector<std::string> all;
        asio::io_context io;
        asio::co_spawn(
            io,
            [&]() -> asio::awaitable<void> {
                auto answer = co_await get_events(request, body, context);
                auto& stream = *std::get<std::unique_ptr<EventStreamBody>>(answer.value().body);
                while (all.size() < count)
                    all.push_back(co_await stream.next());
            },
            [](const std::exception_ptr& error) {
                if (error) std::rethrow_exception(error);
            });
        io.run_for(test::patience);
        return all;
    }
};

// Proxies close idle streams, and a disconnected peer is detected only by writing.
TEST_F(EventStreams, SendHeartbeatsWhenIdle)
{
    context.limits.heartbeat = 10ms;
    EXPECT_THAT(pieces(3), ElementsAre("retry: 2000\n: vitrine\n\n", ": heartbeat\n\n", ": heartbeat\n\n"));
}

} // namespace
} // namespace vitrine::server::testing

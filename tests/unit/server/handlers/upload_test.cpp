// Limits of uploads.

#include <latch>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

class Uploads : public HandlerTest {
protected:
    explicit Uploads(const std::function<void(ServicesConfig&)>& adjust = {}) : HandlerTest(true, adjust) {}

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
    std::size_t files_stored() const { return files_under(folder() / "data/blobs"); }
};

// Two pieces; the server wants the second one while it stores the first one.
class TwoPieces final : public BodySource {
public:
    // `before_first` runs before the first piece is stored, `meanwhile` when its storing is queued.
    TwoPieces(std::string first, std::string second, std::function<void()> before_first,
              std::function<void()> meanwhile)
        : pieces_{std::move(first), std::move(second)}, before_{std::move(before_first), std::move(meanwhile)}
    {
    }
    asio::awaitable<std::span<const std::byte>> next() override
    {
        if (taken_ == pieces_.size()) co_return std::span<const std::byte>{};
        before_[taken_]();
        co_return bytes_of(pieces_[taken_++]);
    }
    bool has_arrived() const override { return true; }

private:
    std::array<std::string, 2> pieces_;
    std::array<std::function<void()>, 2> before_;
    std::size_t taken_ = 0;
};

TEST_F(Uploads, EnforceTheLimitOfFiles)
{
    context.limits.max_upload_files = 2;
    const auto many = upload_form({form({"a.obj", "b.tga", "c.tga"})});
    EXPECT_EQ(many.status(), 413);
    EXPECT_EQ(many.code(), "too_many_files");
    EXPECT_EQ(services.catalog.asset_count(), 0u);
    EXPECT_EQ(files_kept(), 0u);
    EXPECT_EQ(upload_form({form({"a.obj", "b.tga"})}).status(), 201);
    EXPECT_EQ(services.catalog.asset_count(), 1u);
}

class UploadsOfTwoModels : public Uploads {
protected:
    UploadsOfTwoModels() : Uploads([](ServicesConfig& config) { config.ingest.max_models = 2; }) {}
};

// As soon as the names tell it, which those of one file, of animations and of parts do not.
TEST_F(UploadsOfTwoModels, EnforceTheLimitWhileTheBodyArrives)
{
    const auto many = upload_form({form({"a.obj", "b.3ds", "c.obj"}), "never read"});
    EXPECT_EQ(many.status(), 413);
    EXPECT_EQ(many.code(), "limit_exceeded");
    EXPECT_EQ(many.pieces, 1u);
    EXPECT_EQ(files_kept(), 0u);
    const auto two = upload_form({form({"a.obj", "b.3ds", "b.3ds", "p/lower.md3", "c.mtl"})});
    EXPECT_EQ(two.status(), 413) << "a player is a third model";
    EXPECT_EQ(two.pieces, 1u);
    EXPECT_EQ(services.catalog.asset_count(), 0u);
    EXPECT_EQ(upload_form({form({"a.obj", "b.3ds", "b.3ds", "c.mtl"})}).status(), 201);
    EXPECT_EQ(services.catalog.asset_count(), 2u);
}

TEST_F(Uploads, DeclaredTooLargeAreRejectedUnread)
{
    const auto body = form({"a.obj"});
    context.limits.max_upload_bytes = body.size();
    const auto rejected = upload_form({body}, body.size() + 1);
    EXPECT_EQ(rejected.status(), 413);
    EXPECT_EQ(rejected.code(), "upload_too_large");
    EXPECT_EQ(rejected.pieces, 0u);
    EXPECT_EQ(upload_form({body}, body.size()).status(), 201);
}

class UploadsOfASmallLibrary : public Uploads {
protected:
    UploadsOfASmallLibrary() : Uploads([](ServicesConfig& config) { config.quota.all_bytes = 40; }) {}
};

TEST_F(UploadsOfASmallLibrary, AreRejectedUnreadWhenTheyDeclareTooMuch)
{
    const auto rejected = upload_form({form({"a.obj"})}, 41);
    EXPECT_EQ(rejected.status(), 507);
    EXPECT_EQ(rejected.code(), "quota_exceeded");
    EXPECT_EQ(rejected.pieces, 0u);
}

TEST_F(UploadsOfASmallLibrary, AreStoppedWhileTheyArrive)
{
    const std::string piece(30, 'x');
    const auto rejected = upload_form({form({"a.obj"}).substr(0, 30), piece, "never read", "never read"});
    EXPECT_EQ(rejected.status(), 507);
    EXPECT_EQ(rejected.code(), "quota_exceeded");
    EXPECT_EQ(rejected.pieces, 2u);
    EXPECT_EQ(files_kept(), 0u);
}

TEST_F(UploadsOfASmallLibrary, DoNotLimitWhatIsNotKept)
{
    const auto answered = ask(Method::post, "/v1/inspect",
                              {{"Content-Type", "multipart/form-data; boundary=B"}}, {form({"bar.obj"})});
    EXPECT_EQ(answered.status(), 200) << answered.code();
}

// A chunked body has no declared length.
TEST_F(Uploads, ChunkedAreStoppedAtTheLimit)
{
    const auto body = form({"a.obj"});
    context.limits.max_upload_bytes = body.size() - 1;
    const auto rejected = upload_form({body.substr(0, 10), body.substr(10), "never read", "never read"});
    EXPECT_EQ(rejected.status(), 413);
    EXPECT_EQ(rejected.code(), "upload_too_large");
    EXPECT_EQ(rejected.pieces, 2u);
    EXPECT_EQ(services.catalog.asset_count(), 0u);
    EXPECT_EQ(files_kept(), 0u);
    context.limits.max_upload_bytes = body.size();
    EXPECT_EQ(upload_form({body.substr(0, 10), body.substr(10)}).status(), 201);
}

TEST_F(Uploads, NeedDiskSpace)
{
    context.limits.min_free_bytes = ~std::uint64_t{0};
    EXPECT_EQ(upload_form({form({"a.obj"})}).code(), "storage_full");
    EXPECT_EQ(upload_form({form({"a.obj"})}, 100).code(), "storage_full");
}

// The uploads pool has one thread.
TEST_F(Uploads, SmallOneIsStoredWhileOneOfManyFilesArrives)
{
    std::vector<std::string> names;
    for (int i = 0; i < 200; ++i)
        names.push_back(std::to_string(i) + ".tga");
    names.push_back("a.obj");
    const std::string large = form(names);
    const std::size_t half = large.size() - 20; // all files but the last one
    std::latch queued{1};
    std::size_t stored_before_small = 0;
    int small_status = 0;
    TwoPieces body(
        large.substr(0, half), large.substr(half), [&] { uploads_pool.post([&] { queued.wait(); }); },
        [&] { // behind the first turn
            uploads_pool.post([&] { stored_before_small = files_stored(); });
            queued.count_down();
            small_status = upload_form({form({"small.obj"})}).status();
        });
    EXPECT_EQ(
        ask(Method::post, "/v1/assets", {{"Content-Type", "multipart/form-data; boundary=B"}}, body).status(),
        201);
    EXPECT_EQ(small_status, 201);
    EXPECT_GT(stored_before_small, 0u);
    EXPECT_LE(stored_before_small, 64u);
    EXPECT_EQ(files_stored(), names.size() + 1) << "all of both";
    EXPECT_EQ(services.catalog.asset_count(), 2u);
}

TEST_F(Uploads, MediaTypesAreComparedWithoutCaseAndParameters)
{
    const auto post = [&](const std::string& type) {
        return ask(Method::post, "/v1/assets", {{"Content-Type", type}}, {"no zip"}).status();
    };
    for (const auto* zip : {"application/zip", "Application/Zip", "application/zip ; version=2"})
        EXPECT_NE(post(zip), 415) << zip;
    for (const auto* other : {"application/zips", "zip", ""})
        EXPECT_EQ(post(other), 415) << other;
    const auto asset = "/v1/assets/" + upload(services, "bar.obj").asset.id;
    const auto change = [&](const std::string& type) {
        return ask(Method::patch, asset, {{"Content-Type", type}}, {R"({"name": "bar"})"}).status();
    };
    EXPECT_EQ(change("Application/JSON; charset=utf-8"), 200);
    EXPECT_EQ(change("application/jsonx"), 415);
}

} // namespace
} // namespace vitrine::server::testing

// Limits of uploads.

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

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
    context.limits.max_upload_files = 2;
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
    context.limits.max_upload_bytes = body.size();
    const auto rejected = upload_form({body}, body.size() + 1);
    EXPECT_EQ(rejected.status(), 413);
    EXPECT_EQ(rejected.code(), "upload_too_large");
    EXPECT_EQ(rejected.pieces, 0u);
    EXPECT_EQ(upload_form({body}, body.size()).status(), 201);
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

} // namespace
} // namespace vitrine::server::testing

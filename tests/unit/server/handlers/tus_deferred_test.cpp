// Resumable uploads whose length or checksum follows their bytes.

#include "tests/unit/server/handlers/tus_fixture.hpp"

namespace vitrine::server::testing {
namespace {

constexpr const char* sha1_of_abc = "sha1 qZk+NkcGgWq6PiVxeFDCbJzQ2J0=";

// A body in chunks with a checksum after them.
class TrailedBody final : public BodySource {
public:
    TrailedBody(std::string bytes, std::string checksum)
        : bytes_(std::move(bytes)), checksum_(std::move(checksum))
    {
    }
    asio::awaitable<std::span<const std::byte>> next() override
    {
        if (taken_) co_return std::span<const std::byte>{};
        taken_ = true;
        co_return bytes_of(bytes_);
    }
    std::string_view trailer(std::string_view name) const override
    {
        return taken_ && name == "Upload-Checksum" ? std::string_view(checksum_) : std::string_view();
    }

private:
    std::string bytes_, checksum_;
    bool taken_ = false;
};

class TusDeferred : public Tus {
protected:
    explicit TusDeferred(const std::function<void(ServicesConfig&)>& adjust = {}) : Tus(adjust) {}

    Answered begin_deferred()
    {
        return ask(
            Method::post, "/v1/uploads",
            with({{"Upload-Defer-Length", "1"}, {"Upload-Metadata", metadata("filename", "bar.obj")}}));
    }
    Answered append_last(const std::string& path, std::size_t offset, std::string bytes, std::size_t length)
    {
        auto fields = bytes_at(offset);
        fields.emplace_back("Upload-Length", std::to_string(length));
        return ask(Method::patch, path, fields, {bytes}, bytes.size());
    }
    Answered append_trailed(const std::string& path, const std::string& bytes, const std::string& checksum)
    {
        auto fields = bytes_at(0);
        fields.emplace_back("Trailer", "Upload-Checksum");
        TrailedBody body(bytes, checksum);
        return ask(Method::patch, path, fields, body);
    }
};

TEST_F(TusDeferred, LengthComesWithTheLastBytes)
{
    const auto made = begin_deferred();
    ASSERT_EQ(made.status(), 201);
    EXPECT_EQ(made.header("Upload-Defer-Length"), "1");
    EXPECT_EQ(made.header("Upload-Length"), "");
    const auto path = made.header("Location");
    EXPECT_EQ(append(path, 0, "abc").status(), 204);
    const auto head = state(path);
    EXPECT_EQ(head.header("Upload-Offset"), "3");
    EXPECT_EQ(head.header("Upload-Defer-Length"), "1");
    EXPECT_EQ(head.header("Upload-Length"), "");
    EXPECT_TRUE(get(path).json().at("length").is_null());
    EXPECT_EQ(get(path).json().at("finished"), false);
    EXPECT_EQ(name_uploads(names({path})).code(), "upload_unfinished");
    EXPECT_EQ(append_last(path, 3, "def", 6).header("Upload-Offset"), "6");
    EXPECT_EQ(state(path).header("Upload-Length"), "6");
    EXPECT_EQ(state(path).header("Upload-Defer-Length"), "");
    EXPECT_EQ(name_uploads(names({path})).status(), 201);
}

TEST_F(TusDeferred, LengthIsDeclaredOnce)
{
    const auto path = begin_deferred().header("Location");
    EXPECT_EQ(append(path, 0, "abcd").status(), 204);
    EXPECT_EQ(append_last(path, 4, "", 3).code(), "length_known") << "fewer than have arrived";
    EXPECT_EQ(append_last(path, 4, "", 5).status(), 204);
    EXPECT_EQ(append_last(path, 4, "", 6).code(), "length_known");
    EXPECT_EQ(append_last(path, 4, "", 5).status(), 204) << "the same again";
    EXPECT_EQ(append(path, 4, "ef").code(), "upload_too_large");
    EXPECT_EQ(append(path, 4, "e").status(), 204);
}

TEST_F(TusDeferred, AreAsLimitedAsOthers)
{
    context.limits.max_upload_bytes = 5;
    const auto path = begin_deferred().header("Location");
    EXPECT_EQ(append(path, 0, "abcdef").code(), "upload_too_large");
    EXPECT_EQ(ask(Method::patch, path, bytes_at(0), {"abc", "def"}).code(), "upload_too_large")
        << "in chunks";
    EXPECT_EQ(append_last(path, 0, "", 6).code(), "upload_too_large");
    EXPECT_EQ(append(path, 0, "abcde").status(), 204);
}

class TusDeferredQuota : public TusDeferred {
protected:
    TusDeferredQuota()
        : TusDeferred([](ServicesConfig& config) {
              config.quota.all_bytes = 8;
              config.uploads.max_bytes = 20;
          })
    {
    }
};

TEST_F(TusDeferredQuota, CountsWhatHasArrived)
{
    const auto path = begin_deferred().header("Location");
    EXPECT_EQ(append(path, 0, "abcde").status(), 204);
    EXPECT_EQ(services.quota.in_use().open, 5u);
    EXPECT_EQ(append(path, 5, "fghi").code(), "quota_exceeded");
    EXPECT_EQ(append_last(path, 5, "", 9).code(), "quota_exceeded");
    EXPECT_EQ(ask(Method::post, "/v1/uploads", with({{"Upload-Length", "4"}})).code(), "quota_exceeded");
    EXPECT_EQ(append_last(path, 5, "fgh", 8).status(), 204);
    EXPECT_EQ(name_uploads(names({path})).status(), 201);
}

TEST_F(TusDeferred, ChecksumFollowsInTheTrailer)
{
    const auto path = begin(3);
    EXPECT_EQ(append_trailed(path, "abd", sha1_of_abc).code(), "checksum_mismatch");
    EXPECT_EQ(append_trailed(path, "abc", "").code(), "bad_upload") << "it is not there";
    EXPECT_EQ(append_trailed(path, "abc", "md5 kAFQmDzST7DWlj99KOF/cg==").code(), "bad_upload");
    EXPECT_EQ(state(path).header("Upload-Offset"), "0");
    EXPECT_EQ(append_trailed(path, "abc", sha1_of_abc).header("Upload-Offset"), "3");
}

} // namespace
} // namespace vitrine::server::testing

// Resumable uploads by tus 1.0.0, and assets of them.

#include "server/util/sha256.hpp"
#include "tests/unit/server/handlers/tus_fixture.hpp"

namespace vitrine::server::testing {
namespace {

// Loses the connection after the pieces.
class CutBody final : public BodySource {
public:
    explicit CutBody(std::string piece) : piece_(std::move(piece)) {}
    asio::awaitable<std::span<const std::byte>> next() override
    {
        if (taken_) throw BodyTimeout();
        taken_ = true;
        co_return bytes_of(piece_);
    }

private:
    std::string piece_;
    bool taken_ = false;
};

TEST_F(Tus, OptionsNameVersionAndExtensions)
{
    context.limits.max_upload_bytes = 77;
    const auto options = ask(Method::options, "/v1/uploads");
    EXPECT_EQ(options.status(), 204);
    EXPECT_EQ(options.header("Tus-Version"), "1.0.0");
    EXPECT_EQ(options.header("Tus-Max-Size"), "77");
    EXPECT_EQ(options.header("Tus-Checksum-Algorithm"), "sha1,sha256");
    for (const auto* extension : {"creation", "creation-with-upload", "creation-defer-length", "checksum",
                                  "checksum-trailer", "expiration", "termination", "concatenation"})
        EXPECT_NE(options.header("Tus-Extension").find(extension), std::string::npos) << extension;
    EXPECT_EQ(options.header("Allow"), "POST, OPTIONS");
    EXPECT_EQ(ask(Method::options, "/v1/assets").header("Tus-Version"), "");
}

TEST_F(Tus, BytesArriveInSeveralRequests)
{
    const auto path = begin(6);
    auto head = state(path);
    EXPECT_EQ(head.status(), 200);
    EXPECT_EQ(head.header("Upload-Offset"), "0");
    EXPECT_EQ(head.header("Upload-Length"), "6");
    EXPECT_EQ(head.header("Upload-Metadata"), metadata("filename", "bar.obj"));
    EXPECT_EQ(head.header("Cache-Control"), "no-store");
    EXPECT_TRUE(head.header("Upload-Expires").ends_with(" GMT"));
    const auto first = append(path, 0, "abc");
    EXPECT_EQ(first.status(), 204);
    EXPECT_EQ(first.header("Upload-Offset"), "3");
    EXPECT_EQ(first.header("Tus-Resumable"), "1.0.0");
    EXPECT_EQ(append(path, 3, "def").header("Upload-Offset"), "6");
    const auto json = get(path).json();
    EXPECT_EQ(json.at("name"), "bar.obj");
    EXPECT_EQ(json.at("offset"), 6);
    EXPECT_EQ(json.at("finished"), true);
}

TEST_F(Tus, WrongRequestsAreRejected)
{
    const auto path = begin(6);
    const auto version = ask(Method::patch, path, {{"Tus-Resumable", "0.2.2"}});
    EXPECT_EQ(version.status(), 412);
    EXPECT_EQ(version.header("Tus-Version"), "1.0.0");
    EXPECT_EQ(ask(Method::post, "/v1/uploads", {{"Upload-Length", "1"}}).status(), 412);
    EXPECT_EQ(
        ask(Method::patch, path, with({{"Upload-Offset", "0"}, {"Content-Type", "text/plain"}})).status(),
        415);
    EXPECT_EQ(append(path, 3, "abc").code(), "offset_mismatch");
    EXPECT_EQ(append(path, 0, "abcdefg").status(), 413);
    EXPECT_EQ(ask(Method::patch, path, bytes_at(0), {"abcdefg"}).status(), 413) << "a chunked body";
    EXPECT_EQ(append("/v1/uploads/other", 0, "a").code(), "no_upload");
    EXPECT_EQ(ask(Method::post, "/v1/uploads", with({})).code(), "bad_upload");
    EXPECT_EQ(ask(Method::post, "/v1/uploads", with({{"Upload-Defer-Length", "2"}})).code(), "bad_upload");
    for (const auto* name : {"../x.obj", "/etc/x.obj"})
        EXPECT_EQ(ask(Method::post, "/v1/uploads",
                      with({{"Upload-Length", "1"}, {"Upload-Metadata", metadata("filename", name)}}))
                      .code(),
                  "bad_name");
    context.limits.max_upload_bytes = 5;
    EXPECT_EQ(ask(Method::post, "/v1/uploads", with({{"Upload-Length", "6"}})).code(), "upload_too_large");
    EXPECT_EQ(state(path).header("Upload-Offset"), "0");
}

TEST_F(Tus, BytesBeforeACutAreKept)
{
    const auto path = begin(6);
    CutBody cut("abcd");
    EXPECT_EQ(ask(Method::patch, path, bytes_at(0), cut, 6).status(), 408);
    EXPECT_EQ(state(path).header("Upload-Offset"), "4");
    EXPECT_EQ(append(path, 4, "ef").header("Upload-Offset"), "6");
}

TEST_F(Tus, ChecksumIsComparedBeforeAnythingIsStored)
{
    const auto path = begin(3);
    const auto send = [&](const std::string& checksum, BodySource& body) {
        auto fields = bytes_at(0);
        fields.emplace_back("Upload-Checksum", checksum);
        return ask(Method::patch, path, fields, body, 3);
    };
    const auto sha1 = "sha1 qZk+NkcGgWq6PiVxeFDCbJzQ2J0=";                     // of abc
    const auto sha256 = "sha256 ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="; // of abc
    PiecesBody other({"abd"}), other_again({"abd"}), right({"ab", "c"});
    const auto mismatch = send(sha1, other);
    EXPECT_EQ(mismatch.status(), 460);
    EXPECT_EQ(mismatch.code(), "checksum_mismatch");
    EXPECT_EQ(mismatch.json().at("title"), "Checksum Mismatch");
    EXPECT_EQ(send(sha256, other_again).status(), 460);
    CutBody cut("ab");
    EXPECT_EQ(send(sha1, cut).status(), 408);
    PiecesBody unknown({"abc"});
    EXPECT_EQ(send("md5 kAFQmDzST7DWlj99KOF/cg==", unknown).status(), 400);
    EXPECT_EQ(state(path).header("Upload-Offset"), "0");
    EXPECT_EQ(send(sha256, right).header("Upload-Offset"), "3");
}

TEST_F(Tus, CreationTakesTheFirstBytes)
{
    const auto made =
        ask(Method::post, "/v1/uploads",
            with({{"Upload-Length", "6"}, {"Content-Type", "application/offset+octet-stream"}}), {"abcd"}, 4);
    EXPECT_EQ(made.status(), 201);
    EXPECT_EQ(made.header("Upload-Offset"), "4");
    EXPECT_EQ(state(made.header("Location")).header("Upload-Offset"), "4");
    const auto text = ask(Method::post, "/v1/uploads", with({{"Upload-Length", "6"}}), {"abcd"}, 4);
    EXPECT_EQ(text.status(), 415);
}

TEST_F(Tus, TerminatedUploadsAreGone)
{
    const auto path = begin(6);
    EXPECT_EQ(ask(Method::delete_, path, with({})).status(), 204);
    EXPECT_EQ(state(path).status(), 404);
    EXPECT_EQ(ask(Method::delete_, path, with({})).status(), 404);
}

TEST_F(Tus, FinalUploadsAreMadeOfPartialOnes)
{
    const auto a = begin(3, "x", {{"Upload-Concat", "partial"}}),
               b = begin(2, "y", {{"Upload-Concat", "partial"}});
    EXPECT_EQ(append(a, 0, "abc").status(), 204);
    const auto join = [&] {
        return ask(Method::post, "/v1/uploads",
                   with({{"Upload-Concat", "final;" + a + " http://localhost" + b},
                         {"Upload-Metadata", metadata("filename", "bar.obj")}}));
    };
    EXPECT_EQ(join().code(), "upload_unfinished");
    EXPECT_EQ(append(b, 0, "de").status(), 204);
    EXPECT_EQ(name_uploads(names({a})).code(), "upload_unfinished") << "a partial upload is no file";
    const auto whole = join();
    EXPECT_EQ(whole.status(), 201);
    const auto path = whole.header("Location");
    EXPECT_EQ(state(path).header("Upload-Length"), "5");
    EXPECT_EQ(append(path, 5, "").code(), "final_upload");
    EXPECT_EQ(name_uploads(names({path})).status(), 201);
}

TEST_F(Tus, FinishedUploadsBecomeTheFilesOfOneAsset)
{
    const auto model = file_named("bar.obj", "content"), texture = file_named("textures/bar.tga", "pixels");
    const auto made = name_uploads(names({model, texture}));
    ASSERT_EQ(made.status(), 201);
    const auto body = made.json();
    const auto& items = body.at("items").as_array();
    ASSERT_EQ(items.size(), 1u);
    EXPECT_EQ(items[0].at("existing"), false);
    EXPECT_EQ(body.at("ignored").as_array().size(), 0u);
    const auto files = services.catalog.files(std::string(items[0].at("asset").at("id").as_string()), 1);
    ASSERT_EQ(files.size(), 2u);
    EXPECT_EQ(files[0].name, "bar.obj");
    EXPECT_EQ(files[0].blob, sha256_hex("content"));
    EXPECT_EQ(files[1].name, "textures/bar.tga");
    EXPECT_EQ(state(model).status(), 404) << "it is used";
    const auto again =
        name_uploads(names({file_named("bar.obj", "content"), file_named("textures/bar.tga", "pixels")}));
    EXPECT_EQ(again.status(), 200);
    EXPECT_EQ(again.json().at("items").at(0).at("existing"), true);
}

TEST_F(Tus, NamedUploadsMustBeFinishedAndHaveNames)
{
    const auto whole = file_named("bar.obj", "content"), part = begin(3, "b.tga");
    const auto unfinished = name_uploads(names({whole, part}));
    EXPECT_EQ(unfinished.status(), 409);
    EXPECT_EQ(unfinished.code(), "upload_unfinished");
    EXPECT_EQ(unfinished.json().at("errors").at(0).at("pointer"), "/uploads/1");
    EXPECT_EQ(name_uploads(names({"upload_other"})).status(), 404);
    for (const auto* body :
         {"[]", "{}", R"({"uploads":[]})", R"({"uploads":[7]})", R"({"uploads":["a","a"]})",
          R"({"uploads":[{"name":"a"}]})", R"({"uploads":["a"],"more":1})", "{"})
        EXPECT_EQ(name_uploads(body).status(), 400) << body;
    const auto unnamed = ask(Method::post, "/v1/uploads", with({{"Upload-Length", "0"}})).header("Location");
    EXPECT_EQ(name_uploads(names({unnamed})).code(), "bad_name");
    const auto named = R"({"uploads":[{"id":")" + id_of(whole) + R"(","name":"models/chair.obj"}]})";
    const auto made = name_uploads(named);
    ASSERT_EQ(made.status(), 201);
    EXPECT_EQ(made.json().at("items").at(0).at("asset").at("mainFile"), "models/chair.obj");
}

TEST_F(Tus, NamedUploadsTogetherAreAsLimitedAsOthers)
{
    const auto body = names({file_named("bar.obj", "content"), file_named("bar.tga", "pixels")});
    context.limits.max_upload_bytes = 12;
    EXPECT_EQ(name_uploads(body).code(), "upload_too_large");
    context.limits.max_upload_bytes = 13;
    EXPECT_EQ(name_uploads(body).status(), 201) << "they are still there";
}

TEST_F(Tus, RejectedUploadsStayAndRepeatedRequestsGetTheSameAnswer)
{
    const auto text = file_named("readme.txt", "no model");
    EXPECT_EQ(name_uploads(names({text})).code(), "no_model");
    EXPECT_EQ(state(text).status(), 200);
    const auto body = names({file_named("bar.obj", "content")});
    const auto first = name_uploads(body, {{"Idempotency-Key", "k"}});
    EXPECT_EQ(first.status(), 201);
    const auto again = name_uploads(body, {{"Idempotency-Key", "k"}});
    EXPECT_EQ(again.status(), 201);
    EXPECT_EQ(again.json(), first.json());
    EXPECT_EQ(name_uploads(names({text}), {{"Idempotency-Key", "k"}}).code(), "idempotency_key_reused");
}

class TusLimits : public Tus {
protected:
    TusLimits() : Tus([](ServicesConfig& config) { config.uploads.max_uploads = 1; }) {}
};

TEST_F(TusLimits, OpenUploadsAreBounded)
{
    const auto path = begin(3);
    const auto second = ask(Method::post, "/v1/uploads", with({{"Upload-Length", "1"}}));
    EXPECT_EQ(second.status(), 507);
    EXPECT_EQ(second.code(), "uploads_full");
    EXPECT_EQ(ask(Method::delete_, path, with({})).status(), 204);
    begin(1);
}

} // namespace
} // namespace vitrine::server::testing

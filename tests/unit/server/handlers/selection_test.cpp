// Favorites, downloads of a selection, and up axes.

#include <gmock/gmock.h>

#include "server/services/downloads/zip_source.hpp"
#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class SelectionRoutes : public HandlerTest {
protected:
    SelectionRoutes() : HandlerTest(false) {}

    Answered send(Method method, const std::string& target, const std::string& body,
                  const Fields& fields = {})
    {
        return ask(method, target, fields, {body}, body.size());
    }
    static asio::awaitable<void> collect(EventStreamBody& body, std::string& bytes)
    {
        for (;;) {
            const auto piece = co_await body.next();
            if (piece.empty()) co_return;
            bytes += piece;
        }
    }
    // Whether the body ends with its end.
    static bool read_all(Answered& answered, std::string& bytes)
    {
        auto& body = *std::get<std::unique_ptr<EventStreamBody>>(answered.response.body);
        answered.io->restart();
        asio::co_spawn(*answered.io, collect(body, bytes), [](const std::exception_ptr&) {});
        answered.io->run();
        return body.is_complete();
    }
    std::size_t count(const std::string& target) { return get(target).json().at("items").as_array().size(); }

    const std::string fish = imported("fish.obj"), boat = imported("boat.obj");
};

TEST_F(SelectionRoutes, FavoritesAreMarkedAndListed)
{
    const auto path = "/v1/me/favorites/" + fish;
    EXPECT_EQ(count("/v1/me/favorites"), 0u);
    EXPECT_EQ(ask(Method::put, path).status(), 204);
    EXPECT_EQ(ask(Method::put, path).status(), 204);
    EXPECT_EQ(get("/v1/me/favorites").json().at_pointer("/items/0/asset").as_string(), fish);
    const auto list = get("/v1/assets?favorite=true");
    EXPECT_EQ(list.json().at("items").as_array().size(), 1u);
    EXPECT_EQ(list.json().at_pointer("/items/0/id").as_string(), fish);
    EXPECT_THAT(list.header("Cache-Control"), HasSubstr("no-store"));
    const auto rows = get("/v1/assets?fields=id,favorite&sort=name").json();
    EXPECT_EQ(rows.at_pointer("/items/0/favorite"), false);
    EXPECT_EQ(rows.at_pointer("/items/1/favorite"), true);
    EXPECT_EQ(get("/v1/assets?favorite=false").status(), 400);
    EXPECT_EQ(ask(Method::put, "/v1/me/favorites/asset_none").code(), "no_asset");
    ask(Method::delete_, "/v1/assets/" + fish);
    EXPECT_EQ(count("/v1/me/favorites"), 0u) << "it is in the trash";
    EXPECT_EQ(ask(Method::put, path).code(), "asset_in_trash");
    send(Method::post, "/v1/assets/" + fish + "/purge", "");
    EXPECT_EQ(ask(Method::put, "/v1/me/favorites/" + boat).status(), 204);
    EXPECT_EQ(ask(Method::delete_, "/v1/me/favorites/" + boat).status(), 204);
    EXPECT_EQ(ask(Method::delete_, "/v1/me/favorites/" + boat).status(), 204);
    EXPECT_EQ(count("/v1/assets?favorite=true"), 0u);
}

TEST_F(SelectionRoutes, ASelectionIsDownloaded)
{
    auto answered = get("/v1/assets:download?assets=" + fish + "," + boat);
    ASSERT_EQ(answered.status(), 200);
    EXPECT_EQ(answered.header("Content-Type"), "application/zip");
    EXPECT_EQ(answered.header("Content-Disposition"), "attachment; filename*=UTF-8''models.zip");
    EXPECT_THAT(answered.header("Cache-Control"), HasSubstr("no-store"));
    std::string zip;
    EXPECT_TRUE(read_all(answered, zip));
    EXPECT_THAT(zip, HasSubstr("content of fish.obj"));
    EXPECT_THAT(zip, HasSubstr("boat/boat.obj"));
    EXPECT_TRUE(zip.starts_with("PK\x03\x04"));
    const std::string type = "application/x-www-form-urlencoded";
    const auto posted = send(Method::post, "/v1/assets:download", "assets=" + fish, {{"Content-Type", type}});
    EXPECT_EQ(posted.status(), 200);
}

TEST_F(SelectionRoutes, ExportsAreDownloadedBesideTheOriginals)
{
    auto answered = get("/v1/assets:download?format=both&assets=" + fish);
    ASSERT_EQ(answered.status(), 200);
    std::string zip;
    EXPECT_TRUE(read_all(answered, zip));
    EXPECT_THAT(zip, HasSubstr("content of fish.obj"));
    EXPECT_THAT(zip, HasSubstr("fish/fish.glb"));
    const auto alone = get("/v1/assets/" + fish + "/export.glb");
    const auto* const file = std::get_if<FileSlice>(&alone.response.body);
    ASSERT_NE(file, nullptr);
    const auto exported = file->file->read(0, file->length, "");
    EXPECT_THAT(zip, HasSubstr(std::string(reinterpret_cast<const char*>(exported.data()), exported.size())));
    EXPECT_THAT(zip, Not(HasSubstr("not exported.txt")));
}

TEST_F(SelectionRoutes, WhatCannotBeExportedIsListed)
{
    services.importer.interrupt();
    const auto created = upload(services, "waiting.obj");
    auto answered = get("/v1/assets:download?format=glb&assets=" + created.asset.id + "," + boat);
    std::string zip;
    EXPECT_TRUE(read_all(answered, zip));
    EXPECT_THAT(zip, Not(HasSubstr("content of boat.obj")));
    EXPECT_THAT(zip, HasSubstr("boat/boat.glb"));
    EXPECT_THAT(zip, HasSubstr("waiting/waiting.glb\t" + created.asset.id + "\tnot_imported: "));
}

TEST_F(SelectionRoutes, DownloadsAreRejectedBeforeTheFirstByte)
{
    EXPECT_EQ(get("/v1/assets:download?format=fbx&assets=" + fish).status(), 400);
    EXPECT_EQ(get("/v1/assets:download").status(), 400);
    EXPECT_EQ(get("/v1/assets:download?assets=").status(), 400);
    EXPECT_EQ(get("/v1/assets:download?assets=" + fish + "&collection=c").status(), 400);
    EXPECT_EQ(get("/v1/assets:download?assets=asset_none").code(), "no_asset");
    EXPECT_EQ(get("/v1/assets:download?collection=none").code(), "no_collection");
    EXPECT_EQ(
        send(Method::post, "/v1/assets:download", "{}", {{"Content-Type", "application/json"}}).status(),
        415);
}

TEST_F(SelectionRoutes, AFileThatIsLostEndsADownload)
{
    auto answered = get("/v1/assets:download?assets=" + fish);
    const auto blob = services.catalog.files(fish, 1).at(0).blob;
    std::filesystem::remove(services.blobs->find_local(blob)->path);
    std::string zip;
    EXPECT_FALSE(read_all(answered, zip));
    EXPECT_EQ(get("/v1/assets:download?assets=" + fish).code(), "blob_missing");
}

TEST_F(SelectionRoutes, ACollectionIsDownloadedUnderItsName)
{
    const auto made = send(Method::post, "/v1/collections", R"({"name": "Sea & more"})").json();
    const std::string id(made.at("id").as_string());
    send(Method::post, "/v1/collections/" + id + "/assets", R"({"assets": [")" + fish + "\"]}");
    auto answered = get("/v1/assets:download?collection=" + id);
    EXPECT_EQ(answered.header("Content-Disposition"), "attachment; filename*=UTF-8''Sea%20%26%20more.zip");
    std::string zip;
    EXPECT_TRUE(read_all(answered, zip));
    EXPECT_THAT(zip, HasSubstr("content of fish.obj"));
    EXPECT_THAT(zip, Not(HasSubstr("content of boat.obj")));
}

class UpAxisRoutes : public HandlerTest {
protected:
    Answered turn(const std::string& axis)
    {
        const auto body = R"({"upAxis": )" + axis + "}";
        return ask(Method::patch, path, {}, {body}, body.size());
    }
    const std::string path = "/v1/assets/" + imported("bar.obj");
};

TEST_F(UpAxisRoutes, AnotherAxisIsAnotherVersion)
{
    const auto bounds = path + "/bounds";
    const auto before = get(bounds).json();
    EXPECT_EQ(get(path).json().at("upAxis"), nullptr);
    const auto turned = turn(R"("z")");
    ASSERT_EQ(turned.status(), 202);
    const auto job = turned.header("Location");
    EXPECT_THAT(job, HasSubstr("/v1/jobs/"));
    EXPECT_EQ(wait_for(services, job.substr(job.rfind('/') + 1)).state, JobState::succeeded);
    EXPECT_EQ(get(path).json().at("upAxis").as_string(), "z");
    EXPECT_EQ(get(path + "/versions").json().at_pointer("/items/0/upAxis").as_string(), "z");
    EXPECT_NE(get(bounds).json(), before);
    EXPECT_EQ(get(path + "/versions/1/bounds").json(), before);
    EXPECT_EQ(turn(R"("z")").status(), 200);
    EXPECT_EQ(turn(R"("w")").json().at_pointer("/errors/0/pointer").as_string(), "/upAxis");
    EXPECT_EQ(turn("null").status(), 202);
}

TEST_F(SelectionRoutes, TheListOfTheFilesOfADownloadIsCounted)
{
    const auto others = responses.reserve((128ull << 20) - 2 * zip_source_piece_bytes);
    EXPECT_EQ(get("/v1/assets:download?assets=" + fish).status(), 503);
}

} // namespace
} // namespace vitrine::server::testing

#pragma once
// A catalog with rows in every table that a move copies, and values that are difficult to copy.

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "server/services/access/grant_table.hpp"
#include "server/services/access/group_grant_table.hpp"
#include "server/services/access/link_table.hpp"
#include "server/services/access/session_table.hpp"
#include "server/services/access/token_table.hpp"
#include "server/services/access/url_key_table.hpp"
#include "server/services/access/user_table.hpp"
#include "server/services/catalog/blob_ledger.hpp"
#include "server/services/catalog/catalog.hpp"
#include "server/services/libraries/library_index.hpp"
#include "server/services/libraries/library_table.hpp"
#include "server/services/notes/note_table.hpp"
#include "server/services/organization/collection_table.hpp"
#include "server/services/organization/favorites.hpp"
#include "server/services/organization/field_table.hpp"
#include "server/services/organization/search_table.hpp"
#include "server/services/vectors/picture_index.hpp"
#include "server/services/webhooks/delivery_queue.hpp"
#include "server/services/webhooks/webhook_table.hpp"
#include "server/util/error.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server::testing {

inline std::string blob_content(std::size_t i)
{
    return fmt::format("content of blob {}\n", i);
}

// The sentence of the StorageError; empty: there was none.
template <class Work>
std::string error_of(Work work)
{
    try {
        work();
    } catch (const StorageError& error) {
        return error.what();
    }
    return {};
}

inline void write_note(Catalog& catalog, const std::string& asset)
{
    Note note;
    note.asset = asset;
    note.text = "\\N\tand ' h\u00e4nd\nline";
    note.place = NotePlace{"c0", 0.5, SurfacePoint{1, 0, 0, 2, {0.25, 0.5, 0.25}}, "t"};
    ASSERT_TRUE(NoteTable(catalog.connections()).create(note));
    SearchTable(catalog.connections())
        .create({.name = "s '\\", .query = "q=\u6f22", .owner = "user:a"})
        .value();
}

inline void organize_first(Catalog& catalog)
{
    const auto asset = catalog.list_assets({}).value().items.front().id;
    AssetChange change;
    change.tags = {"t\tag \\ and \\N"};
    ASSERT_TRUE(catalog.change_asset(asset, change));
    write_note(catalog, asset);
    const auto vector = UnitVector::make({0.1f, 0.2f, -0.3f, 0.4f, 0.0f, 0.6f, 0.7f, -0.8f});
    PictureIndex(catalog.connections()).store({"m", 64}, {{asset, 1, vector}});
    CollectionTable collections(catalog.connections());
    Collection wanted;
    wanted.name = "h\u00e4nd ' \\";
    const auto collection = collections.create(wanted)->id;
    ASSERT_TRUE(collections.insert_members(collection, {.assets = {asset}}));
    FieldTable fields(catalog.connections());
    CollectionField field;
    field.collection = collection;
    field.name = "h\u00e4nd ' \\";
    const auto id = fields.create(field, {})->id;
    ASSERT_TRUE(fields.set_values(asset, {{id, "\\N and ' h\u00e4nd"}}, {}));
    ASSERT_TRUE(FavoriteTable(catalog.connections()).add("user:1", asset));
    ASSERT_TRUE(LinkTable(catalog.connections()).create({.name = "a ' \\", .scope = {.asset = asset}}));
}

inline void add_library(Catalog& catalog)
{
    const auto place = LibraryTable(catalog.connections())
                           .create({.name = "m\u00e4x", .path = "/a 'b'\\", .ignored = {"*.bak", "x\\"}});
    ASSERT_TRUE(place);
    const std::vector<ArrivedFile> indexed{
        {{"sub \\folder", {"t\u00e4g'.obj", 7, -1, ~0ull}}, sha256_hex("of a library")}};
    ASSERT_TRUE(LibraryIndex(catalog.connections(), place->id).store(indexed).empty());
}

inline void add_webhook(Catalog& catalog)
{
    const auto webhook =
        WebhookTable(catalog.connections()).create({.url = "https://hooks.example/"}).value();
    ASSERT_TRUE(DeliveryQueue(catalog.connections(), {}).add_test(webhook.webhook.id));
}

inline void add_people(Catalog& catalog)
{
    ASSERT_TRUE(TokenTable(catalog.connections()).create({.name = "quote ' and \\", .role = Role::editor}));
    const auto user = UserTable(catalog.connections()).create({.name = "m\u00e4x'\\", .password_hash = "x"});
    ASSERT_TRUE(user);
    ASSERT_TRUE(
        SessionTable(catalog.connections(), {}).create({user->id, "x", "192.0.2.1", "a\tb \\N", "s"}));
    const auto granted = CollectionTable(catalog.connections()).list({}).value().items.front().id;
    ASSERT_TRUE(GrantTable(catalog.connections())
                    .put({.collection = granted, .user = user->id, .created_by = "t\tb \\N"}));
    ASSERT_TRUE(GroupGrantTable(catalog.connections())
                    .put({.collection = granted, .name = {"https://id.example", "'\\N"}, .created_by = "t"}));
    ASSERT_TRUE(UserTable(catalog.connections())
                    .sign_on({.issuer = "https://id.example",
                              .subject = "1",
                              .name = "a",
                              .role = Role::viewer,
                              .groups = {"'\\N"}}));
}

inline void fill_small_library(Catalog& catalog, std::size_t count)
{
    const std::vector<std::string> names{"tab\tand \\ and \\N", "line\nbreak \r",
                                         "h\u00e4nd \U0001F916 \u6f22\u5b57", "'quotes\" and ; --", "plain"};
    std::vector<NewAsset> assets;
    for (std::size_t i = 0; i < count; ++i) {
        const auto name = fmt::format("{} {}", names[i % names.size()], i);
        const auto content = blob_content(i);
        assets.push_back({name, "m.glb", {{"m.glb", sha256_hex(content), content.size()}}});
    }
    (void)catalog.create_assets(assets);
    for (std::size_t i = 0; i + 1 < count; ++i) { // the last one waits for its import
        const auto lease = catalog.claim_job("test", std::chrono::seconds(60));
        ASSERT_TRUE(lease);
        Metadata found;
        found.format = "glb";
        found.counts.triangles = i * 7;
        found.search.joints = "hand\thip\n\\.\nhip\n";
        found.documents = {{AssetDocument::skeleton, "{\"joints\": [\"\\n\\t\\\\\"]}"}};
        found.clip_facets = {{true, false, 1.25, 2.5}};
        found.warning_codes = {"missing_image", "missing_image"};
        found.similarity = {{.kind = SimilarityKind::motion, .bucket = 1LL << 60, .signature = "1 2"}};
        ASSERT_TRUE(catalog.record_metadata(*lease, found));
        if (i % 3 == 0)
            (void)catalog.heartbeat(*lease, lease->job.stage, 1.0 / 3.0, std::chrono::seconds(60));
        ASSERT_TRUE(catalog.succeed(*lease));
    }
    organize_first(catalog);
    add_library(catalog);
    BlobLedger(catalog).set_damaged(std::string(64, 'd'), true);
    add_webhook(catalog);
    add_people(catalog);
    (void)UrlKeyTable(catalog.connections()).signing_key();
    (void)catalog.claim_key("key\t1", "content");
    (void)catalog.store_response("key\t1", "content", {201, "/v1/assets/x", "{\"a\":\"\\n\"}"});
}

} // namespace vitrine::server::testing

#pragma once
// A catalog with rows in every table that a move copies, and values that are difficult to copy.

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "server/services/access/session_table.hpp"
#include "server/services/access/token_table.hpp"
#include "server/services/access/user_table.hpp"
#include "server/services/catalog/blob_ledger.hpp"
#include "server/services/catalog/catalog.hpp"
#include "server/services/organization/collection_table.hpp"
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

inline void organize_first(Catalog& catalog)
{
    const auto asset = catalog.list_assets({}).value().items.front().id;
    AssetChange change;
    change.tags = {"t\tag \\ and \\N"};
    ASSERT_TRUE(catalog.change_asset(asset, change));
    CollectionTable collections(catalog.connections());
    Collection wanted;
    wanted.name = "h\u00e4nd ' \\";
    ASSERT_TRUE(collections.insert_members(collections.create(wanted)->id, {.assets = {asset}}));
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
        found.clip_facets = {{true, false, 1.25}};
        found.similarity = {{.kind = SimilarityKind::motion, .bucket = 1LL << 60, .signature = "1 2"}};
        ASSERT_TRUE(catalog.record_metadata(*lease, found));
        if (i % 3 == 0)
            (void)catalog.heartbeat(*lease, lease->job.stage, 1.0 / 3.0, std::chrono::seconds(60));
        ASSERT_TRUE(catalog.succeed(*lease));
    }
    organize_first(catalog);
    BlobLedger(catalog).set_damaged(std::string(64, 'd'), true);
    const auto webhook =
        WebhookTable(catalog.connections()).create({.url = "https://hooks.example/"}).value();
    ASSERT_TRUE(DeliveryQueue(catalog.connections(), {}).add_test(webhook.webhook.id));
    ASSERT_TRUE(TokenTable(catalog.connections()).create({.name = "quote ' and \\", .role = Role::editor}));
    const auto user = UserTable(catalog.connections()).create({.name = "m\u00e4x'\\", .password_hash = "x"});
    ASSERT_TRUE(user);
    ASSERT_TRUE(SessionTable(catalog.connections(), {}).create(user->id, "x", "192.0.2.1", "a\tb \\N"));
    (void)catalog.claim_key("key\t1", "content");
    (void)catalog.store_response("key\t1", "content", {201, "/v1/assets/x", "{\"a\":\"\\n\"}"});
}

} // namespace vitrine::server::testing

// The released schema, and databases of other versions of Vitrine.

#include "server/services/schema/schema.hpp"

#include <set>

#include <gmock/gmock.h>
#include <sqlite3.h>

#include "server/services/catalog/rows.hpp"
#include "server/util/sha256.hpp"
#include "tests/unit/server/services/support/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::HasSubstr;

std::vector<std::vector<std::string>> all_migrations()
{
    return migrations(*make_dialect("unused.sqlite"));
}

// Whether the list of columns of the SELECT has this one.
bool is_selected(const std::string& select, const std::string& column)
{
    const auto list = select.substr(0, select.find(" FROM ")) + ",";
    return list.contains(" " + column + ",");
}

class CatalogSchemaTest : public ServicesTest {
protected:
    void execute(const std::string& statement) const
    {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(database, statement.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(database);
        sqlite3_close(database);
    }

    // Creates a database as left by a version with this many migrations.
    void make_database(std::size_t version) const
    {
        const auto all = all_migrations();
        std::string script =
            "BEGIN; CREATE TABLE migrations (number BIGINT PRIMARY KEY, applied BIGINT NOT NULL);";
        for (std::size_t i = 0; i < version; ++i) {
            for (const auto& statement : all.at(i))
                script += statement + ";";
            script += "INSERT INTO migrations VALUES (" + std::to_string(i + 1) + ", 1);";
        }
        execute(script + "COMMIT");
    }

    std::vector<std::string> columns_of(const std::string& table) const
    {
        sqlite3* database = nullptr;
        EXPECT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
        std::vector<std::string> names;
        const auto keep = [](void* list, int, char** values, char**) {
            static_cast<std::vector<std::string>*>(list)->emplace_back(values[0]);
            return 0;
        };
        const auto text = "SELECT name FROM pragma_table_info('" + table + "')";
        EXPECT_EQ(sqlite3_exec(database, text.c_str(), keep, &names, nullptr), SQLITE_OK);
        sqlite3_close(database);
        return names;
    }

    std::filesystem::path file = folder() / "catalog.sqlite";
};

// A migration runs once per database: editing it would make old and new databases differ. Add a new line for
// a new migration; never change the line of a released one.
const std::vector<std::string> shipped{
    "0f0f828cdf3b336100cceffd094ab7ddfa2855e987c378834786d46e393864b3",
    "b917db5700687f8fa09e9c0c74db06aa1f7acac45be0902da19eeb583aff2be1",
    "4d19b6bd168a2a7e7455ea9c9328f5d9495e28513f0d4804d17bf4c143045605",
    "253ab419556eff792959217c19af125726b4ccce47281fc41d039ee651814516",
    "a424d079fba2bf90f6829a121d94f0730ca216befac227ee4c2bf664738b1955",
    "f76e59fd8998b17aaf782139889d5cfa7d23fbbabcf7310b90ac6bed1d342170",
    "b4f3414c3b7423dd37e5bed8bd9ff13cbac12b63c74e77175950faff04d93e6b",
    "493a1caedfbb46d408ba82f0bf46b158cb95ece23d818d25fa8510f50442f68c",
    "c7287da548ee8729ef8a8f8119a66a33d3e0072667167457b25717fe315b5398",
    "65cbae974f024ee22ca3f9267ee8dee0d177b83f9c46bf119c81552bb3372e99",
    "82cb5bdc3013a1f711e1885f7fe6a27c059ebf407cc31495862d059c02221bb6",
    "8f585ac00c52ba44fedc6edad2ec32ee2e03fce8e40e0a9be98811649612e3bf",
    "4cc3c141cff870f8555f516f3c19c36d13655ae784ee2a11c3512d7e07a99f1e",
    "e7a4f6c4bac7ef640f2e4a3fb1e186a0638df832812d2f28879c04c6e05552ee",
    "2126151091d25f429ef31295ee5138256f49919de11fa167fe1835daeb64b146",
    "f2e2c2c7972891c8196ebfa59ee4c32ce329f4821185340a2dd1cd715a533b15",
    "e69512bb902f98bdcc25f48df7841c8b5f66773f59c697807f94bd7d783cbd04",
    "b3347bb7fcde34bafa2400697deaf5ea89d61f2ed36ed5c3c4229ca7d647b72f",
    "3f5c7ca5f7576df5e33b3e288fbd0e80bc4998c5fa363f99b4905c4a8d591871",
    "8c8d789de1c208d2737cd32881b030f07a26dd7671e7bf25c816c52d2943a89f",
    "1c8ec56d0dcaf71695b3b37f2378312e84717c114e2ba47d966dbcbc3c9d3b86",
    "afe89349002d3f3c8b64b11bfa6d7007da4b5272f444975f13e59b541c27115a",
    "cfc0b1d4629e9d49e97aae5a7eab0069167f705790075f7b606e7d3deb26cfbd",
    "64aada463fd6fe3410eeb8d3f80b4d241eb638bc7bc34e37c0f155cdb0ccb5d7",
    "844e1486e3dd955ac89255d1fd8f6e99140d017f4edc43f5fca9fc09074397d9",
    "d030a86da2d3a93baa461af6d674f9aed4fce2ce2f7fcb0326ab2bf612be31cb",
    "bf8e55dd360e61eb02d7311dc399df7846772a6ab91cf5bcf94437f4e7da2fb1",
    "3551f6294bb69f01a77161ab40a92378daf90118e595d055ed0597fcd88c8764",
    "1f02db4f8424abc0fcb912c6ce3dfb81b0d6e10cce3aebea7b6b9de12ad5dcec",
    "e638999542352ffc97add52058fbe0868d065aa6871046f6e2dc412edbd34332",
    "6b6ff14f1f7ed96cffbc182806959d38fe7f3269933e068496a838dc2f394ce1",
    "8aa5d94cd576557627a097db636fdc8e4331cc42099443d17979f07a60a39964",
    "d8dc867fa08fa22c1ed5d679b62320f54ccb0470dcabace39be8a8d80b109e44",
    "2b15fcc862401ed81013455e198c3b76f288259b1af79764db23a4f6cfdb4d5f",
    "1612f20a14f4c79c2aac40d52b0286e75b01ae96481e51d2fdc144f0be584880",
    "730866a784c7212439a9fd73386ae39a91947af2ed9edb00ba6c2264bed401ac",
    "2284e6a10b8db7de7e111f8ee1d04bf4d409b56acfec2c052882bae36919a54d",
    "abe86430379532bffc8d8dac956b77660994415c0240e637602343dd7e2b8a81",
    "720dbd617b4100952a4fc39e889c36de0b15d4d4bc605bbff3ccfa8994ce2731",
    "5c81edf436aff3a41e1e79dea7782c5aab1d92214749db3b7d4ab541c5fbdd6f",
    "5c51608a211c87134cb0ad0c08a1877903d767886d990585615f9f4c1833cf14",
    "2b2ebb00fbff6087ce74dacee0aab2c87f21390fcda79f0cc9a5447035b53663",
    "751ede40bd2bed04aa5a19911064c98b1920d934e760afeda2e8e149575b760d",
    "8279c33d81c310ab4b5eed866bd46d226dbb7d0178c2c7586509720f10901f1b",
    "2d013efb0848c22c175d2aaf46939c66da4759fa9d0c0a6e9c3ee2aa6588be11",
    "b4db8140a4159808ee6d0b39d54a7a021491911895e5b1826b4fc54a9e3f14ca",
    "aab8615409f8ed31b177504fa92abcdad82f16631e1975e18eee1cf29b6b1759",
    "70afe7e0b6abf2e8af3502ed1d096919d8896cbafa3851c8309a2cb3c47dc78c",
};

TEST(CatalogMigrations, ReleasedMigrationsAreUnchanged)
{
    std::vector<std::string> hashes;
    const auto all = all_migrations();
    for (const auto& migration : all) {
        std::string text;
        for (const auto& statement : migration)
            text += statement + ";\n";
        hashes.push_back(sha256_hex(text));
    }
    EXPECT_EQ(hashes, shipped) << "append the hash of a new migration to `shipped`";
}

struct TableOfRecord {
    std::string select, table, prefix;
    std::size_t min_columns;
    std::set<std::string> not_read;
};

// Every column is read into the record, except keys, copies for lists and what only queries use.
TEST_F(CatalogSchemaTest, EachColumnIsRead)
{
    make_database(all_migrations().size());
    const TableOfRecord tables[]{
        {select_assets(),
         "versions",
         "v.",
         23,
         {"asset", "name", "created", "restored_from", "facts_tried", "owner"}},
        {select_assets(), "assets", "a.", 15, {"seq",      "name_key",       "status",        "version",
                                               "format",   "triangles",      "joints",        "clips",
                                               "upload",   "file_bytes",     "extent",        "longest",
                                               "shortest", "fastest",        "slowest",       "clip_flags",
                                               "warnings", "missing_images", "shown_license", "shown_author",
                                               "vertices", "materials"}},
        {select_jobs(),
         "jobs",
         "",
         20,
         {"seq", "lease_owner", "lease_until", "cancel_requested", "claims", "turn", "trace"}},
    };
    for (const auto& [select, table, prefix, min_columns, not_read] : tables) {
        const auto columns = columns_of(table);
        EXPECT_GE(columns.size(), min_columns) << table;
        for (const auto& column : columns)
            EXPECT_EQ(is_selected(select, prefix + column), !not_read.contains(column))
                << table << "." << column << ": visit_columns() in api/resources.hpp, or in records.hpp";
    }
}

TEST_F(CatalogSchemaTest, OpensDatabasesOfEarlierVersions)
{
    for (std::size_t version = 1; version <= all_migrations().size(); ++version) {
        std::filesystem::remove(file);
        make_database(version);
        execute("INSERT INTO assets (id, name, name_key, status, version, revision, created, updated) "
                "VALUES ('asset_old', 'Old', 'old', 'ready', 1, 1, 5, 5)");
        execute("INSERT INTO versions (asset, number, source, main_file, size_bytes, created, job) "
                "VALUES ('asset_old', 1, 's', 'old.obj', 1, 5, 'job_old')");
        execute("INSERT INTO jobs (id, kind, asset, version, state, stage, created) "
                "VALUES ('job_old', 'import', 'asset_old', 1, 'succeeded', 'load', 5)");
        Catalog catalog(file);
        EXPECT_EQ(catalog.find_asset("asset_old").value().name, "Old") << version;
        EXPECT_FALSE(catalog.create_assets(std::vector{asset_named("new")}).front().existing) << version;
        EXPECT_EQ(catalog.list_assets({})->items.size(), 2u) << version;
    }
}

// Older versions did not store which assets were uploaded together: those of one transaction have nearly one
// time.
TEST_F(CatalogSchemaTest, FindsTheUploadsOfOlderAssets)
{
    make_database(9);
    long long number = 0;
    for (const long long created : {5'000'000, 5'000'400, 5'015'000, 7'000'000, 7'000'100}) {
        const auto name = std::to_string(++number), time = std::to_string(created);
        execute("INSERT INTO assets (id, name, name_key, status, version, revision, created, updated) "
                "VALUES ('asset_" +
                name + "', 'n', 'n', 'ready', 1, 1, " + time + ", 5)");
        execute("INSERT INTO versions (asset, number, source, main_file, size_bytes, created, job) "
                "VALUES ('asset_" +
                name + "', 1, 's', '" + name + ".obj', 1, 5, 'job')");
    }
    execute("UPDATE assets SET upload = 'upload_known' WHERE id = 'asset_5'");
    const Catalog catalog(file);
    EXPECT_EQ(catalog.find_in_upload("asset_1", "3.obj")->id, "asset_3");
    EXPECT_EQ(catalog.find_in_upload("asset_3", "1.obj")->id, "asset_1");
    EXPECT_FALSE(catalog.find_in_upload("asset_1", "4.obj")) << "another upload";
    EXPECT_FALSE(catalog.find_in_upload("asset_4", "5.obj")) << "its upload was stored";
}

// Filters by library, vertices and materials find what was stored before them.
TEST_F(CatalogSchemaTest, FillsTheColumnsOfFilters)
{
    const auto all = all_migrations();
    const auto adds_them = [](const auto& migration) {
        return migration.front().contains("assets ADD COLUMN vertices");
    };
    make_database(static_cast<std::size_t>(std::ranges::find_if(all, adds_them) - all.begin()));
    execute("INSERT INTO assets (id, name, name_key, status, version, revision, created, updated) "
            "VALUES ('asset_1', 'n', 'n', 'ready', 1, 1, 5, 5)");
    execute("INSERT INTO versions (asset, number, source, main_file, size_bytes, created, job, vertices, "
            "materials) VALUES ('asset_1', 1, 's', 'n.obj', 1, 5, 'job', 30, 2)");
    for (const auto* const values : {"'library_2', 0", "'library_1', 0", "'library_0', 7"})
        execute("INSERT INTO library_files (folder, name, size_bytes, modified_ns, inode, sha256, asset, "
                "is_model, library, gone) VALUES ('', 'n.obj', 1, 1, 1, 'h', 'asset_1', 1, " +
                std::string(values) + ")");
    const Catalog catalog(file);
    const auto count = [&](const ListQuery& query) { return catalog.list_assets(query)->items.size(); };
    EXPECT_EQ(count({.vertices_min = 30, .materials_min = 2, .facts = {.library = "library_1"}}), 1u);
    EXPECT_EQ(count({.vertices_min = 31}), 0u);
    EXPECT_EQ(count({.facts = {.library = "library_0"}}), 0u) << "its file is gone";
}

TEST_F(CatalogSchemaTest, RejectsDatabasesOfNewerVersions)
{
    Catalog(file).create_assets(std::vector{asset_named("fish")});
    const auto newer = std::to_string(all_migrations().size() + 1);
    execute("INSERT INTO migrations VALUES (" + newer + ", 1)");
    try {
        const Catalog catalog(file);
        FAIL() << "a database of a newer version was opened";
    } catch (const StorageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("newer version of Vitrine (schema " + newer));
    }
    execute("DELETE FROM migrations WHERE number = " + newer);
    EXPECT_EQ(Catalog(file).asset_count(), 1u);
}

} // namespace
} // namespace vitrine::server::testing

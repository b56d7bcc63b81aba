// Custom fields of collections when assets leave, collections move or end, and fields change.

#include "api/tags/field_keys.hpp"
#include "server/services/organization/asset_batch.hpp"
#include "server/services/organization/trash.hpp"
#include "tests/unit/server/services/organization/fields_fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_F(CatalogFieldsTest, AssetsThatLeaveKeepTheirValuesUnseen)
{
    define(top, "Mass", FieldType::number);
    put(inner, fish);
    ASSERT_EQ(set(fish, "Mass", 2), "");
    const auto before = catalog.find_asset(fish)->etag();
    ASSERT_TRUE(collections.remove_members(inner, {.assets = {fish}}));
    EXPECT_THAT(shown(fish), IsEmpty());
    EXPECT_NE(catalog.find_asset(fish)->etag(), before);
    EXPECT_THAT(with({.name = "Mass", .equals = "2"}), IsEmpty());
    EXPECT_THAT(fields.values(fish).value(), IsEmpty());
    put(top, fish);
    EXPECT_THAT(shown(fish), ElementsAre("Mass=2"));
    ASSERT_TRUE(collections.replace_members(top, {.assets = {boat}}));
    EXPECT_THAT(shown(fish), IsEmpty());
    ASSERT_TRUE(collections.replace_members(top, {.assets = {fish}}));
    EXPECT_THAT(with({.name = "Mass", .equals = "2"}), ElementsAre("fish"));
}

TEST_F(CatalogFieldsTest, FollowCollectionsThatMoveAndEnd)
{
    define(top, "Mass", FieldType::number);
    const auto alloy = define(inner, "Alloy", FieldType::text);
    put(inner, fish);
    ASSERT_TRUE(fields.set_values(fish, {{"Mass", 2}, {alloy, "tin"}}, {}));
    CollectionChange change;
    change.parent = "";
    ASSERT_TRUE(collections.change(inner, change));
    EXPECT_THAT(shown(fish), ElementsAre(R"(Alloy="tin")"));
    change.parent = top;
    ASSERT_TRUE(collections.change(inner, change));
    EXPECT_THAT(shown(fish), ElementsAre("Mass=2", R"(Alloy="tin")"));
    ASSERT_TRUE(collections.remove(inner, {}, false));
    EXPECT_THAT(shown(fish), IsEmpty());
    put(top, fish);
    EXPECT_THAT(shown(fish), ElementsAre("Mass=2")) << "those of the deleted collection are deleted";
}

TEST_F(CatalogFieldsTest, AreRemovedWithTheirValues)
{
    put(top, fish);
    const auto mass = define(top, "Mass", FieldType::number);
    ASSERT_EQ(set(fish, "Mass", 2), "");
    EXPECT_EQ(fields.remove(top, mass, "\"f9\"").error().code, "edit_conflict");
    EXPECT_EQ(fields.remove(inner, mass, {}).error().code, "no_field");
    ASSERT_TRUE(fields.remove(top, mass, {}));
    EXPECT_THAT(shown(fish), IsEmpty());
    define(top, "Mass", FieldType::number);
    EXPECT_THAT(shown(fish), IsEmpty()) << "another field";
}

TEST_F(CatalogFieldsTest, ValuesAreConvertedToAnotherType)
{
    for (const auto& asset : {fish, boat})
        put(top, asset);
    const auto field = define(top, "Mass", FieldType::text);
    ASSERT_EQ(set(fish, "Mass", "2.50"), "");
    ASSERT_EQ(set(boat, "Mass", "heavy"), "");
    EXPECT_EQ(code_of_change(field, {.type = FieldType::number}), "field_values_unfit");
    EXPECT_EQ(fields.values(boat)->front().value, "heavy") << "nothing is changed";
    EXPECT_EQ(fields.values(fish)->front().value, "2.50");
    EXPECT_EQ(fields.find(top, field)->type, FieldType::text);
    EXPECT_EQ(code_of_change(field, {.type = FieldType::number, .discard = true}), "");
    EXPECT_THAT(shown(fish), ElementsAre("Mass=2.5"));
    EXPECT_THAT(shown(boat), IsEmpty());
    EXPECT_THAT(with({.name = "Mass", .number_min = api::number_key(2.5)}), ElementsAre("fish"));
    EXPECT_EQ(code_of_change(field, {.type = FieldType::choice}), "bad_options");
    EXPECT_EQ(
        code_of_change(field, {.type = FieldType::choice, .options = std::vector<std::string>{"2.5", "3"}}),
        "");
    EXPECT_THAT(shown(fish), ElementsAre(R"(Mass="2.5")"));
    EXPECT_EQ(code_of_change(field, {.options = std::vector<std::string>{"3"}}), "field_values_unfit")
        << "an option that is in use";
    EXPECT_EQ(code_of_change(field, {.name = "Weight", .type = FieldType::text}), "");
    EXPECT_THAT(shown(fish), ElementsAre(R"(Weight="2.5")"));
    EXPECT_THAT(fields.find(top, field)->options, IsEmpty());
}

TEST_F(CatalogFieldsTest, NamesOfSeveralCollectionsAreAmbiguous)
{
    const auto other = collection("Other");
    const auto mine = define(top, "Mass", FieldType::number);
    define(other, "Mass", FieldType::number);
    put(top, fish);
    put(other, fish);
    EXPECT_EQ(set(fish, "Mass", 1), "ambiguous_field");
    EXPECT_EQ(set(fish, mine, 1), "");
    EXPECT_THAT(shown(fish), ElementsAre("Mass=1"));
}

TEST_F(CatalogFieldsTest, AreSetForManyAssets)
{
    const auto blobs = make_file_blob_store(folder() / "blobs", true);
    define(top, "Mass", FieldType::number);
    put(top, fish);
    BatchOperation into, mass, wrong;
    into.kind = BatchOperation::Kind::add_to_collection;
    into.collection = top;
    mass.kind = wrong.kind = BatchOperation::Kind::set_fields;
    mass.values = {{"Mass", 3}};
    wrong.values = {{"Mass", "x"}};
    const std::vector<std::string> assets{fish, boat, "asset_none"};
    const auto run = [&](const std::vector<BatchOperation>& operations) {
        std::vector<std::string> codes;
        for (const auto& result : change_assets(catalog, *blobs, assets, operations))
            codes.push_back(result ? "" : result.error().code);
        return codes;
    };
    EXPECT_THAT(run({mass}), ElementsAre("", "no_field", "no_asset"));
    EXPECT_THAT(run({into, wrong}), ElementsAre("bad_field_value", "bad_field_value", "no_asset"));
    EXPECT_THAT(run({into, mass}), ElementsAre("", "", "no_asset"));
    EXPECT_THAT(with({.name = "Mass", .equals = "3"}), ElementsAre("boat", "fish"));
}

TEST_F(CatalogFieldsTest, ArePurgedWithTheAsset)
{
    const auto blobs = make_file_blob_store(folder() / "blobs", true);
    const auto mass = define(top, "Mass", FieldType::text);
    put(top, fish);
    ASSERT_EQ(set(fish, "Mass", "x"), "");
    ASSERT_TRUE(catalog.trash_asset(fish));
    EXPECT_THAT(with({.name = "Mass", .equals = "x"}), IsEmpty());
    ASSERT_TRUE(Trash(catalog.connections(), *blobs, 24h).purge(fish));
    EXPECT_EQ(code_of_change(mass, {.type = FieldType::number}), "") << "no value is left";
}

} // namespace
} // namespace vitrine::server::testing

// Custom fields of collections: their definitions, values and filters.

#include "api/tags/field_keys.hpp"
#include "tests/unit/server/services/organization/fields_fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(CatalogFieldsTest, NamesAreUniqueAboveAndBelow)
{
    define(top, "Mass", FieldType::number);
    EXPECT_EQ(try_define(top, "mass", FieldType::text).error().code, "field_exists");
    EXPECT_EQ(try_define(inner, "MASS", FieldType::text).error().code, "field_exists");
    EXPECT_EQ(try_define("collection_none", "Mass", FieldType::text).error().code, "no_collection");
    const auto other = collection("Other");
    define(other, "Mass", FieldType::text);
    CollectionChange change;
    change.parent = top;
    EXPECT_EQ(collections.change(other, change).error().code, "field_exists");
    define(inner, "Alloy", FieldType::text);
    EXPECT_EQ(try_define(top, "alloy", FieldType::text).error().code, "field_exists") << "one below has it";
    EXPECT_THAT(names_of(inner), ElementsAre("Alloy"));
    EXPECT_THAT(names_of(inner, true), ElementsAre("Mass", "Alloy"));
}

TEST_F(CatalogFieldsTest, HaveAnOrder)
{
    for (const auto* const name : {"a", "b", "c"})
        define(top, name, FieldType::text);
    const auto last = fields.list(top, false)->back().id;
    EXPECT_EQ(code_of_change(last, {.position = 0}), "");
    EXPECT_THAT(names_of(top), ElementsAre("c", "a", "b"));
    EXPECT_EQ(code_of_change(last, {.position = 99}), "");
    EXPECT_THAT(names_of(top), ElementsAre("a", "b", "c"));
    CollectionField wanted;
    wanted.collection = top;
    wanted.name = "d";
    ASSERT_TRUE(fields.create(wanted, 1));
    EXPECT_THAT(names_of(top), ElementsAre("a", "d", "b", "c"));
}

TEST_F(CatalogFieldsTest, ValuesAreCheckedByType)
{
    put(inner, fish);
    define(top, "Mass", FieldType::number);
    define(top, "Done", FieldType::boolean);
    define(top, "Due", FieldType::date);
    define(inner, "Color", FieldType::choice, {"Red", "Blue"});
    define(inner, "Note", FieldType::text);
    EXPECT_EQ(set(fish, "mass", 1.5), "");
    EXPECT_EQ(set(fish, "Done", false), "");
    EXPECT_EQ(set(fish, "Due", "2028-02-29"), "");
    EXPECT_EQ(set(fish, "Color", "blue"), "");
    EXPECT_EQ(set(fish, "Note", " a \"b\" "), "");
    EXPECT_THAT(shown(fish), ElementsAre("Mass=1.5", "Done=false", R"(Due="2028-02-29")", R"(Color="Blue")",
                                         R"(Note="a \"b\"")"));
    EXPECT_EQ(set(fish, "Mass", "1.5"), "bad_field_value");
    EXPECT_EQ(set(fish, "Done", 1), "bad_field_value");
    EXPECT_EQ(set(fish, "Due", "2027-02-29"), "bad_field_value");
    EXPECT_EQ(set(fish, "Color", "Green"), "bad_field_value");
    EXPECT_EQ(set(fish, "Note", "a\nb"), "bad_field_value");
    EXPECT_EQ(set(fish, "Note", json::value(std::string(max_field_text_bytes + 1, 'a'))), "bad_field_value");
    EXPECT_EQ(set(fish, "none", 1), "no_field");
    EXPECT_EQ(set(boat, "Mass", 1), "no_field") << "it is in no collection";
    EXPECT_EQ(set("asset_none", "Mass", 1), "no_asset");
    EXPECT_THAT(fields.set_values(fish, {{"Color", "Green"}}, {}).error().detail, HasSubstr("Red, Blue"));
    EXPECT_EQ(set(fish, "Mass", nullptr), "");
    EXPECT_EQ(shown(fish).size(), 4u);
}

TEST_F(CatalogFieldsTest, AllValuesOfARequestOrNone)
{
    put(top, fish);
    define(top, "Mass", FieldType::number);
    define(top, "Done", FieldType::boolean);
    const auto before = catalog.find_asset(fish)->etag();
    EXPECT_FALSE(fields.set_values(fish, {{"Mass", 1}, {"Done", 1}}, {}));
    EXPECT_THAT(shown(fish), IsEmpty());
    EXPECT_EQ(fields.values(fish)->front().value, std::nullopt);
    EXPECT_EQ(catalog.find_asset(fish)->etag(), before);
    EXPECT_TRUE(fields.set_values(fish, {{"Mass", 1}, {"Done", true}}, before));
    EXPECT_EQ(fields.set_values(fish, {{"Mass", 2}}, before).error().code, "edit_conflict");
    const auto after = catalog.find_asset(fish)->etag();
    EXPECT_NE(after, before);
    EXPECT_TRUE(fields.set_values(fish, {{"Mass", 1.0}}, {}));
    EXPECT_EQ(catalog.find_asset(fish)->etag(), after) << "the same value";
    EXPECT_EQ(catalog.newest_events(1).back().type, "asset.updated");
}

TEST_F(CatalogFieldsTest, ListsFilterByThem)
{
    for (const auto& asset : {fish, boat})
        put(top, asset);
    define(top, "Mass", FieldType::number);
    define(top, "Due", FieldType::date);
    define(top, "Color", FieldType::choice, {"Red", "Blue"});
    define(top, "Done", FieldType::boolean);
    const std::vector<std::pair<const char*, json::value>> given{
        {"Mass", -2}, {"Due", "2026-11-28"}, {"Color", "Red"}, {"Done", true}};
    for (const auto& [field, value] : given)
        ASSERT_EQ(set(fish, field, value), "");
    ASSERT_EQ(set(boat, "Mass", 1e300), "");
    EXPECT_THAT(with({.name = "MASS", .equals = "-2.0"}), ElementsAre("fish"));
    EXPECT_THAT(with({.name = "Mass", .number_min = api::number_key(-2.5)}), ElementsAre("boat", "fish"));
    EXPECT_THAT(with({.name = "Mass", .number_min = api::number_key(-1.9)}), ElementsAre("boat"));
    EXPECT_THAT(with({.name = "Mass", .number_max = api::number_key(0)}), ElementsAre("fish"));
    EXPECT_THAT(with({.name = "Mass", .date_max = 1'000'000}), IsEmpty()) << "they are no dates";
    EXPECT_THAT(with({.name = "Due", .date_min = api::date_key("2026-11-28")}), ElementsAre("fish"));
    EXPECT_THAT(with({.name = "Due", .date_min = api::date_key("2026-11-29")}), IsEmpty());
    EXPECT_THAT(with({.name = "Color", .equals = "RED"}), ElementsAre("fish"));
    EXPECT_THAT(with({.name = "Color", .equals = "Blue"}), IsEmpty());
    EXPECT_THAT(with({.name = "Done", .equals = "true"}), ElementsAre("fish"));
    EXPECT_THAT(with({.name = "Done", .equals = "false"}), IsEmpty());
    EXPECT_THAT(with({.name = "Done", .equals = ""}), ElementsAre("boat"));
    EXPECT_THAT(with({.name = "none", .equals = "x"}), IsEmpty());
}

TEST(FieldKeys, AscendWithTheNumbers)
{
    const std::array numbers{-1e300, -2.0, -1e-300, 0.0, 1e-300, 2.0, 1e300};
    for (std::size_t i = 1; i < numbers.size(); ++i)
        EXPECT_LT(api::number_key(numbers[i - 1]), api::number_key(numbers[i])) << numbers[i];
    EXPECT_EQ(api::number_key(-0.0), api::number_key(0.0));
}

TEST(FieldKeys, AreDaysOfDates)
{
    EXPECT_EQ(api::date_key("1970-01-02"), 1);
    EXPECT_EQ(api::date_key("1969-12-31"), -1);
    EXPECT_LT(api::date_key("0001-01-01"), api::date_key("9999-12-31"));
    for (const auto* const text : {"", "2026-02-30", "2026-13-01", "0000-01-01", "2026-1-1", "2026-01-01T",
                                   "2026/01/01", "+026-01-01"})
        EXPECT_FALSE(api::date_key(text)) << text;
}

} // namespace
} // namespace vitrine::server::testing

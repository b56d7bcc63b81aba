// License, author and source that a file declares: until people give others, and after an upgrade.

#include "loaders/base/utf8.hpp"
#include "tests/support/repeated.hpp"
#include "tests/unit/server/services/importing/fixture.hpp"
#include "tests/unit/server/services/support/database.hpp"

namespace vitrine::server::testing {
namespace {

Metadata declared_by(const scene::Attribution& attribution)
{
    scene::Scene scene = test::skinned_bar();
    scene.attribution = attribution;
    return describe(scene);
}

TEST(DeclaredFacts, AreOneLineOfALengthThatPeopleMayEnter)
{
    const auto found = declared_by(
        {.author = "x" + test::repeated(300, "\xC3\xB6"), .license = " CC-BY-4.0\n(see\tbelow)\x7F"});
    EXPECT_EQ(found.file_license, "CC-BY-4.0 (see below)");
    EXPECT_EQ(found.file_author.size(), max_fact_bytes);
    EXPECT_TRUE(is_utf8(found.file_author));
    EXPECT_EQ(declared_by({.license = " \n"}).file_license, "");
}

TEST(DeclaredFacts, OnlyWebAddressesAreSources)
{
    EXPECT_EQ(declared_by({.source = " https://example.org/1 "}).file_source_url, "https://example.org/1");
    for (const auto& source :
         {std::string("javascript:alert(1)"), std::string("file:///C:/cat.ma"), std::string("a cat"),
          std::string("https://a\nb"), std::string("https://") + std::string(max_url_bytes, 'a')})
        EXPECT_EQ(declared_by({.source = source}).file_source_url, "") << source.substr(0, 40);
}

TEST(DeclaredFacts, AreFoundByTheSearch)
{
    const auto words = declared_by({.title = "Cat", .author = "Ann", .keywords = "pet\nfur"}).search.tags;
    EXPECT_EQ(words, "Cat\nAnn\npet fur\n");
}

class DeclaredFactsTest : public ImportTest {};

TEST_F(DeclaredFactsTest, AppearAfterAnUpgradeBesideWhatPeopleGave)
{
    std::string id;
    {
        auto services = make();
        services->start();
        const auto created = upload(*services, "bar.obj");
        EXPECT_EQ(wait_for(*services, created.job.id).state, JobState::succeeded);
        id = created.asset.id;
        AssetChange change;
        change.author = "Eve";
        ASSERT_TRUE(services->catalog.change_asset(id, change));
        EXPECT_TRUE(services->catalog.list_assets({.facts = {.license = "MIT"}})->items.empty());
    }
    loader.attribution = {.author = "Ann", .license = "MIT", .source = "https://example.org/1"};
    age_facts(folder() / "data/catalog.sqlite");
    std::filesystem::remove_all(folder() / "data/derived"); // scenes of other loaders are not read
    auto services = make();
    services->start();
    EXPECT_TRUE(test::eventually([&] { return services->catalog.find_asset(id)->has_current_facts(); }));
    const auto shown = api::to_json(services->catalog.find_asset(id).value());
    EXPECT_EQ(shown.at("license"), "MIT");
    EXPECT_EQ(shown.at("author"), "Eve");
    EXPECT_EQ(shown.at("sourceUrl"), "https://example.org/1");
    EXPECT_EQ(shown.at("attribution").at("author"), "Ann");
    EXPECT_TRUE(shown.at("attribution").at("title").is_null());
    EXPECT_EQ(services->catalog.list_assets({.facts = {.license = "mit", .author = "eve"}})->items.size(),
              1u);
}

} // namespace
} // namespace vitrine::server::testing

// Saved searches, of one principal and shared ones.

#include "server/services/organization/search_table.hpp"

#include <gmock/gmock.h>

#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::UnorderedElementsAre;

class SearchesTest : public CatalogTest {
protected:
    SavedSearch save(const std::string& name, const std::string& owner, bool shared = false)
    {
        return searches.create({.name = name, .query = "q=" + name, .owner = owner, .is_shared = shared})
            .value();
    }
    std::vector<std::string> seen_by(const std::string& principal)
    {
        std::vector<std::string> found;
        for (const auto& search : searches.list(principal, 100, {}).value().items)
            found.push_back(search.name);
        return found;
    }

    SearchTable searches{catalog.connections()};
};

TEST_F(SearchesTest, OthersSeeSharedOnes)
{
    const auto own = save("own", "user:a");
    const auto shared = save("shared", "user:a", true);
    save("other", "user:b");
    EXPECT_THAT(seen_by("user:a"), UnorderedElementsAre("own", "shared"));
    EXPECT_THAT(seen_by("user:b"), UnorderedElementsAre("shared", "other"));
    EXPECT_EQ(searches.find(own.id, "user:b").error().code, "no_search");
    EXPECT_EQ(searches.find(shared.id, "user:b")->query, "q=shared");
    const auto page = searches.list("user:a", 1, {}).value();
    ASSERT_EQ(page.items.size(), 1u);
    EXPECT_NE(searches.list("user:a", 1, page.next)->items.at(0).name, page.items.at(0).name);
    EXPECT_EQ(searches.list("user:a", 1, "x").error().code, "bad_cursor");
}

TEST_F(SearchesTest, OwnersChangeThem)
{
    const auto search = save("one", "user:a", true);
    EXPECT_EQ(searches.change(search.id, {.name = "x"}, "user:b", false).error().code, "search_of_other");
    EXPECT_EQ(searches.change(search.id, {.name = "two"}, "user:b", true)->name, "two");
    EXPECT_EQ(
        searches.change(search.id, {.name = "x", .if_match = search.etag()}, "user:a", false).error().kind,
        Errc::precondition_failed);
    EXPECT_FALSE(searches.change(search.id, {.shared = false}, "user:a", false)->is_shared);
    EXPECT_EQ(searches.remove(search.id, {}, "user:b", true).error().code, "no_search")
        << "not shared any more";
    ASSERT_TRUE(searches.remove(search.id, {}, "user:a", false));
    EXPECT_EQ(searches.find(search.id, "user:a").error().code, "no_search");
}

} // namespace
} // namespace vitrine::server::testing

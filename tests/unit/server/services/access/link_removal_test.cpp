// Share links go with what they show.

#include <gmock/gmock.h>

#include "server/services/access/link_table.hpp"
#include "server/services/organization/collection_table.hpp"
#include "server/services/organization/trash.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;

class CatalogLinkRemoval : public CatalogTest {
protected:
    std::string make_link(const LinkScope& scope)
    {
        return links.create({.name = "client", .scope = scope}).value().link.id;
    }
    std::vector<std::string> ids() const
    {
        std::vector<std::string> found;
        for (const auto& stored : links.list())
            found.push_back(stored.link.id);
        return found;
    }

    LinkTable links{catalog.connections()};
};

TEST_F(CatalogLinkRemoval, AssetsArePurgedWithTheirLinks)
{
    const auto gone = add_ready("a", {}).id, kept = add_ready("b", {}).id;
    make_link({.asset = gone});
    make_link({.asset = gone, .shown = "t=1"});
    const auto other = make_link({.asset = kept});
    ASSERT_TRUE(catalog.trash_asset(gone));
    EXPECT_EQ(ids().size(), 3u) << "the trash can be restored";
    std::vector<std::string> blobs;
    ASSERT_TRUE(catalog.connections().write(
        [&](DatabaseConnection& sql) { return purge_asset(sql, gone, blobs); }));
    EXPECT_THAT(ids(), ElementsAre(other));
}

TEST_F(CatalogLinkRemoval, CollectionsAreDeletedWithTheirLinks)
{
    CollectionTable collections(catalog.connections());
    const auto make = [&](const std::string& name, const std::string& parent) {
        Collection wanted;
        wanted.name = name;
        wanted.parent = parent;
        return collections.create(wanted).value().id;
    };
    const auto top = make("top", ""), below = make("below", top), beside = make("beside", "");
    make_link({.collection = top});
    make_link({.collection = below});
    const auto kept = make_link({.collection = beside});
    ASSERT_TRUE(collections.remove(top, {}, true));
    EXPECT_THAT(ids(), ElementsAre(kept));
}

} // namespace
} // namespace vitrine::server::testing

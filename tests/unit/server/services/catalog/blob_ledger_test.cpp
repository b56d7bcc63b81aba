// What the servers of a catalog know in common of its blobs.

#include "server/services/catalog/blob_ledger.hpp"

#include "tests/unit/server/services/catalog/fixture.hpp"
#include "tests/unit/server/services/support/database.hpp"

namespace vitrine::server::testing {
namespace {

class CatalogBlobLedger : public CatalogTest {
protected:
    const std::string blob = std::string(64, 'b');
};

TEST_F(CatalogBlobLedger, TheIdentityIsThatOfTheCatalog)
{
    const BlobLedger ledger(catalog);
    EXPECT_TRUE(ledger.identity().starts_with("catalog_")) << ledger.identity();
    EXPECT_EQ(BlobLedger(catalog).identity(), ledger.identity());
    Catalog another(folder() / "another.sqlite");
    EXPECT_NE(BlobLedger(another).identity(), ledger.identity());
}

TEST_F(CatalogBlobLedger, DamageIsRecordedUntilItIsRepaired)
{
    BlobLedger ledger(catalog);
    EXPECT_FALSE(ledger.is_damaged(blob));
    ledger.set_damaged(blob, true);
    ledger.set_damaged(blob, true);
    EXPECT_TRUE(BlobLedger(catalog).is_damaged(blob));
    EXPECT_FALSE(ledger.is_damaged(std::string(64, 'c')));
    ledger.set_damaged(blob, false);
    EXPECT_FALSE(ledger.is_damaged(blob));
}

TEST_F(CatalogBlobLedger, RecordsALimitedNumber)
{
    BlobLedger ledger(catalog);
    execute_sql(location(),
                "INSERT INTO damaged_blobs (blob, found) WITH RECURSIVE numbers(n) AS (SELECT 1 "
                "UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000) SELECT 'blob' || n, 1 FROM numbers");
    ledger.set_damaged(blob, true);
    EXPECT_FALSE(ledger.is_damaged(blob));
    ledger.set_damaged("blob7", false);
    ledger.set_damaged(blob, true);
    EXPECT_TRUE(ledger.is_damaged(blob));
}

} // namespace
} // namespace vitrine::server::testing

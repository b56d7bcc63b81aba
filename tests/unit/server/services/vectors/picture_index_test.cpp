// Vectors in the database and the nearest ones, on both databases.

#include "server/services/vectors/picture_index.hpp"

#include <cmath>
#include <random>

#include <gmock/gmock.h>

#include "loaders/io/base64.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const VectorModel model{"m", 256};

class PictureIndexTest : public CatalogTest {
protected:
    PictureIndex index{catalog.connections()};
    std::mt19937 random{7};

    UnitVector any(std::size_t dimensions = 64)
    {
        std::normal_distribution<float> normal;
        std::vector<float> numbers(dimensions);
        for (auto& number : numbers)
            number = normal(random);
        return UnitVector::make(std::move(numbers)).value();
    }
    // At about this cosine.
    UnitVector near(const UnitVector& other, float cosine)
    {
        const auto away = any(other.size());
        std::vector<float> numbers;
        for (std::size_t i = 0; i < other.size(); ++i)
            numbers.push_back(cosine * other.values()[i] +
                              std::sqrt(1.0f - cosine * cosine) * away.values()[i]);
        return UnitVector::make(std::move(numbers)).value();
    }
    AssetRecord add_with(const std::string& name, const UnitVector& vector)
    {
        auto asset = add_ready(name, {});
        index.store(model, {{asset.id, asset.version, vector}});
        return asset;
    }
    std::vector<std::string> nearest(const UnitVector& vector)
    {
        std::vector<std::string> found;
        for (const auto& item : index.nearest(model, vector).items)
            found.push_back(item.name);
        return found;
    }
};

TEST_F(PictureIndexTest, TextsKeepTheAngle)
{
    const auto a = any(512), b = near(a, 0.7f);
    const auto read = parse_unit_vector(to_text(b)).value();
    EXPECT_NEAR(cosine(a, read), cosine(a, b), 0.01);
    EXPECT_FALSE(parse_unit_vector("?"));
    EXPECT_FALSE(parse_unit_vector(""));
    EXPECT_FALSE(parse_unit_vector("AAAA")) << "three numbers";
    EXPECT_EQ(cosine(a, any(64)), 0.0);
}

TEST_F(PictureIndexTest, ScoresOfCodesFollowTheAngle)
{
    const auto query = any(512);
    const CodeScorer scorer(query, 1024);
    const auto score = [&](const UnitVector& vector) {
        const auto code = code_text(vector, 1024);
        const auto bytes = io::decode_base64(code).value();
        return scorer.score(reinterpret_cast<const std::uint8_t*>(bytes.data()));
    };
    EXPECT_GT(score(query), score(near(query, 0.8f)));
    EXPECT_GT(score(near(query, 0.8f)), score(near(query, 0.4f)));
    EXPECT_GT(score(near(query, 0.4f)), score(near(query, 0.0f)));
}

TEST_F(PictureIndexTest, TheNearestComeFirst)
{
    const auto query = any();
    add_with("far", near(query, 0.1f));
    add_with("near", near(query, 0.9f));
    add_with("between", near(query, 0.5f));
    EXPECT_THAT(nearest(query), ElementsAre("near", "between", "far"));
    add_with("same", query);
    EXPECT_EQ(nearest(query).front(), "same") << "it follows what is stored later";
    EXPECT_THAT(index.nearest({"other", 256}, query).items, IsEmpty());
}

TEST_F(PictureIndexTest, ManyAreComparedByTheirCodesFirst)
{
    const auto query = any();
    const auto first = add_with("first", near(query, 0.95f));
    std::vector<PictureVector> many;
    for (std::uint32_t i = 0; i < PictureIndex::max_candidates; ++i) {
        many.push_back({add(std::to_string(i)).id, 1, any()});
    }
    index.store(model, many);
    const auto found = index.nearest(model, query);
    EXPECT_FALSE(found.is_complete);
    EXPECT_EQ(found.compared, PictureIndex::max_candidates);
    EXPECT_EQ(found.items.front().asset, first.id);
}

TEST_F(PictureIndexTest, OnlyTheVersionThatRequestsReadIsFound)
{
    const auto query = any();
    const auto asset = add_with("a", query);
    ASSERT_TRUE(catalog.create_version(asset.id, {.content = asset_named("a2")}));
    EXPECT_THAT(nearest(query), ElementsAre("a")) << "the new version is not imported";
    const auto lease = catalog.claim_job("me", std::chrono::seconds(10)).value();
    catalog.record_metadata(lease, {{.format = "obj", .summary = R"({"warnings":0})"}, {}, {}});
    ASSERT_TRUE(catalog.succeed(lease));
    EXPECT_THAT(nearest(query), IsEmpty());
    const auto b = add_with("b", query);
    ASSERT_TRUE(catalog.trash_asset(b.id));
    EXPECT_THAT(nearest(query), IsEmpty());
    ASSERT_TRUE(catalog.restore_asset(b.id));
    EXPECT_THAT(nearest(query), ElementsAre("b"));
}

TEST_F(PictureIndexTest, VectorsAreReplaced)
{
    const auto old = any(), query = any();
    const auto asset = add_with("a", old);
    EXPECT_NEAR(index.nearest(model, old).items.at(0).cosine, 1.0, 0.01);
    index.store(model, {{asset.id, 1, query}});
    const auto found = index.nearest(model, query);
    ASSERT_EQ(found.items.size(), 1u);
    EXPECT_NEAR(found.items[0].cosine, 1.0, 0.01);
    EXPECT_EQ(index.dimensions("m"), 64u);
    index.store(model, {{asset.id, 1, std::nullopt}});
    EXPECT_THAT(nearest(query), IsEmpty());
    EXPECT_FALSE(index.find("m", asset.id, 1));
    EXPECT_FALSE(index.dimensions("m"));
    index.store(model, {{"nobody", 1, query}});
    EXPECT_THAT(nearest(query), IsEmpty()) << "of a purged asset";
}

TEST_F(PictureIndexTest, AssetsWithAThumbnailAndWithoutAVectorAreMissing)
{
    add_ready("without", {});
    add("with");
    const auto lease = catalog.claim_job("me", std::chrono::seconds(10)).value();
    catalog.record_metadata(lease, {{.format = "obj", .summary = R"({"warnings":0})"}, {}, {}});
    ASSERT_TRUE(catalog.record_thumbnail(lease, true));
    const auto asset = catalog.succeed(lease)->asset;
    const auto last = index.last_asset();
    const auto missing = index.missing("m", 1, last);
    ASSERT_EQ(missing.size(), 1u);
    EXPECT_EQ(missing[0].asset, asset.id);
    EXPECT_THAT(index.missing("m", 1, last - 1), IsEmpty());
    index.store(model, {{asset.id, 1, std::nullopt}});
    EXPECT_THAT(index.missing("m", 1, last), IsEmpty()) << "it shows nothing";
    EXPECT_EQ(index.missing("other", 1, last).size(), 1u);
}

} // namespace
} // namespace vitrine::server::testing

// Pictures of whole services with a simulated device.

#include "server/services/pictures/pictures.hpp"

#include <gmock/gmock.h>

#include "server/services/vectors/picture_descriptor.hpp"
#include "tests/unit/server/services/rendering/image_fixture.hpp"
#include "tests/unit/server/services/support/log_watch.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

TEST_F(ImageServiceTest, AnImportDescribesItsThumbnail)
{
    const auto a = imported("cube one.obj");
    PictureIndex index(services.catalog.connections());
    EXPECT_TRUE(index.find(std::string(descriptor_model), a.id, 1));
    const auto found = services.pictures.find_similar(a);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->model, descriptor_model);
    EXPECT_FALSE(found->is_embedding);
    EXPECT_TRUE(found->near.items.empty()) << "not itself";
    EXPECT_EQ(found->notice, "") << "there is no embedder";
}

TEST_F(ImageServiceTest, PicturesOfOlderVersionsOfTheProgramAreDescribedLater)
{
    const auto a = imported("cube one.obj");
    PictureIndex index(services.catalog.connections());
    services.pictures.stop();
    services.catalog.connections().write(
        [](DatabaseConnection& sql) { sql << "DELETE FROM picture_vectors"; });
    EXPECT_TRUE(services.pictures.find_similar(a)) << "it is computed for the request";
    EXPECT_FALSE(index.find(std::string(descriptor_model), a.id, 1));
    prometheus::Registry later_registry;
    Pictures later(services.catalog, services.images, later_registry, {});
    later.start();
    EXPECT_TRUE(
        test::eventually([&] { return index.find(std::string(descriptor_model), a.id, 1).has_value(); }));
}

TEST_F(ImageServiceTest, PicturesAreDescribedWhenTheDatabaseAnswersAgain)
{
    const auto a = imported("cube one.obj");
    PictureIndex index(services.catalog.connections());
    services.pictures.stop();
    services.catalog.connections().write([](DatabaseConnection& sql) {
        sql << "DELETE FROM picture_vectors";
        sql << "ALTER TABLE assets RENAME TO hidden_assets";
    });
    const LogWatch warnings("pictures are not described now");
    prometheus::Registry later_registry;
    Pictures later(services.catalog, services.images, later_registry, {.first_pause = 1ms});
    later.start();
    EXPECT_TRUE(test::eventually([&] { return warnings.lines() > 0; }));
    services.catalog.connections().write(
        [](DatabaseConnection& sql) { sql << "ALTER TABLE hidden_assets RENAME TO assets"; });
    EXPECT_TRUE(
        test::eventually([&] { return index.find(std::string(descriptor_model), a.id, 1).has_value(); }));
}

TEST_F(ImageServiceTest, AnEmbedderThatFailsIsReplacedByTheDescriptor)
{
    const auto a = imported("cube one.obj");
    prometheus::Registry later_registry;
    Pictures with(services.catalog, services.images, later_registry,
                  {.embedder = EmbedderSettings{.url = "http://127.0.0.1:1/", .model = "m"}});
    const auto found = with.find_similar(a);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->is_embedding);
    EXPECT_THAT(found->notice, HasSubstr("not processed"));
    const auto first = with.embed_text("robot"), second = with.embed_text("robot");
    ASSERT_FALSE(first);
    ASSERT_FALSE(second);
    EXPECT_THAT(first.error().detail, HasSubstr("cannot be reached"));
    EXPECT_THAT(second.error().detail, HasSubstr("just failed")) << "it is not asked again at once";
}

} // namespace
} // namespace vitrine::server::testing

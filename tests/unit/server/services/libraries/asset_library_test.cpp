// The library of an asset, also of one that was uploaded before.

#include "tests/unit/server/services/libraries/fixture.hpp"

namespace vitrine::server::testing {
namespace {

class AssetLibraryTest : public LibraryTest {};

TEST_F(AssetLibraryTest, IsTheOneThatHasTheMainFile)
{
    write("a.obj", "a");
    write("b.obj", "b");
    const NewAsset same{"b", "b.obj", {{"b.obj", sha256_hex("b"), 1}}};
    const auto uploaded = services->catalog.create_assets(std::vector{same}).front().asset;
    EXPECT_EQ(uploaded.library, "");
    add();
    EXPECT_EQ(id_of("b"), uploaded.id);
    const auto library_of = [&](const std::string& id) { return services->catalog.find_asset(id)->library; };
    const auto asset = id_of("a");
    EXPECT_EQ(library_of(asset), library);
    EXPECT_EQ(services->catalog.find_asset(asset)->revision, 1) << "from the beginning";
    EXPECT_EQ(library_of(uploaded.id), library);
    EXPECT_NE(services->catalog.find_asset(uploaded.id)->etag(), uploaded.etag());
    remove("b.obj");
    scan();
    EXPECT_EQ(library_of(uploaded.id), "");
    EXPECT_EQ(library_of(asset), library);
    ASSERT_TRUE(services->libraries.table().remove(library));
    while (services->libraries.scan_next())
        ;
    EXPECT_EQ(library_of(asset), "");
}

} // namespace
} // namespace vitrine::server::testing

// A server whose database and blobs are outside its data folder, from a configuration file.

#include "tests/integration/moves/moves_fixture.hpp"

namespace vitrine::test {
namespace {

class SeparatePlaces : public Moves {
protected:
    void SetUp() override
    {
        std::filesystem::create_directories(blobs_ / "tmp");
        std::ofstream(blobs_ / "tmp" / "of somebody else") << "keep";
        std::ofstream(config_) << fmt::format(
            "database = \"sqlite:{}\"\nblobs = \"file:{}\"\nio-threads = 1\n", database_.native(),
            blobs_.native());
    }

    std::vector<std::string> flags() const
    {
        return {"--database", "sqlite:" + database_.native(), "--blobs", "file:" + blobs_.native()};
    }

    const std::filesystem::path data_ = folder_ / "data", database_ = folder_ / "db" / "models.db",
                                blobs_ = folder_ / "big", config_ = folder_ / "vitrine.toml";
};

TEST_F(SeparatePlaces, AreUsedAndKept)
{
    std::string asset;
    {
        ServerProcess server(data_, flags());
        ASSERT_NE(server.port(), 0) << server.line();
        asset = import_asset(server.port(), {vase_glb()});
        ASSERT_NE(asset, "");
        stop(server);
    }
    EXPECT_TRUE(std::filesystem::is_regular_file(database_));
    EXPECT_FALSE(std::filesystem::exists(data_ / "catalog.sqlite"));
    EXPECT_FALSE(std::filesystem::exists(data_ / "blobs"));
    EXPECT_GT(count_files(blobs_ / "blobs"), 0u);
    EXPECT_TRUE(std::filesystem::exists(blobs_ / "tmp" / "of somebody else"));
    const auto backup = (folder_ / "backup").native();
    const auto copied = run({"backup", backup, "--data", data_.native(), "--database",
                             "sqlite:" + database_.native(), "--blobs", "file:" + blobs_.native()});
    EXPECT_EQ(copied.exit_code, 0) << copied.err;
    EXPECT_TRUE(copied.out.contains("1 assets")) << copied.out;
    EXPECT_EQ(run({"backup", backup, "--data", data_.native()}).exit_code, 1) << "no catalog is there";
    const auto restored = (folder_ / "restored").native();
    ASSERT_EQ(run({"restore", backup, "--data", restored}).exit_code, 0);
    ServerProcess copy(restored, {"--database", "", "--blobs", "files"});
    EXPECT_EQ(get(copy.port(), "/v1/assets/" + asset + "/files/vase.glb").status, 200);
    ServerProcess again(data_, flags());
    EXPECT_EQ(get(again.port(), "/v1/assets/" + asset + "/files/vase.glb").status, 200);
    const auto token = run({"token", "create", "tool", "--database", "sqlite:" + database_.native()});
    EXPECT_EQ(token.exit_code, 0) << token.err;
    const auto second =
        run({"serve", "--data", (folder_ / "other").native(), "--listen", "127.0.0.1:0", "--open", "--gpu",
             "software", "--no-samples", "--database", "sqlite:" + database_.native()});
    EXPECT_NE(second.exit_code, 0) << "the folder of the database has one server";
    EXPECT_TRUE(second.err.contains("another process uses")) << second.err;
}

TEST_F(SeparatePlaces, ComeFromTheConfigurationFile)
{
    const auto printed =
        run({"serve", "--config", config_.native(), "--data", data_.native(), "--print-config"});
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_TRUE(printed.out.contains(database_.native())) << printed.out;
    EXPECT_TRUE(printed.out.contains("\"io\": 1")) << printed.out;
    std::ofstream(config_) << "io-threads = 1\nlisten = 5\nworkers = 3\n";
    const auto wrong = run({"serve", "--config", config_.native()});
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_TRUE(wrong.err.contains("vitrine.toml:3: workers is no option")) << wrong.err;
}

TEST_F(SeparatePlaces, AreKnownToTheOtherCommands)
{
    std::ofstream(config_, std::ios::app) << fmt::format("data = \"{}\"\nrole = \"all\"\n", data_.native());
    {
        ServerProcess server(data_, {"--config", config_.native()});
        ASSERT_NE(server.port(), 0) << server.line();
        ASSERT_NE(import_asset(server.port(), {vase_glb()}), "");
        stop(server);
    }
    const auto config = config_.native();
    EXPECT_EQ(run({"token", "create", "tool", "--config", config}).exit_code, 0);
    const auto tokens = run({"token", "list", "--config", config});
    EXPECT_TRUE(tokens.out.contains("viewer")) << "its role is not that of the server: " << tokens.out;
    EXPECT_EQ(run({"user", "list", "--config", config}).exit_code, 0);
    EXPECT_EQ(run({"user", "list", "--config", config, "--data", "/nowhere", "--database", ""}).exit_code, 1)
        << "flags take precedence";
    const auto backup = run({"backup", (folder_ / "backup").native(), "--config", config});
    EXPECT_TRUE(backup.out.contains("1 assets")) << backup.err;
    const auto moved = run({"migrate", "--config", config, "--to", "sqlite:" + (folder_ / "new").native()});
    EXPECT_EQ(moved.exit_code, 0) << moved.err;
    EXPECT_GT(count_files(folder_ / "new" / "blobs"), 0u);
    const auto doctor = run({"doctor", "--config", config, "--gpu", "software"});
    EXPECT_TRUE(doctor.out.contains(blobs_.native())) << doctor.out;
    EXPECT_EQ(run({"migrate", "--to", "sqlite:/nowhere"}).exit_code, 2) << "without --from";
    std::ofstream(config_, std::ios::app) << "workers = 3\n";
    for (const auto& words : std::vector<std::vector<std::string>>{{"doctor"},
                                                                   {"token", "list"},
                                                                   {"user", "list"},
                                                                   {"backup", "/nowhere"},
                                                                   {"migrate", "--to", "x"}}) {
        auto arguments = words;
        arguments.insert(arguments.end(), {"--config", config});
        const auto wrong = run(arguments);
        EXPECT_EQ(wrong.exit_code, 2) << words.front();
        EXPECT_TRUE(wrong.err.contains("vitrine.toml:6: workers is no option of `vitrine serve`"))
            << wrong.err;
    }
}

TEST_F(SeparatePlaces, AreMoved)
{
    make_library("old", 5);
    const auto moved = run({"migrate", "--from", "sqlite:" + (folder_ / "old").native(), "--to",
                            "sqlite:" + database_.native(), "--blobs", "file:" + blobs_.native()});
    ASSERT_EQ(moved.exit_code, 0) << moved.err;
    EXPECT_TRUE(moved.out.contains("--database sqlite:" + database_.native())) << moved.out;
    EXPECT_TRUE(moved.out.contains("--blobs file:" + blobs_.native())) << moved.out;
    ServerProcess server(data_, flags());
    ASSERT_NE(server.port(), 0) << server.line();
    EXPECT_EQ(get(server.port(), "/v1/assets").json().at("items").as_array().size(), 5u);
}

} // namespace
} // namespace vitrine::test

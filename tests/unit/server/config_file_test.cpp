// The file of --config: keys, precedence, and the sentence about what is wrong.

#include "server/config_file.hpp"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/temp_dir.hpp"
#include "tests/unit/server/parsed_config.hpp"

namespace vitrine::server {
namespace {

class ConfigFile : public ::testing::Test {
protected:
    // The configuration of the words and of a file with this text; the error in its place.
    std::expected<Config, std::string> read(const std::string& text, std::vector<std::string> words = {})
    {
        std::ofstream(file_) << text;
        Config config;
        CLI::App app;
        declare_config(app, config);
        std::ranges::reverse(words); // CLI11 requires reverse order
        app.parse(words);
        if (auto applied = apply_config_file(app, file_); !applied) return std::unexpected(applied.error());
        return config;
    }

    std::string error_of(const std::string& text)
    {
        const auto config = read(text);
        if (config) return "no error";
        EXPECT_TRUE(config.error().starts_with(file_.native() + ":")) << config.error();
        return config.error().substr(file_.native().size() + 1);
    }

    const test::TempDir folder_;
    const std::filesystem::path file_ = folder_.path() / "vitrine.toml";
};

TEST_F(ConfigFile, SetsOptionsByTheirNames)
{
    const auto config = read("# a server\n"
                             "io-threads = 5\n"
                             "listen = [\"127.0.0.1:1\", \"unix:/run/v.sock\"]\n"
                             "gpu-memory = \"2G\"\n"
                             "samples = false\n"
                             "trusted-proxy = [\"loopback\", \"10.0.0.0/8\"]\n"
                             "answer-seconds = 7\n"
                             "host = \"a.example\"\n"
                             "render-process = \"never\"\n"
                             "[rate-limit]\n"
                             "reads = \"100/s\"\n"
                             "renders = \"600/m\"\n"
                             "[limit]\n"
                             "vertices = 1000\n");
    ASSERT_TRUE(config) << config.error();
    EXPECT_EQ(config->io_threads, 5u);
    EXPECT_EQ(config->listen, (std::vector<std::string>{"127.0.0.1:1", "unix:/run/v.sock"}));
    EXPECT_EQ(config->gpu_memory, 2ull << 30);
    EXPECT_FALSE(config->samples);
    EXPECT_EQ(config->trusted_proxies, (std::vector<std::string>{"loopback", "10.0.0.0/8"}));
    EXPECT_EQ(config->rate_limits, (std::vector<std::string>{"reads=100/s", "renders=600/m"}));
    EXPECT_EQ(config->handlers.answer_time, std::chrono::seconds(7));
    EXPECT_EQ(config->hosts, std::vector<std::string>{"a.example"});
    EXPECT_EQ(config->render_process, RenderProcess::never);
    EXPECT_EQ(config->loader.limits.vertices, 1000u);
}

TEST_F(ConfigFile, FlagsAndVariablesTakePrecedence)
{
    ::setenv("VITRINE_SCENE_THREADS", "9", 1); // NOLINT(concurrency-mt-unsafe)
    const auto config =
        read("io-threads = 5\nscene-threads = 5\nexport-threads = 5\n", {"--io-threads", "8"});
    ::unsetenv("VITRINE_SCENE_THREADS"); // NOLINT(concurrency-mt-unsafe)
    ASSERT_TRUE(config) << config.error();
    EXPECT_EQ(config->io_threads, 8u);
    EXPECT_EQ(config->scene_threads, 9u);
    EXPECT_EQ(config->export_threads, 5u);
    const auto open =
        read("samples = true\nlisten = [\"127.0.0.1:1\"]\n", {"--no-samples", "--listen", "127.0.0.1:2"});
    ASSERT_TRUE(open) << open.error();
    EXPECT_FALSE(open->samples);
    EXPECT_EQ(open->listen, std::vector<std::string>{"127.0.0.1:2"});
}

TEST_F(ConfigFile, SaysLineKeyAndReason)
{
    EXPECT_TRUE(error_of("\nio-thread = 5\n").starts_with("2: io-thread is no option of `vitrine serve`"));
    EXPECT_TRUE(error_of("no-samples = true\n").starts_with("1: no-samples is no option"));
    EXPECT_EQ(error_of("io-threads = 5\ntake-over-blobs = true\n"),
              "2: take-over-blobs belongs to the command line");
    EXPECT_EQ(error_of("config = \"other.toml\"\n"), "1: config belongs to the command line");
    EXPECT_TRUE(error_of("io-threads = 65\n").starts_with("1: io-threads ")) << error_of("io-threads = 65\n");
    EXPECT_TRUE(error_of("io-threads = 65\n").contains("65"));
    EXPECT_TRUE(error_of("io-threads = \"many\"\n").contains("many"));
    EXPECT_EQ(error_of("io-threads = [1, 2]\n"), "1: io-threads takes one value");
    EXPECT_EQ(error_of("samples = \"yes\"\n"), "1: samples must be true or false");
    EXPECT_TRUE(error_of("data = 2026-01-01\n").contains("must be a text"));
    EXPECT_TRUE(error_of("listen = [[\"a\"]]\n").contains("must be a text"));
    EXPECT_TRUE(error_of("a = 1\n\nio-threads 5\n").starts_with("3: "));
    EXPECT_TRUE(error_of("io-threads = 1\nio-threads = 2\n").starts_with("2: "));
    EXPECT_TRUE(error_of(std::string("data = \"\xff\"\n")).starts_with("1: "));
}

TEST_F(ConfigFile, SetsTheOptionsThatACommandSharesWithServe)
{
    std::ofstream(file_) << "data = \"/srv/models\"\nrole = \"worker\"\nio-threads = 5\n";
    CLI::App app;
    std::string data, role = "viewer";
    app.add_option("--data", data)->envname("VITRINE_DATA");
    app.add_option("--role", role); // of a token
    ASSERT_TRUE(apply_config_file(app, file_));
    EXPECT_EQ(data, "/srv/models");
    EXPECT_EQ(role, "viewer");
    std::ofstream(file_) << "data = \"/srv/models\"\nio-threads = 65\n";
    EXPECT_TRUE(apply_config_file(app, file_).error().contains(":2: io-threads ")) << "as `serve` says it";
}

TEST_F(ConfigFile, RejectsWhatIsNoSmallFile)
{
    CLI::App app;
    Config config;
    declare_config(app, config);
    EXPECT_TRUE(apply_config_file(app, {}));
    EXPECT_EQ(apply_config_file(app, "/nowhere.toml").error(), "/nowhere.toml: cannot be read");
    EXPECT_EQ(apply_config_file(app, folder_.path()).error(), folder_.path().native() + ": cannot be read");
    EXPECT_TRUE(read(std::string((1 << 20) + 1, '\n')).error().ends_with("is larger than 1 MiB"));
}

TEST_F(ConfigFile, EveryOptionOfServeIsAKey)
{
    ServeOptions options;
    options.parse({});
    int keys = 0;
    for (const auto* option : options.app.get_options()) {
        const auto name = option->get_lnames().front();
        if (name == "help" || name == "config" || name == "print-config" || name == "take-over-blobs")
            continue;
        std::ofstream(file_) << name << " = [[]]\n";
        const auto applied = apply_config_file(options.app, file_);
        ASSERT_FALSE(applied) << name;
        EXPECT_FALSE(applied.error().contains("is no option")) << name;
        ++keys;
    }
    EXPECT_GT(keys, 60);
}

} // namespace
} // namespace vitrine::server

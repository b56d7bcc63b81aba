// The configuration of `vitrine serve`: flags, and the output of --print-config.
#include "server/config.hpp"

#include <fstream>
#include <set>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "tests/support/temp_dir.hpp"
#include "tests/unit/server/parsed_config.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

json::value printed(const Config& config)
{
    return json::parse(print_config(config));
}

struct FlagRow {
    const char *flag, *value, *pointer; // into what print_config() prints
};

constexpr FlagRow numbers[] = {{"--io-threads", "3", "/threads/io"},
                               {"--catalog-threads", "5", "/threads/catalog"},
                               {"--scene-threads", "7", "/threads/scenes"},
                               {"--export-threads", "8", "/threads/exports"},
                               {"--upload-threads", "10", "/threads/uploads"},
                               {"--preview-threads", "9", "/threads/preview"},
                               {"--import-workers", "11", "/import/workers"},
                               {"--derived-mb", "21", "/storage/derivedMb"},
                               {"--scenes-mb", "22", "/storage/scenesMb"},
                               {"--upload-mb", "23", "/storage/uploadMb"},
                               {"--open-uploads", "41", "/storage/openUploads"},
                               {"--open-upload-mb", "42", "/storage/openUploadMb"},
                               {"--open-upload-seconds", "43", "/storage/openUploadSeconds"},
                               {"--posted-mb", "44", "/storage/postedMb"},
                               {"--quota-bytes", "45", "/storage/quotaBytes"},
                               {"--trash-days", "46", "/storage/trashDays"},
                               {"--min-free-mb", "24", "/storage/minFreeMb"},
                               {"--s3-deadline-seconds", "35", "/storage/s3DeadlineSeconds"},
                               {"--blob-cache-mb", "36", "/storage/blobCacheMb"},
                               {"--blob-grace-hours", "37", "/storage/blobGraceHours"},
                               {"--blob-redirect-seconds", "38", "/storage/blobRedirectSeconds"},
                               {"--response-memory-mb", "25", "/net/responseMemoryMb"},
                               {"--response-disk-mb", "26", "/net/responseDiskMb"},
                               {"--answer-cache-mb", "27", "/net/answerCacheMb"},
                               {"--gpu-memory", "4096", "/render/gpuMemory"},
                               {"--texture-side", "25", "/render/textureSide"},
                               {"--submit-seconds", "13", "/render/submitSeconds"},
                               {"--device-losses", "14", "/render/deviceLosses"},
                               {"--connections", "31", "/net/connections"},
                               {"--connections-per-address", "30", "/net/connectionsPerAddress"},
                               {"--requests", "32", "/net/requests"},
                               {"--handshakes", "38", "/net/handshakes"},
                               {"--handshake-seconds", "39", "/net/handshakeSeconds"},
                               {"--hsts-seconds", "40", "/net/hstsSeconds"},
                               {"--idle-seconds", "33", "/net/idleSeconds"},
                               {"--header-seconds", "34", "/net/headerSeconds"},
                               {"--body-seconds", "35", "/net/bodySeconds"},
                               {"--stop-seconds", "36", "/net/stopSeconds"},
                               {"--answer-seconds", "38", "/net/answerSeconds"},
                               {"--webhook-attempts", "7", "/webhooks/attempts"},
                               {"--library-poll-seconds", "43", "/libraries/pollSeconds"},
                               {"--webhook-retry-seconds", "42", "/webhooks/retrySeconds"},
                               {"--viewers", "37", "/preview/viewers"},
                               {"--preview-side", "100", "/preview/side"},
                               {"--load-seconds", "41", "/import/loadSeconds"},
                               {"--load-memory-mb", "4200", "/import/loadMemoryMb"}};

TEST(Config, EachNumberSetsWhatIsPrinted)
{
    for (const auto& [flag, value, pointer] : numbers)
        EXPECT_EQ(printed(parsed_config({flag, value})).at_pointer(pointer).to_number<std::uint64_t>(),
                  std::stoull(value))
            << flag;
}

TEST(Config, EachTextSetsWhatIsPrinted)
{
    const FlagRow texts[] = {{"--role", "worker", "/role"},
                             {"--advertise", "http://a:1", "/advertise"},
                             {"--listen", "127.0.0.1:99", "/listen"},
                             {"--listen", "127.0.0.1:99,unix:/run/v.sock", "/listen"},
                             {"--socket-mode", "0600", "/socketMode"},
                             {"--tls-cert", "/etc/v.pem", "/tls/cert"},
                             {"--tls-key", "/etc/v.key", "/tls/key"},
                             {"--link-secret-file", "/run/secret", "/net/linkSecretFile"},
                             {"--link-ca", "/etc/ca.pem", "/net/linkCa"},
                             {"--data", "/srv/v", "/data"},
                             {"--gpu", "software", "/gpu"},
                             {"--web", "/srv/web", "/web"},
                             {"--log", "warn", "/log"},
                             {"--blobs", "s3://a/b", "/storage/blobs"},
                             {"--s3-endpoint", "http://c:9", "/storage/s3Endpoint"},
                             {"--s3-region", "d", "/storage/s3Region"},
                             {"--s3-addressing", "host", "/storage/s3Addressing"},
                             {"--s3-ca", "/etc/s3.pem", "/storage/s3Ca"},
                             {"--render-process", "always", "/render/process"},
                             {"--host", "a.example", "/hosts/0"},
                             {"--origin", "https://b.example", "/origins/0"}};
    for (const auto& [flag, value, pointer] : texts)
        EXPECT_EQ(printed(parsed_config({flag, value})).at_pointer(pointer).as_string(), value) << flag;
    EXPECT_EQ(printed(parsed_config({})).at_pointer("/render/process").as_string(), "auto");
    EXPECT_TRUE(printed(parsed_config({})).at("samples").as_bool());
    EXPECT_FALSE(printed(parsed_config({"--no-samples"})).at("samples").as_bool());
    EXPECT_EQ(printed(parsed_config({})).at("token").as_string(), "data directory");
    EXPECT_EQ(printed(parsed_config({"--token", "s"})).at("token").as_string(), "set");
    EXPECT_EQ(printed(parsed_config({"--open"})).at("token").as_string(), "none");
    EXPECT_EQ(printed(parsed_config({})).at_pointer("/net/addressRateLimits/reads").as_string(), "6000/m");
}

struct NumberRange {
    const char* flag;
    std::uint64_t min, max;
};

constexpr NumberRange number_ranges[] = {{"--io-threads", 1, 64},
                                         {"--catalog-threads", 1, 256},
                                         {"--scene-threads", 1, 256},
                                         {"--export-threads", 1, 256},
                                         {"--upload-threads", 1, 256},
                                         {"--preview-threads", 1, 256},
                                         {"--import-workers", 1, 64},
                                         {"--derived-mb", 16, 1'000'000'000},
                                         {"--scenes-mb", 16, 1'000'000},
                                         {"--upload-mb", 1, 10'000'000},
                                         {"--open-uploads", 0, 1'000'000},
                                         {"--open-upload-mb", 0, 1'000'000'000},
                                         {"--open-upload-seconds", 1, 31'622'400},
                                         {"--posted-mb", 1, 1'000'000},
                                         {"--quota-bytes", 0, 1'000'000'000'000'000'000},
                                         {"--trash-days", 0, 36'500},
                                         {"--min-free-mb", 0, 1'000'000'000},
                                         {"--s3-deadline-seconds", 1, 600},
                                         {"--blob-cache-mb", 16, 1'000'000'000},
                                         {"--blob-grace-hours", 6, 10'000},
                                         {"--blob-redirect-seconds", 0, 604'800},
                                         {"--texture-side", 0, 65536},
                                         {"--submit-seconds", 1, 25},
                                         {"--device-losses", 0, 1'000'000},
                                         {"--connections", 1, 1'000'000},
                                         {"--connections-per-address", 1, 1'000'000},
                                         {"--requests", 1, 1'000'000},
                                         {"--handshakes", 1, 1'000'000},
                                         {"--handshake-seconds", 1, 3600},
                                         {"--hsts-seconds", 0, 315'360'000},
                                         {"--viewers", 1, 100'000},
                                         {"--preview-side", 64, 4096},
                                         {"--idle-seconds", 1, 3600},
                                         {"--header-seconds", 1, 3600},
                                         {"--body-seconds", 1, 3600},
                                         {"--answer-seconds", 1, 3600},
                                         {"--stop-seconds", 1, 3600}};

TEST(Config, EachNumberHasARange)
{
    ServeOptions app;
    for (const auto& [flag, min, max] : number_ranges) {
        EXPECT_NO_THROW(app.parse({flag, std::to_string(min)})) << flag;
        EXPECT_NO_THROW(app.parse({flag, std::to_string(max)})) << flag;
        EXPECT_THROW(app.parse({flag, min > 0 ? std::to_string(min - 1) : "-1"}), CLI::ParseError) << flag;
        EXPECT_THROW(app.parse({flag, std::to_string(max + 1)}), CLI::ParseError) << flag;
    }
}

TEST(Config, TokenIsNotPrinted)
{
    const auto text = print_config(parsed_config({"--token", "open-sesame"}));
    EXPECT_EQ(json::parse(text).at("token").as_string(), "set");
    EXPECT_EQ(text.find("sesame"), std::string::npos);
}

TEST(Config, OpenIsForLoopbackAddresses)
{
    const test::TempDir folder;
    auto config = parsed_config(
        {"--listen", "0.0.0.0:0", "--gpu", "software", "--open", "--data", folder.path().string()});
    EXPECT_FALSE(finish_config(config));
    config.open = false;
    EXPECT_TRUE(finish_config(config));
    EXPECT_FALSE(config.token.empty()) << "made in the data directory";
    config.token = "secret";
    config.open = true;
    config.listen = {"127.0.0.1:0"};
    EXPECT_FALSE(finish_config(config)) << "a token that nobody would need";
    config.token.clear();
    EXPECT_TRUE(finish_config(config));
    EXPECT_EQ(config.token, "");
    config.listen = {"nonsense"};
    EXPECT_FALSE(finish_config(config));
}

TEST(Config, ListensOnSeveralAddresses)
{
    const auto endpoints = finish_listening(
        parsed_config({"--listen", "[::1]:1", "--listen", "unix:/run/v.sock", "--socket-mode", "0600"}));
    ASSERT_TRUE(endpoints);
    ASSERT_EQ(endpoints->size(), 2u);
    EXPECT_EQ(endpoints->front().url(), "http://[::1]:1");
    EXPECT_EQ(endpoints->back().url(), "unix:/run/v.sock");
    EXPECT_EQ(endpoints->back().socket_mode, 0600u);
    for (const char* mode : {"", "9", "0o600", "01000", "-1", "0660 "})
        EXPECT_FALSE(finish_listening(parsed_config({"--socket-mode", mode}))) << mode;
    EXPECT_FALSE(finish_listening(parsed_config({"--hsts-seconds", "9"}))) << "without TLS";
    EXPECT_FALSE(
        finish_listening(parsed_config({"--tls-cert", "/x", "--tls-key", "/x", "--listen", "unix:/y"})));
}

// What is wrong with the role; empty if nothing is.
std::string wrong_role_of(const std::vector<std::string>& words)
{
    const auto config = parsed_config(words);
    return wrong_role(config, finish_listening(config).value());
}

TEST(Config, RolesNeedWhatProcessesShare)
{
    const std::string catalog = "postgres://v@db/v", blobs = "s3://bucket", token = "sesame-sesame-sesame";
    EXPECT_EQ(wrong_role_of({}), "");
    EXPECT_THROW(parsed_config({"--role", "master"}), CLI::ParseError);
    for (const std::string role : {"api", "worker"}) {
        EXPECT_TRUE(wrong_role_of({"--role", role}).contains("--database postgres"));
        EXPECT_TRUE(wrong_role_of({"--role", role, "--blobs", blobs}).contains("--database postgres"));
        EXPECT_TRUE(wrong_role_of({"--role", role, "--database", catalog}).contains("--blobs s3"));
        EXPECT_TRUE(
            wrong_role_of({"--role", role, "--database", catalog, "--blobs", blobs}).contains("--token"));
        EXPECT_EQ(wrong_role_of({"--role", role, "--database", catalog, "--blobs", blobs, "--token", token}),
                  "");
    }
    const std::vector<std::string> hidden{"--role", "worker",  "--database", catalog,    "--blobs",
                                          blobs,    "--token", token,        "--listen", "unix:/x"};
    EXPECT_TRUE(wrong_role_of(hidden).contains("--advertise"));
}

TEST(Config, AdvertisesAnAddressThatOthersReach)
{
    for (const char* good :
         {"http://a:1", "https://a.example:8443", "http://[::1]:80", "http://10.0.0.1:65535"}) {
        EXPECT_EQ(wrong_role_of({"--advertise", good}), "") << good;
        EXPECT_EQ(advertised_address(parsed_config({"--advertise", good}), {}), good);
    }
    for (const char* bad : {"a:1", "http://a", "http://:1", "http://a:0", "http://a:1/x", "http://a b:1",
                            "ftp://a:1", "http://unix:/x", "http://a:70000", "http://a\n:1"})
        EXPECT_NE(wrong_role_of({"--advertise", bad}), "") << bad;
    const auto config = parsed_config({});
    const std::vector<Endpoint> unix_first{{.host = "", .socket_path = "/x"},
                                           {.host = "127.0.0.1", .port = 9}};
    EXPECT_EQ(advertised_address(config, unix_first), "http://127.0.0.1:9");
    const auto all = advertised_address(config, std::vector<Endpoint>{{.host = "0.0.0.0", .port = 9}});
    EXPECT_TRUE(all.starts_with("http://") && all.ends_with(":9") && !all.contains("0.0.0.0")) << all;
    EXPECT_EQ(advertised_address(config, std::vector<Endpoint>{{.host = "", .socket_path = "/x"}}),
              "unix:/x");
}

TEST(Config, OpenTakesLocalAddressesOnly)
{
    auto config = parsed_config({"--listen", "127.0.0.1:0,unix:/run/v.sock", "--gpu", "software", "--open"});
    EXPECT_TRUE(finish_config(config));
    config.listen.emplace_back("0.0.0.0:0");
    const auto wrong = finish_config(config);
    ASSERT_FALSE(wrong);
    EXPECT_TRUE(wrong.error().contains("0.0.0.0")) << wrong.error();
}

TEST(Config, SecretOfLinksIsThatOfTheFileOrTheToken)
{
    auto config = parsed_config({"--token", "the token"});
    EXPECT_EQ(finish_links(config), "");
    EXPECT_EQ(config.link_secret, "the token");
    config = parsed_config({"--open"});
    EXPECT_EQ(finish_links(config), "");
    EXPECT_EQ(config.link_secret, "");
    const test::TempDir folder;
    const auto file = folder.path() / "secret";
    config = parsed_config({"--link-secret-file", file.string(), "--token", "the token"});
    EXPECT_TRUE(finish_links(config).contains("cannot be read"));
    std::ofstream(file) << "sixteen letters!\r\nand more\n";
    EXPECT_EQ(finish_links(config), "");
    EXPECT_EQ(config.link_secret, "sixteen letters!");
    for (const std::string& secret :
         {std::string("\n"), std::string("fifteen letters"), std::string(1025, 'x')}) {
        std::ofstream(file) << secret;
        EXPECT_TRUE(finish_links(config).contains("16 to 1024 characters")) << secret.size();
    }
}

TEST(Config, ConvertsMegabytesToLimits)
{
    auto config = parsed_config({"--upload-mb", "3", "--min-free-mb", "5", "--gpu", "software", "--open"});
    ASSERT_TRUE(finish_config(config));
    EXPECT_EQ(config.handlers.max_upload_bytes, 3u << 20);
    EXPECT_EQ(config.handlers.min_free_bytes, 5u << 20);
}

} // namespace
} // namespace vitrine::server

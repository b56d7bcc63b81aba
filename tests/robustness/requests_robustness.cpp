// What the server reads from clients and from its child processes: the fuzz targets (tests/fuzz) with their
// seeds shortened and scrambled. A target aborts when its condition does not hold.

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/fuzz/server_seeds.hpp"
#include "tests/robustness/hostile.hpp"

using FuzzTarget = int(const std::uint8_t*, std::size_t);
// LLVMFuzzerTestOneInput of the files of these names (server.cmake renames it).
extern "C" FuzzTarget fuzz_cursor, fuzz_headers, fuzz_json_body, fuzz_layers, fuzz_link, fuzz_multipart,
    fuzz_preview, fuzz_profile, fuzz_protocol, fuzz_range, fuzz_render_messages, fuzz_request,
    fuzz_s3_answers, fuzz_url;

using namespace vitrine::test;

namespace {

const std::map<std::string, FuzzTarget*> targets{
    {"cursor", fuzz_cursor},
    {"headers", fuzz_headers},
    {"layers", fuzz_layers},
    {"json_body", fuzz_json_body},
    {"link", fuzz_link},
    {"multipart", fuzz_multipart},
    {"preview", fuzz_preview},
    {"profile", fuzz_profile},
    {"protocol", fuzz_protocol},
    {"range", fuzz_range},
    {"render_messages", fuzz_render_messages},
    {"request", fuzz_request},
    {"s3_answers", fuzz_s3_answers},
    {"url", fuzz_url},
};

std::map<std::string, std::vector<std::string>> seeds_by_target()
{
    std::map<std::string, std::vector<std::string>> seeds;
    add_server_seeds(
        [&](const std::string& target, std::string_view bytes) { seeds[target].emplace_back(bytes); });
    return seeds;
}

class RobustRequests : public testing::TestWithParam<std::string> {};

} // namespace

TEST_P(RobustRequests, SeedsShortenedAndScrambled)
{
    const auto run = [target = targets.at(GetParam())](const std::string& input) {
        EXPECT_EQ(target(reinterpret_cast<const std::uint8_t*>(input.data()), input.size()), 0);
    };
    const auto seeds = seeds_by_target().at(GetParam());
    ASSERT_FALSE(seeds.empty());
    for (const auto& seed : seeds) {
        run(seed);
        cut_everywhere(seed, run);
        scramble(seed, 500, run);
    }
}

TEST(RobustRequests, EveryTargetOfTheSeedsRuns)
{
    for (const auto& [target, seeds] : seeds_by_target())
        EXPECT_TRUE(targets.contains(target)) << target;
}

INSTANTIATE_TEST_SUITE_P(Targets, RobustRequests,
                         testing::Values("cursor", "headers", "json_body", "layers", "link", "multipart",
                                         "preview", "profile", "protocol", "range", "render_messages",
                                         "request", "s3_answers", "url"),
                         [](const auto& param) { return param.param; });

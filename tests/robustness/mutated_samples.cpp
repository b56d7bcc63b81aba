// The whole sample library with bytes changed, and under limits that it passes. Few enough for the
// sanitizers; VITRINE_ROUNDS for more.

#include <algorithm>
#include <array>
#include <random>

#include "loaders/io/limits.hpp"
#include "tests/robustness/damaged_samples.hpp"
#include "tests/robustness/rounds.hpp"
#include "tests/support/sample_files.hpp"

using namespace vitrine;

namespace {

// One to six bytes, half of them near the beginning, where headers are. Text stays mostly text.
std::vector<std::byte> change(Bytes whole, std::mt19937& random)
{
    std::vector<std::byte> changed(whole.begin(), whole.end());
    for (std::size_t i = 0, count = 1 + random() % 6; i < count; ++i) {
        const std::size_t range =
            random() % 2 == 0 ? std::min<std::size_t>(changed.size(), 512) : changed.size();
        std::byte& byte = changed[random() % range];
        constexpr std::array<char, 8> representative{'\0', '\xFF', '\x7F', '9', '-', '"', '<', '\n'};
        byte = random() % 2 == 0 ? byte ^ static_cast<std::byte>(1u << random() % 8)
                                 : static_cast<std::byte>(representative[random() % representative.size()]);
    }
    return changed;
}

void change_file(test::DamagedSource& source, const std::string& name, int times)
{
    std::mt19937 random(7);
    if (source.whole(name).empty()) return;
    for (int round = 0; round < times; ++round) {
        const auto bytes = change(source.whole(name), random);
        source.replace(name, bytes);
        test::expect_sane(test::load(source, {}), name + " changed, round " + std::to_string(round));
    }
    source.replace("", {});
}

// Two in the routine run, more in a soak.
std::vector<int> small_numbers()
{
    if (!test::is_soak()) return {0, 100};
    return {0, 1, 3, 10, 40, 100, 300, 1000};
}

class DamagedSample : public testing::TestWithParam<samples::Sample> {};

} // namespace

TEST_P(DamagedSample, WithBytesChanged)
{
    for (const auto& sample : test::formats_of(GetParam())) {
        test::DamagedSource bare(sample, false), whole(sample, true);
        for (const std::string& name : whole.names())
            change_file(test::is_image_name(name) ? whole : bare, name,
                        test::rounds(test::is_image_name(name) ? 1 : 5));
    }
}

// The sample is right, so the limit is the only reason to reject it. Its pictures are decoded for the limits
// that could be theirs.
TEST_P(DamagedSample, UnderSmallLimits)
{
    constexpr std::array<std::string_view, 5> of_pictures{"file_bytes", "total_bytes", "images",
                                                          "image_pixels", "total_pixels"};
    for (const auto& sample : test::formats_of(GetParam())) {
        test::DamagedSource bare(sample, false), whole(sample, true);
        for (const auto& limit : io::named_limits()) {
            const bool pictures = std::ranges::find(of_pictures, limit.name) != of_pictures.end();
            for (const int number : small_numbers()) {
                Limits limits;
                const std::string text = std::string(limit.name) + "=" + std::to_string(number);
                ASSERT_EQ(io::set_limit(limits, text), "");
                const auto loaded = test::load(pictures ? whole : bare, limits);
                test::expect_sane(loaded, sample.main_name + " " + text);
                if (loaded) break; // larger numbers permit no less
                EXPECT_EQ(loaded.error().code, LoadErrc::limit_exceeded)
                    << sample.main_name << " " << text << ": " << loaded.error().detail;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, DamagedSample, testing::ValuesIn(samples::all_samples()),
                         [](const auto& sample) { return sample.param.name; });

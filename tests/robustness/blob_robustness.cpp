// Blobs cross a process boundary: whatever a broken or hostile loader process sends, decode_blob_in_place()
// and validate() answer with a scene or an error. Run under the asan preset to prove more than "did not
// crash".

#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/robustness/rounds.hpp"
#include "tests/support/blob.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

constexpr std::size_t header_bytes = 24, size_at = 16;

// Makes the declared size true again, so that the damage reaches the reader of the fields.
void repair(std::vector<std::byte>& blob)
{
    if (blob.size() < header_bytes) return;
    const std::uint64_t size = blob.size();
    std::memcpy(blob.data() + size_at, &size, sizeof size);
}

struct Tally {
    int rejected = 0;
    int invalid = 0;
    int accepted = 0;
};

// Calls every function that relies on validate().
void use(const Scene& scene)
{
    const JointBoxes boxes = joint_boxes(scene);
    Pose pose;
    static_pose(scene, pose);
    (void)pose_bounds(scene, pose);
    for (std::uint32_t clip = 0; clip < scene.clips.size(); ++clip) {
        sample_pose(scene, clip, 0.3, pose);
        (void)pose_bounds(scene, pose);
        (void)conservative_bounds(scene, boxes, pose);
        (void)sample_times(scene.clips[clip]);
    }
}

void try_blob(std::span<const std::byte> blob, Tally& tally)
{
    const auto scene = test::decode_blob(blob);
    if (!scene) {
        EXPECT_FALSE(scene.error().detail.empty());
        ++tally.rejected;
    } else if (!validate(*scene)) {
        ++tally.invalid;
    } else {
        ++tally.accepted;
        use(*scene);
    }
}

std::vector<std::byte> seed_blob(std::uint32_t seed)
{
    return test::encode_blob(seed == 0 ? test::everything() : test::random_scene(seed));
}

// Every length up to 4 kB, then 500 spread over the rest.
std::vector<std::size_t> lengths(std::size_t size)
{
    std::vector<std::size_t> out;
    const std::size_t step = std::max<std::size_t>(1, size / 500);
    for (std::size_t i = 0; i < size; i += i < 4096 ? 1 : step)
        out.push_back(i);
    return out;
}

TEST(BlobRobustness, TruncationsAreRejected)
{
    for (const std::uint32_t seed : {0u, 1u}) {
        const std::vector<std::byte> blob = seed_blob(seed);
        for (const std::size_t length : lengths(blob.size())) {
            const auto result = test::decode_blob(std::span(blob).first(length));
            ASSERT_FALSE(result.has_value()) << length;
            EXPECT_EQ(result.error().code, LoadErrc::truncated);
        }
    }
}

TEST(BlobRobustness, RepairedTruncationsAreRejected)
{
    for (const std::uint32_t seed : {0u, 1u}) {
        const std::vector<std::byte> blob = seed_blob(seed);
        for (const std::size_t length : lengths(blob.size())) {
            std::vector<std::byte> cut(blob.begin(), blob.begin() + static_cast<std::ptrdiff_t>(length));
            repair(cut);
            ASSERT_FALSE(test::decode_blob(cut).has_value()) << length;
        }
    }
}

TEST(BlobRobustness, FlipsInTheHeaderAreRejected)
{
    std::vector<std::byte> blob = seed_blob(1);
    for (std::size_t bit = 0; bit < 8 * header_bytes; ++bit) {
        blob[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
        ASSERT_FALSE(test::decode_blob(blob).has_value()) << bit;
        blob[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    }
    EXPECT_TRUE(test::decode_blob(blob).has_value());
}

// One to eight bits or bytes anywhere behind the header.
TEST(BlobRobustness, FlipsNeverCrash)
{
    std::mt19937 random(2);
    Tally tally;
    for (int i = 0, count = test::rounds(20'000); i < count; ++i) {
        std::vector<std::byte> damaged = seed_blob(0);
        const std::size_t flips = 1 + random() % 8;
        for (std::size_t f = 0; f < flips; ++f) {
            std::byte& at = damaged[header_bytes + random() % (damaged.size() - header_bytes)];
            at = random() % 2 ? at ^ static_cast<std::byte>(1u << random() % 8)
                              : static_cast<std::byte>(random());
        }
        try_blob(damaged, tally);
    }
    EXPECT_GT(tally.rejected, 100);
    EXPECT_GT(tally.invalid, 100);
    EXPECT_GT(tally.accepted, 100);
    RecordProperty("rejected", tally.rejected);
    RecordProperty("invalid", tally.invalid);
    RecordProperty("accepted", tally.accepted);
}

// Counts and indices are 4 or 8 bytes wide: the extremes, at every aligned place.
TEST(BlobRobustness, ExtremeNumbersAtEveryPlace)
{
    const std::vector<std::byte> blob = seed_blob(0);
    Tally tally;
    for (const std::uint64_t number :
         {0ull, 1ull, 0x7Full, 0x7FFFFFFFull, 0xFFFFFFFFull, 0x1000000000000000ull, ~0ull}) {
        for (std::size_t at = header_bytes; at + 8 <= blob.size(); ++at) {
            for (const std::size_t width : {4u, 8u}) {
                std::vector<std::byte> damaged = blob;
                std::memcpy(damaged.data() + at, &number, width);
                try_blob(damaged, tally);
            }
        }
    }
    EXPECT_GT(tally.rejected, 1000);
    EXPECT_GT(tally.accepted, 1000);
}

TEST(BlobRobustness, NoiseBehindAGoodHeader)
{
    std::mt19937 random(3);
    Tally tally;
    for (int i = 0, count = test::rounds(5000); i < count; ++i) {
        std::vector<std::byte> noise = seed_blob(0);
        noise.resize(header_bytes + random() % 3000);
        // Mostly zeros: counts stay small and the decoder gets further.
        for (std::size_t b = header_bytes; b < noise.size(); ++b)
            noise[b] = random() % 4 ? std::byte{0} : static_cast<std::byte>(random() % 5);
        repair(noise);
        try_blob(noise, tally);
    }
    EXPECT_GT(tally.rejected, 1000);
}

} // namespace
} // namespace vitrine::scene

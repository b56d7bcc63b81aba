#include "server/routing/response_budget.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <prometheus/registry.h>

namespace vitrine::server {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t mib = 1 << 20;

class ResponseBudgetTest : public testing::Test {
protected:
    ResponseBudget budget(ResponseBudget::Limits limits)
    {
        return {folder_.path() / "tmp", limits, registry_};
    }

    static Response with_text(std::size_t size)
    {
        return text_response(200, "text/plain", std::string(size, 'x'));
    }
    // Returns the content of a body in memory or in a file.
    static std::string content(const Response& response)
    {
        if (const auto* text = std::get_if<std::string>(&response.body)) return *text;
        const auto& slice = std::get<FileSlice>(response.body);
        const auto bytes = slice.file->read(slice.offset, slice.length, "test");
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    static bool is_file(const Response& response) { return std::holds_alternative<FileSlice>(response.body); }

    TemporaryFolder folder_{fs::temp_directory_path()};
    prometheus::Registry registry_;
};

} // namespace

TEST_F(ResponseBudgetTest, KeepsBodiesInMemoryWhileItHasRoom)
{
    auto responses = budget({.memory_bytes = 3 * mib, .disk_bytes = 64 * mib});
    std::vector<Response> held;
    for (int i = 0; i < 4; ++i) {
        held.push_back(with_text(mib));
        responses.hold(held.back());
        EXPECT_EQ(is_file(held.back()), i == 3) << i;
        EXPECT_TRUE(content(held.back()) == std::string(mib, 'x'));
    }
    held.erase(held.begin());
    held.push_back(with_text(mib));
    responses.hold(held.back());
    EXPECT_FALSE(is_file(held.back())) << "the memory of a destroyed response is free again";
}

TEST_F(ResponseBudgetTest, MovesLargeBodiesToFilesWithoutAName)
{
    auto responses = budget({.memory_bytes = 64 * mib, .disk_bytes = 64 * mib});
    auto text = with_text(4 * mib + 1);
    responses.hold(text);
    EXPECT_TRUE(is_file(text));
    EXPECT_TRUE(content(text) == std::string(4 * mib + 1, 'x'));
    EXPECT_EQ(body_length(text.body), 4 * mib + 1);
    auto bytes = bytes_response("model/gltf-binary", std::make_shared<std::vector<std::byte>>(5 * mib));
    responses.hold(bytes);
    EXPECT_TRUE(is_file(bytes));
    EXPECT_TRUE(content(bytes) == std::string(5 * mib, '\0'));
    EXPECT_TRUE(fs::is_empty(folder_.path() / "tmp"));
}

TEST_F(ResponseBudgetTest, RejectsWhatNeitherMemoryNorDiskHasRoomFor)
{
    auto responses = budget({.memory_bytes = mib, .disk_bytes = 10 * mib});
    std::vector<Response> held;
    for (int i = 0; i < 3; ++i)
        responses.hold(held.emplace_back(with_text(i == 0 ? mib : 5 * mib)));
    auto rejected = with_text(mib);
    EXPECT_THROW(responses.hold(rejected), ResponsesFull);
    auto small = with_text(64 * 1024); // not counted
    EXPECT_NO_THROW(responses.hold(small));
    held.pop_back();
    EXPECT_NO_THROW(responses.hold(rejected));
}

TEST_F(ResponseBudgetTest, WritesPiecesInOrder)
{
    auto responses = budget({.memory_bytes = 8 * mib, .disk_bytes = 64 * mib});
    for (const std::size_t pieces : {0u, 1u, 10u, 3'000u, 9'000u}) {
        std::string expected;
        BodyWriter writer(responses);
        for (std::size_t i = 0; i < pieces; ++i) {
            const std::string piece(i % 3 == 2 ? 300'000 / (1 + i % 7) % 2'000 : i % 1'000,
                                    static_cast<char>('a' + i % 26));
            writer.write(piece);
            expected += piece;
        }
        Response response;
        writer.finish(response);
        EXPECT_EQ(is_file(response), expected.size() > 4 * mib);
        EXPECT_TRUE(content(response) == expected) << pieces;
    }
}

TEST_F(ResponseBudgetTest, UsesMemoryWithoutAUsableDisk)
{
    ResponseBudget responses("/proc/nowhere", {.memory_bytes = 8 * mib, .disk_bytes = 64 * mib}, registry_);
    auto first = with_text(6 * mib);
    responses.hold(first);
    EXPECT_FALSE(is_file(first));
    auto second = with_text(6 * mib);
    EXPECT_THROW(responses.hold(second), ResponsesFull);
}

} // namespace vitrine::server

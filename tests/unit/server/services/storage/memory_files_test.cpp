// Files of one request in memory.
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <gtest/gtest.h>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>
#include <unistd.h>

#include "server/services/storage/memory_files.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

class MemoryFilesTest : public ::testing::Test {
protected:
    static void write(BlobWriter& writer, const std::string& text)
    {
        writer.write(std::as_bytes(std::span(text)));
    }
    BlobRef put(MemoryFiles& files, const std::string& text)
    {
        const auto writer = files.create();
        write(*writer, text);
        return writer->commit();
    }
    static std::string content(int descriptor)
    {
        std::string text(100, ' ');
        const auto got = ::pread(descriptor, text.data(), text.size(), 0);
        return text.substr(0, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    }

    prometheus::Gauge taken;
    std::shared_ptr<ByteBudget> budget = std::make_shared<ByteBudget>(100, taken);
};

TEST_F(MemoryFilesTest, HaveTheirBytesAndHashWhileTheyArePinned)
{
    auto files = std::make_unique<MemoryFiles>(budget, 100);
    auto writer = files->create();
    write(*writer, "some ");
    write(*writer, "text");
    EXPECT_EQ(writer->size_bytes(), 9u);
    auto file = writer->commit();
    writer.reset();
    EXPECT_EQ(file.hash, sha256_hex("some text"));
    EXPECT_EQ(file.size_bytes, 9u);
    EXPECT_EQ(content(file.descriptor), "some text");
    files.reset();
    EXPECT_EQ(content(file.descriptor), "some text") << "the pin keeps it";
    EXPECT_EQ(taken.Value(), 9.0);
    EXPECT_EQ(::write(file.descriptor, "x", 1), -1) << "nobody changes it";
    file.pin.reset();
    EXPECT_EQ(taken.Value(), 0.0);
}

TEST_F(MemoryFilesTest, AllRequestsShareTheLimit)
{
    MemoryFiles first(budget, 100), second(budget, 100);
    const auto kept = put(first, std::string(60, 'a'));
    const auto full = [&](MemoryFiles& files, std::size_t bytes) -> std::optional<bool> {
        try {
            put(files, std::string(bytes, 'b'));
        } catch (const MemoryFull& error) {
            return error.is_too_large();
        }
        return std::nullopt;
    };
    EXPECT_EQ(full(second, 41), std::optional(false)) << "there is room later";
    EXPECT_EQ(full(second, 101), std::optional(true)) << "there never is";
    EXPECT_EQ(full(first, 41), std::optional(true)) << "with its other file";
    EXPECT_EQ(full(second, 40), std::nullopt);
}

TEST_F(MemoryFilesTest, ABodyTakesItsRoomBeforeItArrives)
{
    MemoryFiles first(budget, 100);
    {
        MemoryFiles second(budget, 100);
        second.reserve(80);
        EXPECT_THROW(first.reserve(21), MemoryFull);
        const auto file = put(second, std::string(70, 'a'));
        EXPECT_EQ(taken.Value(), 80.0) << "once";
    }
    EXPECT_EQ(taken.Value(), 0.0);
    EXPECT_NO_THROW(first.reserve(100));
}

} // namespace
} // namespace vitrine::server

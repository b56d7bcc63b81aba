// Requests against a real object store.

#include <future>

#include "server/services/s3/s3_client.hpp"
#include "server/util/sha256.hpp"
#include "tests/integration/http_support.hpp"
#include "tests/integration/s3/object_store.hpp"

namespace vitrine::test {
namespace {

using server::S3Client;
using server::StorageError;

class S3ClientTest : public ObjectStoreTest {
protected:
    std::unique_ptr<S3Client> make_client(const std::string& prefix)
    {
        return std::make_unique<S3Client>(store->options(prefix), registry);
    }

    static std::string text_of(S3Client& client, const std::string& key)
    {
        std::string text;
        const bool found = client.get(key, [&](std::span<const std::byte> bytes) {
            text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        });
        return found ? text : "missing";
    }

    // Returns the message of the exception.
    template <class Work>
    static std::string unavailable(Work work)
    {
        try {
            work();
        } catch (const StorageError& error) {
            EXPECT_EQ(error.kind, StorageError::Kind::unavailable) << error.what();
            return error.what();
        }
        ADD_FAILURE() << "it succeeded";
        return {};
    }

    // A file of `size` bytes that differ by their place.
    std::filesystem::path write_file(std::size_t size, std::string& hash)
    {
        std::string text(size, '\0');
        for (std::size_t i = 0; i < size; i += 97)
            text[i] = static_cast<char>(i >> 8);
        hash = server::sha256_hex(text);
        return folder.write("large", text);
    }

    prometheus::Registry registry;
};

TEST_F(S3ClientTest, RangesOfObjectsAreRead)
{
    constexpr std::size_t size = 33u << 20; // sent in parts
    std::string hash;
    const auto file = write_file(size, hash);
    const auto client = make_client("ranges");
    client->put_file("large", file, hash);
    client->put_text("small", "content");
    const auto range_of = [&](const std::string& key, std::uint64_t offset, std::uint64_t length) {
        std::string text;
        EXPECT_TRUE(client->get_range(
            key, {offset, length, client->find(key)->etag}, [&](std::span<const std::byte> bytes) {
                text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
            }));
        return text;
    };
    const auto whole = text_of(*client, "large");
    ASSERT_EQ(whole.size(), size);
    for (const auto& [offset, length] : std::vector<std::pair<std::size_t, std::size_t>>{
             {0, 1}, {size - 1, 1}, {(16u << 20) - 100, 200}, {1000, 5u << 20}})
        EXPECT_EQ(range_of("large", offset, length), whole.substr(offset, length)) << offset;
    EXPECT_EQ(range_of("small", 2, 3), "nte");
    const auto ignore = [](std::span<const std::byte>) {};
    EXPECT_FALSE(client->get_range("missing", {0, 1, "\"x\""}, ignore));
    unavailable([&] { client->get_range("small", {0, 1, "\"of another state\""}, ignore); });
    unavailable([&] { client->get_range("small", {100, 1, client->find("small")->etag}, ignore); });
}

TEST_F(S3ClientTest, ObjectsAreStoredFoundReadAndRemoved)
{
    const auto client = make_client("client/plain");
    const auto file = folder.write("small", "content");
    client->put_file("a(b)/c", file, server::sha256_hex("content"));
    const auto found = client->find("a(b)/c");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->size_bytes, 7u);
    EXPECT_LT(found->age, std::chrono::minutes(10));
    EXPECT_EQ(text_of(*client, "a(b)/c"), "content");
    client->put_text("empty", "");
    EXPECT_EQ(text_of(*client, "empty"), "");
    client->remove("a(b)/c");
    EXPECT_FALSE(client->find("a(b)/c"));
    EXPECT_EQ(text_of(*client, "a(b)/c"), "missing");
    EXPECT_NO_THROW(client->remove("a(b)/c")) << "a repetition of a removal";
}

// The store compares what arrives with the hash that is signed.
TEST_F(S3ClientTest, OtherBytesThanTheHashAreRejected)
{
    const auto client = make_client("client/hash");
    const auto file = folder.write("small", "content");
    EXPECT_THROW(client->put_file("x", file, server::sha256_hex("other")), StorageError);
    EXPECT_FALSE(client->find("x"));
}

TEST_F(S3ClientTest, LargeFilesAreSentInParts)
{
    auto options = store->options("client/parts");
    options.part_bytes = 5 << 20; // the least that S3 allows
    S3Client client(options, registry);
    std::string hash;
    const auto file = write_file((11 << 20) + 123, hash);
    client.put_file("large", file, hash);
    EXPECT_EQ(client.find("large")->size_bytes, (11u << 20) + 123u);
    EXPECT_EQ(server::sha256_hex(text_of(client, "large")), hash);
    EXPECT_TRUE(client.list_pending_uploads().empty());
}

TEST_F(S3ClientTest, ListsGoOnOverPages)
{
    auto options = store->options("client/list");
    options.page_objects = 2;
    S3Client client(options, registry);
    for (const char* key : {"a/1", "a/2", "a/3", "a/4", "a/5", "b/1"})
        client.put_text(key, key);
    std::vector<std::string> keys;
    std::string continuation;
    do {
        const auto page = client.list("a/", continuation);
        EXPECT_LE(page.objects.size(), 2u);
        for (const auto& object : page.objects) {
            keys.push_back(object.key);
            EXPECT_LT(std::abs(page.now_s - object.modified_s), 600);
        }
        continuation = page.continuation;
    } while (!continuation.empty());
    EXPECT_EQ(keys, (std::vector<std::string>{"a/1", "a/2", "a/3", "a/4", "a/5"}));
}

TEST_F(S3ClientTest, OldMarksOfRemovedBlobsAreRemovedOnAllPages)
{
    auto options = store->options("client/marks");
    options.page_objects = 2;
    S3Client client(options, registry);
    const auto blob = server::sha256_hex("kept");
    client.put_text("blobs/" + blob, "kept");
    client.put_text("removing/" + blob, "");
    client.put_text("removing/of-another-program", "");
    for (const char* text : {"a", "b", "c", "d", "e"})
        client.put_text("removing/" + server::sha256_hex(text), "");
    EXPECT_TRUE(eventually([&] {
        server::remove_leftovers(client, {}, {});
        return client.list("removing/").objects.size() == 2;
    }));
    EXPECT_TRUE(client.find("removing/" + blob));
    EXPECT_TRUE(client.find("removing/of-another-program"));
}

TEST_F(S3ClientTest, RefusalsSayWhyWithoutTheKeys)
{
    auto options = store->options("client/rejected");
    options.keys.secret_key = "a-wrong-secret";
    S3Client wrong_keys(options, registry);
    const auto message = unavailable([&] { wrong_keys.put_text("x", "y"); });
    EXPECT_NE(message.find("SignatureDoesNotMatch"), message.npos) << message;
    EXPECT_EQ(message.find("wrong-secret"), message.npos) << message;
    EXPECT_EQ(server::check_s3_store(store->options("client/rejected")), "");
    EXPECT_NE(server::check_s3_store(options).find("SignatureDoesNotMatch"), std::string::npos);
    auto nowhere = store->options("client/rejected");
    nowhere.bucket = "no-such-bucket";
    EXPECT_NE(server::check_s3_store(nowhere).find("NoSuchBucket"), std::string::npos);
    nowhere.host = "127.0.0.1:1";
    nowhere.deadline = std::chrono::milliseconds(300);
    const auto absent = server::check_s3_store(nowhere);
    EXPECT_NE(absent.find("connect"), absent.npos) << absent;
}

TEST_F(S3ClientTest, KeysAreReadAgainWhenTheirFileChanges)
{
    const auto write_keys = [&](const std::string& secret) {
        return folder.write("keys", "aws_access_key_id=test:tester\naws_secret_access_key=" + secret + "\n");
    };
    auto options = store->options("client/keys");
    options.credentials = write_keys("expired");
    S3Client client(options, registry);
    unavailable([&] { client.put_text("x", "y"); });
    write_keys(ObjectStore::secret_key);
    std::filesystem::last_write_time(options.credentials, std::filesystem::file_time_type::clock::now());
    EXPECT_TRUE(eventually([&] {
        try {
            client.put_text("x", "y");
            return true;
        } catch (const StorageError&) {
            return false;
        }
    }));
}

TEST_F(S3ClientTest, LinksAreDownloadsForEveryone)
{
    const auto client = make_client("client/link");
    client->put_text("x", "content");
    const auto url =
        client->presign("x", 60,
                        {{"response-content-type", "application/octet-stream"},
                         {"response-content-disposition", "attachment; filename*=UTF-8''a%20b"}});
    ASSERT_TRUE(url.starts_with(store->endpoint())) << url;
    const auto path = url.substr(store->endpoint().size());
    const auto reply = get(store->port(), path);
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, "content");
    EXPECT_EQ(reply.header("content-disposition"), "attachment; filename*=UTF-8''a%20b");
    EXPECT_EQ(reply.header("content-type").substr(0, 24), "application/octet-stream");
    EXPECT_EQ(get(store->port(), path.substr(0, path.size() - 1)).status, 403) << "another signature";
    EXPECT_EQ(url.find(ObjectStore::secret_key), url.npos);
}

// A store that ends during an upload in parts leaves it behind; the garbage collection removes it.
TEST_F(S3ClientTest, AnAbsentStoreEndsCallsAndIsFoundAgain)
{
    auto options = store->options("client/gone");
    options.deadline = std::chrono::milliseconds(1'500);
    options.part_bytes = 5 << 20;
    S3Client client(options, registry);
    const auto file = folder.write("sparse", "x");
    std::filesystem::resize_file(file, 600u << 20);
    auto upload = std::async(std::launch::async, [&] { client.put_file("sparse", file, ""); });
    ASSERT_TRUE(eventually([&] { return client.list_pending_uploads().size() == 1; }));
    store->stop();
    unavailable([&] { upload.get(); });
    const auto begin = std::chrono::steady_clock::now();
    unavailable([&] { client.find("x"); });
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
    store->start();
    ASSERT_TRUE(eventually([&] {
        try {
            client.put_text("x", "y");
            return true;
        } catch (const StorageError&) {
            return false;
        }
    }));
    const auto left = client.list_pending_uploads();
    ASSERT_EQ(left.size(), 1u);
    client.abort_upload(left.front().key, left.front().id);
    EXPECT_TRUE(client.list_pending_uploads().empty());
}

// The connection breaks in the middle, twice; what has arrived is not fetched again.
TEST_F(S3ClientTest, ReadsContinueWhereTheConnectionBroke)
{
    const auto client = make_client("client/resume");
    std::string hash;
    const std::size_t size = 24u << 20;
    client->put_file("large", write_file(size, hash), hash);
    server::Sha256 read;
    std::size_t received = 0, breaks = 0;
    EXPECT_TRUE(client->get("large", [&](std::span<const std::byte> bytes) {
        read.update(bytes);
        received += bytes.size();
        if (received > (breaks + 1) * size / 3 && breaks < 2) {
            ++breaks;
            store->stop();
            store->start();
        }
    }));
    EXPECT_EQ(breaks, 2u);
    EXPECT_EQ(received, size);
    EXPECT_EQ(read.finish(), hash);
}

} // namespace
} // namespace vitrine::test

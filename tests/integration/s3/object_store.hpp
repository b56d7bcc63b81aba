#pragma once
// OpenStack Swift with its S3 interface on a free loopback port (tests/support/object_store.py), one for all
// tests of a program.

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <prometheus/registry.h>
#include <sys/types.h>

#include "server/services/s3/s3_options.hpp"
#include "tests/integration/server_process.hpp"
#include "tests/support/temp_dir.hpp"

namespace vitrine::test {

class ObjectStore {
public:
    static constexpr const char* bucket = "vitrine";
    static constexpr const char* secret_key = "kept-out-of-logs";

    // The store; null if Swift is not installed. Its keys are in the environment.
    static ObjectStore* running();
    ~ObjectStore();
    ObjectStore(const ObjectStore&) = delete;
    ObjectStore& operator=(const ObjectStore&) = delete;

    const std::string& endpoint() const { return endpoint_; }
    int port() const;
    server::S3Options options(const std::string& prefix) const;
    // Of a program that uses the store below this prefix.
    std::vector<std::string> flags(const std::string& prefix) const;
    void stop() { command("stop\n"); } // connections are rejected
    void start() { command("start\n"); }

private:
    ObjectStore();
    void command(const std::string& text);
    std::string read_line();

    TempDir folder_;
    pid_t pid_ = -1;
    int in_ = -1, out_ = -1; // of the script
    std::string endpoint_;   // empty: it did not start
};

// Requests to the store that its clients with this registry have made.
double request_count(const prometheus::Registry& registry);

// Skips its tests where Swift is not installed.
class ObjectStoreTest : public ::testing::Test {
protected:
    void SetUp() override
    {
        store = ObjectStore::running();
        if (store == nullptr) GTEST_SKIP() << "Swift is not installed (python3-swift, by script/bootstrap)";
        ASSERT_NE(store->endpoint(), "") << "Swift does not start";
    }

    ObjectStore* store = nullptr;
    TempDir folder;
};

// Servers that share the store and a database of PostgreSQL; skips its tests without script/with-postgres
// too.
class SharedStoresTest : public ObjectStoreTest {
protected:
    void SetUp() override
    {
        if (std::getenv("VITRINE_TEST_DATABASE") == nullptr)
            GTEST_SKIP() << "needs PostgreSQL: script/with-postgres";
        ObjectStoreTest::SetUp();
        if (!IsSkipped()) catalog = catalog_location(folder.path());
    }

    std::string catalog;
};

} // namespace vitrine::test

// Certificates of TLS: what can be wrong with the files, and their replacement.

#include "server/net/transport/tls_certificates.hpp"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <prometheus/text_serializer.h>

#include "server/net/transport/tls_handshakes.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/unit/server/net/tls_ends.hpp"

namespace vitrine::server {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// Waits until the files have been looked at so often.
bool looks_again(const TlsCertificates& certificates, std::uint64_t times)
{
    return test::eventually(
        [&, before = certificates.looks()] { return certificates.looks() >= before + times; });
}

// `looking`: looks at the files meanwhile, which do not belong together for a moment.
void replace(const TlsFiles& files, const TlsFiles& by, const TlsCertificates* looking = nullptr)
{
    fs::rename(by.certificate, files.certificate);
    if (looking) EXPECT_TRUE(looks_again(*looking, 1));
    fs::rename(by.key, files.key);
}

class TlsCertificatesTest : public ::testing::Test {
protected:
    std::unique_ptr<TlsCertificates> watch(std::chrono::milliseconds interval)
    {
        return std::make_unique<TlsCertificates>(
            files,
            [this](TlsCertificates::Severity severity, const std::string& text) {
                const std::scoped_lock lock(mutex);
                lines.emplace_back(severity, text);
            },
            interval);
    }
    std::size_t count(TlsCertificates::Severity severity)
    {
        const std::scoped_lock lock(mutex);
        return static_cast<std::size_t>(
            std::ranges::count(lines, severity, [](const auto& line) { return line.first; }));
    }
    bool becomes(TlsCertificates& certificates, const std::string& name)
    {
        return test::eventually([&] { return certificates.current()->subject() == "/CN=" + name; });
    }

    test::TempDir folder;
    TlsFiles files = make_certificate(folder.path(), "first");
    std::mutex mutex;
    std::vector<std::pair<TlsCertificates::Severity, std::string>> lines;
};

TEST_F(TlsCertificatesTest, ReplacesChangedFiles)
{
    const auto certificates = watch(10ms);
    const auto first = certificates->current();
    EXPECT_EQ(first->subject(), "/CN=first");
    EXPECT_EQ(first->days_left().count(), 29);
    replace(files, make_certificate(folder.path(), "second"), certificates.get());
    EXPECT_TRUE(becomes(*certificates, "second"));
    EXPECT_EQ(first->subject(), "/CN=first") << "connections keep it";
}

TEST_F(TlsCertificatesTest, BadFileIsReportedOnceAndTheOldOneStays)
{
    const auto certificates = watch(10ms);
    std::ofstream(files.certificate) << "nonsense";
    EXPECT_TRUE(test::eventually([&] { return count(TlsCertificates::Severity::error) > 0; }));
    certificates->request_reload();
    EXPECT_TRUE(looks_again(*certificates, 3));
    EXPECT_EQ(count(TlsCertificates::Severity::error), 1u);
    EXPECT_EQ(certificates->current()->subject(), "/CN=first");
    fs::remove(files.certificate);
    EXPECT_TRUE(test::eventually([&] { return count(TlsCertificates::Severity::error) == 2; })) << "missing";
    replace(files, make_certificate(folder.path(), "second"));
    EXPECT_TRUE(becomes(*certificates, "second"));
}

// Without a change that the file system shows.
TEST_F(TlsCertificatesTest, BadFileIsTriedAgain)
{
    const auto certificates = watch(5ms);
    const auto good = make_certificate(folder.path(), "second");
    fs::copy_file(good.key, files.key, fs::copy_options::overwrite_existing);
    std::ofstream(files.certificate) << std::string(fs::file_size(good.certificate), '\n');
    const auto time = fs::last_write_time(files.certificate);
    ASSERT_TRUE(test::eventually([&] { return count(TlsCertificates::Severity::error) > 0; }));
    ASSERT_TRUE(looks_again(*certificates, 2)) << "both versions have been seen";
    std::ofstream(files.certificate) << std::ifstream(good.certificate).rdbuf();
    fs::last_write_time(files.certificate, time);
    EXPECT_TRUE(becomes(*certificates, "second"));
}

TEST_F(TlsCertificatesTest, RequestReloadsAtOnce)
{
    const auto certificates = watch(1h);
    replace(files, make_certificate(folder.path(), "second"));
    certificates->request_reload();
    EXPECT_TRUE(becomes(*certificates, "second"));
    const auto before = certificates->current();
    certificates->request_reload();
    EXPECT_TRUE(test::eventually([&] { return certificates->current() != before; })) << "unchanged files too";
}

TEST_F(TlsCertificatesTest, ShortTimeIsReported)
{
    files = make_certificate(folder.path(), "short", 3);
    const auto certificates = watch(10ms);
    EXPECT_TRUE(test::eventually([&] { return count(TlsCertificates::Severity::warning) == 1; }));
    EXPECT_TRUE(looks_again(*certificates, 3));
    EXPECT_EQ(count(TlsCertificates::Severity::warning), 1u) << "once a day";
}

// Connections begin on several threads meanwhile; for ThreadSanitizer.
TEST_F(TlsCertificatesTest, ManyThreadsUseTheCurrentOne)
{
    const auto certificates = watch(1ms);
    std::atomic<bool> stop = false;
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i)
        threads.emplace_back([&] {
            while (!stop)
                EXPECT_NE(certificates->current()->get(), nullptr);
        });
    for (const char* name : {"a", "b", "c"}) {
        replace(files, make_certificate(folder.path(), name), certificates.get());
        certificates->request_reload();
        EXPECT_TRUE(becomes(*certificates, name));
    }
    stop = true;
}

TEST_F(TlsCertificatesTest, FirstFilesMustBeGood)
{
    fs::remove(files.key);
    EXPECT_THROW(watch(1h), std::runtime_error);
}

TEST(TlsHandshakesTest, OneLineAnInterval)
{
    prometheus::Registry registry;
    std::vector<std::string> lines;
    TlsHandshakes handshakes(registry, [&](const std::string& text) { lines.push_back(text); }, 200ms);
    const Peer peer{.address = {}, .text = "192.0.2.1"};
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 5; ++i)
        handshakes.fail(peer, "a \"reason\"\n", begin + 49ms * i);
    handshakes.succeed();
    handshakes.fail(peer, "late", begin + 200ms);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0], R"(msg="a TLS handshake has failed" peer=192.0.2.1 error="a \"reason\"\n")");
    EXPECT_TRUE(lines[1].ends_with("error=\"late\" unreported=4")) << lines[1];
    const auto metrics = prometheus::TextSerializer().Serialize(registry.Collect());
    EXPECT_NE(metrics.find("vitrine_tls_handshakes_total{result=\"failed\"} 6"), metrics.npos) << metrics;
    EXPECT_NE(metrics.find("vitrine_tls_handshakes_total{result=\"done\"} 1"), metrics.npos);
}

} // namespace
} // namespace vitrine::server

// A real object store behind TLS, with a certificate of an authority that only the test knows.

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <sys/wait.h>

#include "server/services/s3/s3_client.hpp"
#include "server/util/sha256.hpp"
#include "tests/integration/s3/object_store.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/paths.hpp"

namespace vitrine::test {
namespace {

using namespace std::chrono_literals;
using server::S3Client;
using server::StorageError;

class S3TlsTest : public ObjectStoreTest {
protected:
    void SetUp() override
    {
        ObjectStoreTest::SetUp();
        if (IsSkipped()) return;
        make("ca", "", "-addext keyUsage=critical,keyCertSign");
        make("store", "ca", "-addext subjectAltName=IP:127.0.0.1");
        make("elsewhere", "ca", "-addext subjectAltName=DNS:store.example");
    }
    void TearDown() override
    {
        for (auto* proxy : proxies_)
            ::pclose(proxy); // it ends with its input
    }

    // NAME.pem and NAME.key, signed by another one; empty: by itself.
    void make(const std::string& name, const std::string& signer, const std::string& more) const
    {
        const auto at = [&](const std::string& file) { return (folder.path() / file).string(); };
        const auto by = signer.empty() ? std::string()
                                       : fmt::format("-CA {} -CAkey {} -addext basicConstraints=CA:FALSE",
                                                     at(signer + ".pem"), at(signer + ".key"));
        run(fmt::format(
                "openssl req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -keyout {} "
                "-out {} -days 2 -subj /CN={} {} {}",
                at(name + ".key"), at(name + ".pem"), name, by, more),
            0);
    }

    // Runs a command, which must end with this code; returns its output.
    static std::string run(const std::string& command, int code)
    {
        std::FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r"); // NOLINT(cert-env33-c)
        std::string text;
        for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
            text.push_back(static_cast<char>(c));
        EXPECT_EQ(WEXITSTATUS(::pclose(pipe)), code) << command << '\n' << text;
        return text;
    }

    // The store behind this certificate: returns https://127.0.0.1:PORT.
    std::string endpoint(const std::string& certificate)
    {
        const auto file = folder.path() / (certificate + ".port");
        const auto command =
            fmt::format("exec /usr/bin/python3 {}/tests/support/tls_proxy.py {}.pem {}.key {} {}",
                        source_dir().string(), (folder.path() / certificate).string(),
                        (folder.path() / certificate).string(), store->port(), file.string());
        proxies_.push_back(::popen(command.c_str(), "w")); // NOLINT(cert-env33-c)
        EXPECT_TRUE(eventually([&] { return std::filesystem::exists(file); }));
        std::ifstream in(file);
        return "https://127.0.0.1:" + std::string{std::istreambuf_iterator<char>(in), {}};
    }

    server::S3Options options(const std::string& certificate, const std::string& ca)
    {
        auto options = server::make_s3_options(
                           {.location = "s3://vitrine/tls",
                            .endpoint = endpoint(certificate),
                            .ca = ca.empty() ? std::filesystem::path() : folder.path() / (ca + ".pem")})
                           .value();
        options.deadline = 1s;
        return options;
    }

    prometheus::Registry registry;

private:
    std::vector<std::FILE*> proxies_;
};

TEST_F(S3TlsTest, ATrustedStoreTakesAndReturnsFiles)
{
    auto trusted = options("store", "ca");
    trusted.deadline = 20s;
    S3Client client(trusted, registry);
    const std::string content((17u << 20) + 5, 't'); // in parts
    const auto file = folder.path() / "file";
    std::ofstream(file, std::ios::binary) << content;
    client.put_file("large", file, server::sha256_hex(content));
    std::string read;
    EXPECT_TRUE(client.get("large", [&](std::span<const std::byte> bytes) {
        read.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }));
    EXPECT_EQ(read, content);
    EXPECT_TRUE(client.presign("large", 60, {}).starts_with("https://127.0.0.1:"));
}

TEST_F(S3TlsTest, OtherCertificatesAreRejected)
{
    for (const auto& [certificate, ca] :
         {std::pair{"store", ""}, std::pair{"store", "elsewhere"}, std::pair{"elsewhere", "ca"}}) {
        S3Client client(options(certificate, ca), registry);
        try {
            client.put_text("text", "content");
            ADD_FAILURE() << certificate << " by " << ca;
        } catch (const StorageError& error) {
            EXPECT_EQ(error.kind, StorageError::Kind::unavailable);
            EXPECT_NE(std::string(error.what()).find("certificate"), std::string::npos) << error.what();
        }
    }
}

TEST_F(S3TlsTest, DoctorTakesTheAuthority)
{
    const auto command =
        fmt::format("{} doctor --data {} --blobs s3://vitrine/tls-doctor --s3-endpoint {}",
                    program("vitrine"), (folder.path() / "data").string(), endpoint("store"));
    EXPECT_NE(run(command, 1).find("certificate"), std::string::npos);
    run(command + " --s3-ca " + (folder.path() / "ca.pem").string(), 0);
}

} // namespace
} // namespace vitrine::test

// A server without a network that uploads to itself until it is killed. Prints one line for everything that
// it would have acknowledged to a client: "asset ID BLOB", "name ID NAME".
//   durability_child DATA LOADER SEED

#include <cstdio>
#include <exception>
#include <random>
#include <string>

#include <fmt/format.h>
#include <prometheus/registry.h>

#include "server/services/services.hpp"
#include "tests/unit/server/services/support/fakes.hpp"

namespace {

using namespace vitrine::server;

void acknowledge(const std::string& line)
{
    fmt::print("{}\n", line);
    std::fflush(stdout);
}

// Returns a unique OBJ, large enough that kills interrupt its writing.
std::string model_text(std::mt19937& random)
{
    std::string text = fmt::format("# {}\n", random());
    const unsigned rows = 3 + random() % 3000;
    for (unsigned i = 0; i < rows; ++i)
        text += fmt::format("v {} {} {}\n", i, i % 7, i * i % 11);
    for (unsigned i = 3; i <= rows; i += 3)
        text += fmt::format("f {} {} {}\n", i - 2, i - 1, i);
    return text;
}

BlobRef upload(BlobStore& blobs, const std::string& text)
{
    auto writer = blobs.create();
    for (std::size_t at = 0; at < text.size(); at += 4096)
        writer->write(
            std::as_bytes(std::span(text).subspan(at, std::min<std::size_t>(4096, text.size() - at))));
    return writer->commit();
}

void upload_one(Services& services, std::mt19937& random)
{
    const auto blob = upload(*services.blobs, model_text(random));
    const auto created = services.ingest.ingest({{"model.obj", blob.hash, blob.size_bytes}}).value().front();
    acknowledge(fmt::format("asset {} {}", created.asset.id, blob.hash));
    if (random() % 2 == 0) return;
    const auto name = fmt::format("name{}", random());
    services.catalog.change_asset(created.asset.id, {name, ""}).value();
    acknowledge(fmt::format("name {} {}", created.asset.id, name));
}

} // namespace

int main(int, char** argv)
try {
    vitrine::server::testing::FakeGpu gpu;
    prometheus::Registry registry;
    ServicesConfig config;
    config.data = argv[1];
    config.loader.program = argv[2];
    config.devices = {vitrine::server::testing::make_fake_device(gpu)};
    Services services(config, registry);
    services.start();
    acknowledge("ready");
    for (std::mt19937 random(static_cast<unsigned>(std::stoul(argv[3])));;)
        upload_one(services, random);
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}

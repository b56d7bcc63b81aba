// Checks whether this machine provides what Vitrine needs; prints one line per check (the limits: one line
// each), with a fix where a check fails. To add a check, write a function and its row in the table.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "loaders/io/limits.hpp"
#include "loaders/worker/client/client.hpp"
#include "server/blob_options.hpp"
#include "server/cli/command.hpp"
#include "server/cli/devices/nvidia_cards.hpp"
#include "server/cli/temporary_folder.hpp"
#include "server/cli/devices/vulkan_drivers.hpp"
#include "server/config.hpp"
#include "server/database_options.hpp"
#include "server/loader_options.hpp"
#include "server/services/database/dialect.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::cli {
namespace {

namespace fs = std::filesystem;

struct DoctorArguments {
    std::string data;
    std::string database;
    std::string gpu = "auto";
    worker::ClientOptions loading;
    server::BlobOptions blobs;
    server::TlsFiles tls;
};

// An empty fix means that the check passed.
struct CheckResult {
    std::string text;
    std::string fix;
};

struct Check {
    const char* name;
    CheckResult (*run_check)(const DoctorArguments& arguments);
};

constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;

CheckResult check_loader(const DoctorArguments& arguments)
{
    const auto folder = make_temporary_folder();
    if (!folder) return {"not tried", "make the folder for temporary files writable (TMPDIR)"};
    const auto file = folder->path() / "triangle.obj";
    std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    const auto start = std::chrono::steady_clock::now();
    const auto scene = worker::load_scene({{"triangle.obj", file}}, "triangle.obj", arguments.loading);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    if (!scene)
        return {fmt::format("{}: {}", to_string(scene.error().code), scene.error().detail),
                "vitrine-loader must be in the folder of vitrine and of the same build"};
    return {fmt::format("loads a triangle in {:.0f} ms", took.count()), {}};
}

CheckResult check_filter(const DoctorArguments& arguments)
{
    if (worker::kernel_supports_seccomp()) return {"system calls are filtered (seccomp)", {}};
    const bool allowed = arguments.loading.filter == worker::FilterRequirement::if_possible;
    return {allowed ? "loader processes run without a system call filter"
                    : "not supported: no model can be loaded",
            "use a kernel with seccomp filters; VITRINE_LOADER_FILTER=if-possible runs without them"};
}

CheckResult check_processors(const DoctorArguments&)
{
    return {fmt::format("{}", std::thread::hardware_concurrency()), {}};
}

CheckResult check_memory(const DoctorArguments& arguments)
{
    const auto pages = ::sysconf(_SC_PHYS_PAGES), page_bytes = ::sysconf(_SC_PAGE_SIZE);
    const double all = static_cast<double>(pages) * static_cast<double>(page_bytes) / gibibyte;
    const double loader = static_cast<double>(arguments.loading.memory_bytes) / gibibyte;
    return {fmt::format("{:.1f} GiB; limit of a loader process: {:.1f} GiB", all, loader),
            all < 1.0 ? "provide 1 GiB or more" : ""};
}

CheckResult check_descriptors(const DoctorArguments&)
{
    constexpr rlim_t min_descriptors = 1024;
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    return {fmt::format("{}", limit.rlim_cur),
            limit.rlim_cur < min_descriptors ? "raise the limit: ulimit -n 1024" : ""};
}

// Returns the folder, or its nearest existing parent: `serve` creates missing folders.
fs::path nearest_existing(fs::path folder)
{
    std::error_code ignored;
    folder = fs::absolute(folder);
    while (!fs::exists(folder, ignored) && folder.has_parent_path() && folder != folder.parent_path())
        folder = folder.parent_path();
    return folder;
}

CheckResult check_data(const DoctorArguments& arguments)
{
    const fs::path data = arguments.data.empty() ? server::default_data() : fs::path(arguments.data);
    const auto place = nearest_existing(data);
    if (!make_temporary_folder(place))
        return {place.string() + " cannot be written", "make it writable for the user who runs vitrine"};
    const double free = static_cast<double>(fs::space(place).available) / gibibyte;
    const char* state = place == fs::absolute(data) ? "" : " (created by the first start)";
    return {fmt::format("{}{}, {:.1f} GiB free", data.string(), state, free),
            free < 1.0 ? "free at least 1 GiB" : ""};
}

CheckResult check_blob_store(const DoctorArguments& arguments)
{
    const auto checked = server::check_blobs(arguments.blobs);
    if (checked) return {*checked, {}};
    return {checked.error(),
            "correct --blobs, --s3-endpoint, --s3-region, the keys, or the rights of the keys on the bucket"};
}

CheckResult check_limits(const DoctorArguments& arguments)
{
    std::string text = "of a load; --limit NAME=NUMBER changes one:";
    for (const auto& limit : io::named_limits())
        text += fmt::format("\n      {:<16} {:>14}  {}", limit.name,
                            io::value_of(arguments.loading.limits, limit), limit.what);
    return {text, {}};
}

// Lists all devices by index, address and UUID, as --gpu takes them. A software device passes too; it is only
// slower.
CheckResult check_devices(const DoctorArguments&)
{
    const auto devices = render::list_devices();
    std::string text;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const auto& device = devices[i];
        text += fmt::format("{}{}: {} ({}, Vulkan {}, {}", i == 0 ? "" : "; ", i, device.name,
                            device.software ? "software" : "GPU", device.api_version, device.driver);
        if (!device.pci_address.empty()) text += ", " + device.pci_address;
        text += fmt::format(", {})", device.uuid);
    }
    if (!devices.empty()) return {text, {}};
    return {"no Vulkan device", "install a GPU driver with Vulkan 1.3, or mesa-vulkan-drivers for software"};
}

CheckResult check_drawing(const DoctorArguments& arguments)
{
    try {
        const auto start = std::chrono::steady_clock::now();
        const render::Renderer renderer(render::Options{.device = arguments.gpu});
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
        const double memory = static_cast<double>(renderer.memory().budget) / gibibyte;
        const auto text = fmt::format("starts on {} in {:.0f} ms; {:.1f} GiB of its memory may be used",
                                      renderer.info().name, took.count(), memory);
        const auto cards = render::unused_cards(arguments.gpu, renderer.info());
        if (cards.empty()) return {text, {}};
        return {fmt::format("{}; the card {} is not used", text, cards.front().native()),
                unused_card_fix(cards, find_vulkan_drivers(vulkan_manifests()))};
    } catch (const std::exception& error) {
        return {error.what(), "install a GPU driver with Vulkan 1.3, or mesa-vulkan-drivers for software"};
    }
}

// Fails only if there is a card that the driver would be for.
CheckResult check_drivers(const DoctorArguments&)
{
    std::string text;
    bool all_load = true;
    for (const auto& [manifest, library, error] : find_vulkan_drivers(vulkan_manifests())) {
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", manifest.filename().native(),
                            error.empty() ? library : error);
        all_load = all_load && error.empty();
    }
    if (text.empty()) text = "no manifest of a Vulkan driver is installed";
    const bool is_wanted = !all_load && render::has_graphics_card();
    return {text, is_wanted ? "install the missing library, or the driver again" : ""};
}

// The cards of NVIDIA's kernel driver, and what Vulkan makes of CUDA's settings. An instance of
// Multi-Instance GPU has no graphics, so that the card is not listed among the devices.
CheckResult check_nvidia_cards(const DoctorArguments&)
{
    std::string text, split;
    for (const auto& [address, model, uuid, is_split] : nvidia_cards()) {
        text += fmt::format("{}{} {} {}{}", text.empty() ? "" : "; ", address, model, uuid,
                            is_split ? " (split into MIG instances, which have no graphics)" : "");
        if (is_split) split = address;
    }
    if (text.empty()) text = "none";
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing sets it
    if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES"); visible != nullptr)
        text += fmt::format("; CUDA_VISIBLE_DEVICES={} does not limit Vulkan: choose with --gpu", visible);
    const bool has_device =
        std::ranges::any_of(render::list_devices(), [](const auto& d) { return !d.software; });
    if (split.empty() || has_device) return {text, {}};
    return {text, fmt::format("turn MIG off for a card: nvidia-smi -i {} -mig 0", split)};
}

CheckResult check_catalog(const DoctorArguments& arguments)
{
    const auto location = server::database_location(arguments.database);
    if (!location) return {location.error(), "correct --database"};
    if (location->empty()) return {"a file of SQLite in the data directory (--database)", {}};
    const bool is_new = !server::is_postgres(*location) && !fs::exists(*location);
    if (is_new) return {fmt::format("{} (created by the first start)", *location), {}};
    const auto found = server::describe_database(*location);
    if (!found) return {found.error(), "correct --database, or start the database"};
    return {fmt::format("{} ({})", *found, server::printable_location(*location)), {}};
}

CheckResult check_certificate(const DoctorArguments& arguments)
{
    if (arguments.tls.certificate.empty()) return {"none (--tls-cert): the server speaks plain HTTP", {}};
    const auto loaded = server::TlsContext::load(arguments.tls);
    if (!loaded) return {loaded.error(), "correct --tls-cert and --tls-key"};
    const bool is_short = (*loaded)->days_left() < server::short_tls_expiry;
    return {(*loaded)->subject() + " " + (*loaded)->expiry_text(), is_short ? "renew the certificate" : ""};
}

// A missing font passes too; only names in rare scripts need it.
CheckResult check_label_font(const DoctorArguments&)
{
    const auto font = render::default_label_font();
    if (std::ifstream(font).get() != std::char_traits<char>::eof()) return {font.native(), {}};
    return {fmt::format("no {}: joints with names in scripts other than Latin, Greek and Cyrillic show their "
                        "numbers (Debian's package unifont)",
                        font.native()),
            {}};
}

CheckResult check_encoders(const DoctorArguments&)
{
    return {"PNG (stb, libdeflate), JPEG (libjpeg-turbo), WebP still and animated (libwebp), VP8 and VP9 for "
            "live previews (libvpx, libyuv)",
            {}};
}

constexpr std::array checks{
    Check{"devices", check_devices},
    Check{"drivers", check_drivers},
    Check{"NVIDIA cards", check_nvidia_cards},
    Check{"renderer", check_drawing},
    Check{"label font", check_label_font},
    Check{"encoders", check_encoders},
    Check{"loader process", check_loader},
    Check{"loader filter", check_filter},
    Check{"processors", check_processors},
    Check{"memory", check_memory},
    Check{"open file limit", check_descriptors},
    Check{"limits", check_limits},
    Check{"data directory", check_data},
    Check{"catalog", check_catalog},
    Check{"blob store", check_blob_store},
    Check{"certificate", check_certificate},
};

int examine(const DoctorArguments& arguments)
{
    bool well = true;
    for (const auto& check : checks) {
        const auto result = check.run_check(arguments);
        fmt::print("{:<5} {:<16} {}\n", result.fix.empty() ? "ok" : "WRONG", check.name, result.text);
        if (!result.fix.empty()) fmt::print("      fix: {}\n", result.fix);
        well = well && result.fix.empty();
    }
    return well ? 0 : 1;
}

} // namespace

Action declare_doctor(CLI::App& app)
{
    auto arguments = std::make_shared<DoctorArguments>();
    app.add_option("--data", arguments->data, "The data directory of the server");
    server::declare_database(app, arguments->database);
    app.add_option("--tls-cert", arguments->tls.certificate, "The certificate of the server")
        ->envname("VITRINE_TLS_CERT");
    app.add_option("--tls-key", arguments->tls.key, "The key of the certificate")->envname("VITRINE_TLS_KEY");
    server::declare_loading(app, arguments->loading);
    server::declare_blobs(app, arguments->blobs);
    app.add_option(
           "--gpu", arguments->gpu,
           "The device to test: auto, gpu, software, an index, a PCI address, a UUID, or part of a name")
        ->capture_default_str();
    return [arguments] { return examine(*arguments); };
}

} // namespace vitrine::cli

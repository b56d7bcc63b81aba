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
#include "server/cli/devices/device_checks.hpp"
#include "server/cli/import.hpp"
#include "server/cli/temporary_folder.hpp"
#include "server/config.hpp"
#include "server/config_file.hpp"
#include "server/database_options.hpp"
#include "server/deployment_checks.hpp"
#include "server/loader_options.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::cli {
namespace {

namespace fs = std::filesystem;

struct DoctorArguments {
    fs::path config; // read before the command runs
    std::string data;
    std::string database;
    std::string gpu = "auto";
    worker::ClientOptions loading;
    server::BlobOptions blobs;
    server::TlsFiles tls;
    ImportServer address{.url = {}}; // --url
};

using server::CheckResult;

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

constexpr std::string_view proxy_page = " (docs/reverse-proxy.md)";

// Asks for a WebSocket with a key that is none, from the origin of a browser: a server that gets the whole
// handshake answers bad_handshake, and one that gets no Upgrade looks for an asset.
CheckResult check_websocket(ImportClient& client, const std::string& url)
{
    const auto reply = client.get_with("/v1/preview", {"Connection: Upgrade", "Upgrade: websocket",
                                                       "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: none",
                                                       "Origin: " + origin_of(url)});
    if (!reply.failure.empty()) return {"WebSockets fail: " + reply.failure, "let the proxy pass them"};
    if (reply.body.contains("\"bad_handshake\"")) return {"WebSockets pass", {}};
    if (reply.body.contains("\"foreign_origin\""))
        return {"pages of this address are foreign to the server: changes and live previews do not work",
                fmt::format("let the proxy send Host and X-Forwarded-Proto, and name it by --trusted-proxy{}",
                            proxy_page)};
    if (reply.body.contains("\"requestId\""))
        return {"a proxy drops Upgrade: live previews do not work",
                fmt::format("let the proxy send Upgrade and Connection{}", proxy_page)};
    return {fmt::format("WebSockets are answered with status {}", reply.status),
            fmt::format("let the proxy pass all paths to the server{}", proxy_page)};
}

// `me`: the response of /v1/me. A client that comes by another name than localhost has an address of its own.
CheckResult check_client_address(const std::string& me, const std::string& url)
{
    constexpr std::string_view member = "\"address\":\"";
    const auto at = me.find(member);
    const auto rest = at == me.npos ? std::string() : me.substr(at + member.size());
    const auto address = rest.substr(0, rest.find('"'));
    const bool is_local = address == "127.0.0.1" || address == "::1" || address.starts_with("unix:");
    if (is_local && !server::Endpoint{.host = host_of(url)}.is_loopback())
        return {
            fmt::format("all clients have the address {}", address),
            fmt::format("let the proxy send X-Forwarded-For, and name it by --trusted-proxy{}", proxy_page)};
    return {"this client is " + address, {}};
}

// The way of clients, by a proxy or without one.
CheckResult check_address(const DoctorArguments& arguments)
{
    if (arguments.address.url.empty()) return {"not asked for (--url)", {}};
    ImportClient client(arguments.address, [] { return false; });
    const auto reply = client.get("/v1/me");
    if (!reply.failure.empty())
        return {reply.failure,
                "correct --url, start the server and its proxy, or trust the certificate (--ca-file)"};
    if (reply.status == 421)
        return {"the server does not know the host name that it is asked by", "start it with --host NAME"};
    const bool is_ours = reply.body.contains("\"kind\"") || reply.body.contains("\"requestId\"");
    if (!is_ours || reply.status >= 500)
        return {fmt::format("answers with status {}, not as Vitrine", reply.status),
                "let the proxy pass all paths to the server (docs/reverse-proxy.md)"};
    if (reply.status == 401)
        return {arguments.address.url + " leads to the server; --token checks WebSockets and addresses too",
                {}};
    const auto found = check_websocket(client, arguments.address.url);
    if (!found.fix.empty()) return found;
    const auto who = check_client_address(reply.body, arguments.address.url);
    if (!who.fix.empty()) return who;
    return {fmt::format("{} leads to the server, {}, {}", arguments.address.url, found.text, who.text), {}};
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
    Check{"devices", [](const DoctorArguments&) { return check_devices(); }},
    Check{"drivers", [](const DoctorArguments&) { return check_drivers(); }},
    Check{"NVIDIA cards", [](const DoctorArguments&) { return check_nvidia_cards(); }},
    Check{"renderer", [](const DoctorArguments& arguments) { return check_renderer(arguments.gpu); }},
    Check{"label font", check_label_font},
    Check{"encoders", check_encoders},
    Check{"loader process", check_loader},
    Check{"loader filter", check_filter},
    Check{"processors", check_processors},
    Check{"memory", check_memory},
    Check{"open file limit", check_descriptors},
    Check{"limits", check_limits},
    Check{"data directory", check_data},
    Check{"catalog",
          [](const DoctorArguments& arguments) { return server::check_database(arguments.database); }},
    Check{"blob store", check_blob_store},
    Check{"certificate",
          [](const DoctorArguments& arguments) { return server::check_certificate(arguments.tls); }},
    Check{"clock", [](const DoctorArguments&) { return server::check_clock(); }},
    Check{"address", check_address},
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
    server::declare_config_file(app, arguments->config);
    app.add_option("--data", arguments->data, "The data directory of the server")->envname("VITRINE_DATA");
    server::declare_database(app, arguments->database);
    app.add_option("--tls-cert", arguments->tls.certificate, "The certificate of the server")
        ->envname("VITRINE_TLS_CERT");
    app.add_option("--tls-key", arguments->tls.key, "The key of the certificate")->envname("VITRINE_TLS_KEY");
    app.add_option("--url", arguments->address.url,
                   "Where clients reach the server, https://models.example.com");
    app.add_option("--token", arguments->address.token, "With --url: a token of the server")
        ->envname("VITRINE_TOKEN");
    app.add_option("--ca-file", arguments->address.ca_file,
                   "With --url: PEM file of certificates to trust instead of the system's");
    server::declare_loading(app, arguments->loading);
    server::declare_blobs(app, arguments->blobs);
    app.add_option(
           "--gpu", arguments->gpu,
           "The device to test: auto, gpu, software, an index, a PCI address, a UUID, or part of a name")
        ->envname("VITRINE_GPU")
        ->capture_default_str();
    return [arguments] { return examine(*arguments); };
}

} // namespace vitrine::cli

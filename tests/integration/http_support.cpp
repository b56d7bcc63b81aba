#include "tests/integration/http_support.hpp"

#include <cstdlib>
#include <thread>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/export/gltf/gltf_writer.hpp"
#include "loaders/export/quake/md5_writer.hpp"
#include "server/samples/models.hpp"

namespace vitrine::test {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;

std::string read_chunks(Socket& socket)
{
    std::string body;
    for (;;) {
        auto line = socket.receive_until("\r\n");
        auto size = std::strtoul(line.c_str(), nullptr, 16);
        if (size == 0) return body;
        body += socket.receive_exactly(size);
        socket.receive_exactly(2);
    }
}

UploadFile upload_file(std::string name, const std::vector<std::byte>& bytes)
{
    return {std::move(name), std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())};
}

UploadFile glb(const std::string& name, const scene::Scene& scene)
{
    return upload_file(name + ".glb", exporting::write_glb(scene).value());
}

} // namespace

std::string Reply::header(std::string_view name) const
{
    for (const auto& [key, value] : headers) {
        if (key == name) return value;
    }
    return {};
}

json::value Reply::json() const
{
    return json::parse(body);
}

Reply read_reply(Socket& socket, bool head)
{
    Reply reply;
    auto text = socket.receive_until("\r\n\r\n");
    if (!text.starts_with("HTTP/1.1 ")) return reply;
    reply.status = std::atoi(text.c_str() + 9);
    for (std::size_t at = text.find("\r\n") + 2; at + 2 < text.size();) {
        auto end = text.find("\r\n", at);
        auto colon = text.find(':', at);
        reply.headers.emplace_back(ascii::lower(text.substr(at, colon - at)),
                                   text.substr(colon + 2, end - colon - 2));
        at = end + 2;
    }
    if (head || reply.status == 204 || reply.status == 304) return reply;
    if (reply.header("transfer-encoding") == "chunked") {
        reply.body = read_chunks(socket);
    } else {
        reply.body =
            socket.receive_exactly(std::strtoul(reply.header("content-length").c_str(), nullptr, 10));
    }
    return reply;
}

Reply fetch(int port, std::string_view method, std::string_view path, const Fields& fields,
            std::string_view body)
{
    Socket socket(port);
    std::string text =
        fmt::format("{} {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n", method, path, port);
    for (const auto& [name, value] : fields)
        text += fmt::format("{}: {}\r\n", name, value);
    if (!body.empty() || method == "POST" || method == "PATCH")
        text += fmt::format("Content-Length: {}\r\n", body.size());
    socket.send(text + "\r\n" + std::string(body));
    return read_reply(socket, method == "HEAD");
}

Reply upload(int port, const std::vector<UploadFile>& files)
{
    std::string body;
    for (const auto& file : files) {
        body += fmt::format(
            "--vitrine-boundary\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{}\"\r\n\r\n",
            file.name);
        body += file.bytes + "\r\n";
    }
    body += "--vitrine-boundary--\r\n";
    return fetch(port, "POST", "/v1/assets",
                 {{"Content-Type", "multipart/form-data; boundary=vitrine-boundary"}}, body);
}

std::string text_at(const json::value& value, std::string_view pointer)
{
    boost::system::error_code error;
    auto found = value.find_pointer(pointer, error);
    return found && found->is_string() ? std::string(found->as_string()) : std::string();
}

json::value await_job(int port, const std::string& job, std::chrono::milliseconds limit)
{
    for (auto until = Clock::now() + limit;; std::this_thread::sleep_for(50ms)) {
        auto reply = get(port, "/v1/jobs/" + job);
        if (reply.status != 200) return nullptr;
        auto value = reply.json();
        auto state = text_at(value, "/state");
        if ((state != "queued" && state != "running") || Clock::now() > until) return value;
    }
}

std::string import_asset(int port, const std::vector<UploadFile>& files)
{
    auto reply = upload(port, files);
    if (reply.status != 201 && reply.status != 200) return {};
    auto value = reply.json();
    auto job = await_job(port, text_at(value, "/items/0/job/id"));
    return text_at(job, "/state") == "succeeded" ? text_at(value, "/items/0/asset/id") : std::string();
}

std::size_t count_files(const std::filesystem::path& folder)
{
    std::size_t files = 0;
    std::error_code gone; // files may be removed during the count
    for (std::filesystem::recursive_directory_iterator at(folder, gone), end; !gone && at != end;
         at.increment(gone))
        files += at->is_regular_file(gone) ? 1 : 0;
    return files;
}

bool await_files(const std::filesystem::path& folder, std::size_t count)
{
    return eventually([&] { return count_files(folder) == count; });
}

UploadFile koi_glb()
{
    return glb("koi", samples::make_koi());
}

UploadFile robot_glb()
{
    return glb("robot", samples::make_robot());
}

std::vector<UploadFile> robot_md5()
{
    std::vector<UploadFile> files;
    for (const auto& file : exporting::write_md5(samples::make_robot(), "robot"))
        files.push_back(upload_file(file.name, file.bytes));
    return files;
}

UploadFile vase_glb()
{
    return glb("vase", samples::make_vase());
}

} // namespace vitrine::test

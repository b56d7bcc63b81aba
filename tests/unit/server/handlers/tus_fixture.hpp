#pragma once
// Requests of resumable uploads.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/base64.hpp"
#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {

class Tus : public HandlerTest {
protected:
    explicit Tus(const std::function<void(ServicesConfig&)>& adjust = {}) : HandlerTest(true, adjust) {}

    static Fields with(const Fields& fields)
    {
        Fields all{{"Tus-Resumable", "1.0.0"}};
        all.insert(all.end(), fields.begin(), fields.end());
        return all;
    }
    static Fields bytes_at(std::size_t offset)
    {
        return with(
            {{"Content-Type", "application/offset+octet-stream"}, {"Upload-Offset", std::to_string(offset)}});
    }
    static std::string metadata(std::string_view key, std::string_view value)
    {
        return std::string(key) + " " + test::encode_base64(bytes_of(value));
    }
    // Returns the path of a new upload.
    std::string begin(std::size_t length, const std::string& name = "bar.obj", const Fields& more = {})
    {
        Fields fields{{"Upload-Length", std::to_string(length)},
                      {"Upload-Metadata", metadata("filename", name)}};
        fields.insert(fields.end(), more.begin(), more.end());
        const auto made = ask(Method::post, "/v1/uploads", with(fields));
        EXPECT_EQ(made.status(), 201);
        return made.header("Location");
    }
    Answered append(const std::string& path, std::size_t offset, std::string bytes)
    {
        return ask(Method::patch, path, bytes_at(offset), {bytes}, bytes.size());
    }
    Answered state(const std::string& path) { return ask(Method::head, path, with({})); }
    Answered name_uploads(const std::string& json, const Fields& more = {})
    {
        Fields fields{{"Content-Type", "application/json"}};
        fields.insert(fields.end(), more.begin(), more.end());
        return ask(Method::post, "/v1/assets", fields, {json});
    }
    static std::string id_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }
    static std::string names(const std::vector<std::string>& paths)
    {
        std::string list;
        for (const auto& path : paths)
            list += (list.empty() ? "\"" : ",\"") + id_of(path) + "\"";
        return "{\"uploads\":[" + list + "]}";
    }
    std::string file_named(const std::string& name, const std::string& bytes)
    {
        const auto path = begin(bytes.size(), name);
        EXPECT_EQ(append(path, 0, bytes).status(), 204);
        return path;
    }
};

} // namespace vitrine::server::testing

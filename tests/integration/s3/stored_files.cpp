// Stored files of a server under test, in its data folder or in Swift, by Swift's own interface.

#include <cstdlib>

#include "tests/integration/http_support.hpp"

namespace vitrine::test {
namespace {

struct Account {
    int port = 0;
    std::string token;
    std::string bucket; // path of the container
};

Account sign_in()
{
    const std::string endpoint = std::getenv("VITRINE_TEST_OBJECT_STORE");
    const int port = std::atoi(endpoint.c_str() + endpoint.rfind(':') + 1);
    const auto reply = get(port, "/auth/v1.0",
                           {{"X-Auth-User", std::getenv("AWS_ACCESS_KEY_ID")},
                            {"X-Auth-Key", std::getenv("AWS_SECRET_ACCESS_KEY")}});
    const auto url = reply.header("x-storage-url");
    return {port, reply.header("x-auth-token"), url.substr(url.find("/v1/")) + "/vitrine"};
}

std::vector<std::string> list_objects(const Account& account, const std::filesystem::path& data)
{
    const auto listing = get(account.port, account.bucket + "?prefix=" + name_in_stores(data) + "/blobs/",
                             {{"X-Auth-Token", account.token}})
                             .body;
    std::vector<std::string> names; // one a line
    for (std::size_t at = 0, end = 0; (end = listing.find('\n', at)) != listing.npos; at = end + 1)
        names.push_back(listing.substr(at, end - at));
    return names;
}

} // namespace

bool has_object_store()
{
    return std::getenv("VITRINE_TEST_OBJECT_STORE") != nullptr;
}

std::size_t count_stored_files(const std::filesystem::path& data)
{
    return has_object_store() ? list_objects(sign_in(), data).size() : count_files(data / "blobs");
}

void remove_stored_files(const std::filesystem::path& data)
{
    if (!has_object_store()) {
        std::filesystem::remove_all(data / "blobs");
        return;
    }
    std::filesystem::remove_all(data / "blob-cache");
    const auto account = sign_in();
    for (const auto& name : list_objects(account, data))
        fetch(account.port, "DELETE", account.bucket + "/" + name, {{"X-Auth-Token", account.token}});
}

} // namespace vitrine::test

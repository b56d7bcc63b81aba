#pragma once
// Derived files that several processes share. An object is a whole file of a DerivedCache, with its checksum,
// under the digest of its key. Objects may be replaced and removed by any process at any time. Two
// implementations: files of a folder (here), and objects of an S3 store (services/s3). Any thread; blocking.
// Throws StorageError.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vitrine::server {

// In digests.
inline constexpr std::string_view digest_digits = "0123456789abcdef";

struct DerivedObject {
    std::string digest; // DerivedKey::digest()
    std::uint64_t size_bytes = 0;
    std::chrono::seconds age{}; // since it was stored or refreshed
};

class DerivedStore {
public:
    virtual ~DerivedStore() = default;
    virtual std::optional<DerivedObject> find(const std::string& digest) = 0;
    // Passes the object to `sink` in pieces, whose exceptions are passed on. False: there is none.
    virtual bool get(const std::string& digest,
                     const std::function<void(std::span<const std::byte>)>& sink) = 0;
    // Readers see the whole object, or the one before it.
    virtual void put(const std::string& digest, const std::filesystem::path& file) = 0;
    // The object's age begins anew; `file` has its content.
    virtual void refresh(const std::string& digest, const std::filesystem::path& file) { put(digest, file); }
    virtual void remove(const std::string& digest) = 0; // also if there is none
    // Visits the objects whose digests begin with this hexadecimal digit until `visit` returns false, and
    // removes what killed processes have left there.
    virtual void list(char first_digit, const std::function<bool(DerivedObject)>& visit) = 0;
    virtual void interrupt() {} // all calls fail from now on, also those in progress
};

// Files below `folder`, which must exist when they are used, on this machine or in a network file system.
std::unique_ptr<DerivedStore> make_folder_derived_store(const std::filesystem::path& folder);

struct SharedDerivedOptions {
    std::uint64_t limit_bytes = 100ull << 30;        // of all objects; also that of the other processes
    std::chrono::seconds refresh_age{24 * 3600};     // of objects in use, before they are stored again
    std::chrono::milliseconds missing_time{5'000};   // a missing object is not looked for again
    std::chrono::milliseconds answer_wait{1'000};    // for the beginning of an object
    std::chrono::milliseconds transfer_wait{10'000}; // for all of it
    std::chrono::milliseconds first_pause{5'000};    // after failures; doubled with each, up to a minute
};

} // namespace vitrine::server

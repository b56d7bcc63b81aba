#pragma once
// Answers of deferred requests that nothing else can give again: those to models in the body and to
// parameters in the body. They are in the derived files, whose limit counts them. Any thread, blocking.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/services/storage/derived_cache.hpp"

namespace vitrine::server {

struct KeptAnswer {
    std::string head;
    DerivedFile file;
    std::uint64_t body_offset = 0; // in the file; the body ends with it
};

class KeptAnswers {
public:
    // `derived` outlives it.
    explicit KeptAnswers(DerivedCache& derived) : derived_(derived) {}

    // `job`: its id. `head`: of the caller; at most 64 KiB. False: there is no room for it.
    bool store(const std::string& job, std::string_view head, const WriteContent& body);
    // Empty: it was removed, or another process has made it that shares no derived files.
    std::optional<KeptAnswer> find(const std::string& job);
    void remove(const std::string& job);

private:
    DerivedCache& derived_;
};

} // namespace vitrine::server

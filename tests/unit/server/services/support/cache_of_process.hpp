#pragma once
// Derived files of one process, which others share.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "server/services/storage/derived_cache.hpp"
#include "tests/unit/server/services/support/fixture.hpp"

namespace vitrine::server::testing {

inline DerivedKey key_named(const std::string& parameters)
{
    return {"source", "render", parameters, 1};
}

// Each process has a registry, because metrics are compared.
struct CacheOfProcess {
    CacheOfProcess(const std::filesystem::path& place, std::unique_ptr<DerivedStore> shared,
                   const SharedDerivedOptions& options)
        : cache(place, 1 << 30, metrics, std::move(shared), options)
    {
    }

    std::string find(const std::string& name)
    {
        const auto found = cache.find(key_named(name));
        return found ? text_of(*found) : std::string();
    }
    bool store(const std::string& name, std::string_view text)
    {
        return cache.store(key_named(name), bytes_of(text));
    }
    double known() { return shared.known.Value(); }

    prometheus::Registry registry;
    Metrics metrics{registry};
    SharedDerivedMetrics shared = metrics.shared_derived();
    DerivedCache cache;
};

} // namespace vitrine::server::testing

// Where the handler of a route runs, and what its response is made from.

#include <chrono>

#include "server/routing/dispatcher.hpp"

namespace vitrine::server {
namespace {

constexpr std::chrono::seconds web_file_time{1}; // in which a changed file may not be seen

} // namespace

WorkPool& Dispatcher::work_pool(Pool pool) const
{
    switch (pool) {
    case Pool::exports: return context_.exports_pool;
    case Pool::scenes: return context_.scenes_pool;
    case Pool::passwords: return context_.passwords_pool;
    case Pool::sign_on: return context_.sign_on_pool;
    case Pool::catalog: break;
    }
    return context_.catalog_pool;
}

ResponseCache::Validity Dispatcher::validity_of(const Request& request, ResponseSource source) const
{
    const auto& generations = context_.services.catalog.generations();
    switch (source) {
    case ResponseSource::asset:
        if (may_show_other_assets(request)) return {.stamp = generations.of_catalog()};
        return {.stamp = generations.of_asset(request.param("id"))};
    case ResponseSource::catalog: return {.stamp = generations.of_catalog()};
    case ResponseSource::web_file: return {.until = ResponseCache::Clock::now() + web_file_time};
    case ResponseSource::unknown:
    case ResponseSource::program: break;
    }
    return {};
}

} // namespace vitrine::server

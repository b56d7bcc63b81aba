#include "server/routing/response_cache.hpp"
#include "server/routing/fields/security_headers.hpp"

#include <atomic>
#include <list>
#include <mutex>
#include <string>
#include <unordered_map>

#include <prometheus/counter.h>
#include <prometheus/gauge.h>

#include "server/net/request_guard.hpp"
#include "server/routing/revalidation.hpp"

namespace vitrine::server {
namespace {

constexpr std::uint64_t node_bytes = 256; // of a response in list and map, without its key

struct KeyHash {
    std::size_t operator()(const ResponseCacheKey& key) const
    {
        const std::hash<std::string_view> hash;
        return (hash(key.target) * 31 + hash(key.accept)) * 31 + static_cast<std::size_t>(key.encoding);
    }
};

prometheus::Counter& counter(prometheus::Registry& registry, const char* name, const char* help)
{
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry).Add({});
}

} // namespace

struct ResponseCache::State {
    State(std::uint64_t budget, prometheus::Registry& registry)
        : budget_bytes(budget), bytes_gauge(prometheus::BuildGauge()
                                                .Name("vitrine_answer_cache_bytes")
                                                .Help("Bytes of cached responses, including those being sent")
                                                .Register(registry)
                                                .Add({})),
          hits(counter(registry, "vitrine_answer_cache_hits_total",
                       "Requests answered from cached responses")),
          evictions(counter(registry, "vitrine_answer_cache_evictions_total",
                            "Cached responses removed to make room for others"))
    {
    }

    struct Node {
        std::string target, accept;
        Encoding encoding;
        SharedCachedResponse response;
        Validity validity;
        std::uint64_t bytes = 0;
        bool is_protected = false; // was asked for again

        ResponseCacheKey key() const { return {target, accept, encoding}; }
    };
    using Nodes = std::list<Node>;
    // A response that counts until its last use.
    struct Counted;

    void remove(Nodes::iterator node);
    void protect(Nodes::iterator node);
    bool make_room(std::uint64_t size);

    const std::uint64_t budget_bytes;
    std::atomic<std::uint64_t> used_bytes = 0;
    prometheus::Gauge& bytes_gauge;
    prometheus::Counter& hits;
    prometheus::Counter& evictions;

    std::mutex mutex;            // guards the members below
    Nodes probation, protected_; // the most recently used one first
    std::uint64_t protected_bytes = 0, stored_bytes = 0;
    std::unordered_map<ResponseCacheKey, Nodes::iterator, KeyHash> nodes; // the keys are in the lists
};

struct ResponseCache::State::Counted {
    Counted(std::shared_ptr<State> owner, CachedResponse&& response, std::uint64_t size)
        : state(std::move(owner)), value(std::move(response)), bytes(size)
    {
        state->used_bytes += bytes;
        state->bytes_gauge.Increment(static_cast<double>(bytes));
    }
    ~Counted()
    {
        state->used_bytes -= bytes;
        state->bytes_gauge.Decrement(static_cast<double>(bytes));
    }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

    std::shared_ptr<State> state;
    CachedResponse value;
    std::uint64_t bytes;
};

void ResponseCache::State::remove(Nodes::iterator node)
{
    nodes.erase(node->key());
    stored_bytes -= node->bytes;
    if (node->is_protected) protected_bytes -= node->bytes;
    (node->is_protected ? protected_ : probation).erase(node);
}

// The protected segment has at most four fifths of the budget.
void ResponseCache::State::protect(Nodes::iterator node)
{
    auto& list = node->is_protected ? protected_ : probation;
    protected_.splice(protected_.begin(), list, node);
    if (std::exchange(node->is_protected, true)) return;
    protected_bytes += node->bytes;
    while (protected_bytes > budget_bytes / 5 * 4) {
        const auto last = std::prev(protected_.end());
        last->is_protected = false;
        protected_bytes -= last->bytes;
        probation.splice(probation.begin(), protected_, last);
    }
}

// Removes responses until `size` bytes fit. Returns false if removed responses that are being sent leave no
// room.
bool ResponseCache::State::make_room(std::uint64_t size)
{
    if (used_bytes - stored_bytes + size > budget_bytes) return false;
    while (used_bytes + size > budget_bytes) {
        auto& list = probation.empty() ? protected_ : probation;
        if (list.empty()) return false;
        remove(std::prev(list.end()));
        evictions.Increment();
    }
    return true;
}

ResponseCache::ResponseCache(std::uint64_t budget_bytes, prometheus::Registry& registry)
    : state_(std::make_shared<State>(budget_bytes, registry))
{
}

// The responses refer to the state: they go first.
ResponseCache::~ResponseCache()
{
    const std::lock_guard lock(state_->mutex);
    state_->nodes.clear();
    state_->probation.clear();
    state_->protected_.clear();
}

SharedCachedResponse ResponseCache::find(const ResponseCacheKey& key)
{
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->nodes.find(key);
    if (found == state_->nodes.end()) return nullptr;
    const auto node = found->second;
    const auto& validity = node->validity;
    if (!validity.stamp.is_current()) return nullptr;
    if (validity.until != Clock::time_point::max() && validity.until <= Clock::now()) return nullptr;
    state_->protect(node);
    state_->hits.Increment();
    return node->response;
}

SharedCachedResponse ResponseCache::find_any(const ResponseCacheKey& key)
{
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->nodes.find(key);
    return found == state_->nodes.end() ? nullptr : found->second->response;
}

SharedCachedResponse ResponseCache::insert(const ResponseCacheKey& key, CachedResponse& response,
                                           const Validity& validity)
{
    const auto bytes = response.memory_bytes() + key.target.size() + key.accept.size() + node_bytes;
    if (bytes > std::min(max_response_bytes, state_->budget_bytes / 4)) return nullptr;
    if (key.target.size() > max_target_bytes || key.accept.size() > max_target_bytes) return nullptr;
    const std::lock_guard lock(state_->mutex);
    bool was_protected = false;
    if (const auto known = state_->nodes.find(key); known != state_->nodes.end()) {
        was_protected = known->second->is_protected;
        state_->remove(known->second);
    }
    if (!state_->make_room(bytes)) return nullptr;
    const auto counted = std::make_shared<State::Counted>(state_, std::move(response), bytes);
    SharedCachedResponse shared(counted, &counted->value);
    state_->probation.push_front({.target = std::string(key.target),
                                  .accept = std::string(key.accept),
                                  .encoding = key.encoding,
                                  .response = shared,
                                  .validity = validity,
                                  .bytes = bytes});
    const auto node = state_->probation.begin();
    state_->stored_bytes += bytes;
    state_->nodes.emplace(node->key(), node);
    if (was_protected) state_->protect(node);
    return shared;
}

namespace {

// Moves a body in memory; that of an earlier response is copied. Returns false for other bodies.
bool move_content(ResponseBody& body, CachedResponse& cached)
{
    if (auto* text = std::get_if<std::string>(&body))
        cached.content = std::move(*text);
    else if (const auto* bytes = std::get_if<SharedBytes>(&body))
        cached.content = *bytes;
    else if (const auto* earlier = std::get_if<SharedCachedResponse>(&body))
        cached.content = (*earlier)->content;
    else
        return false;
    return true;
}

void move_back(CachedResponse& cached, ResponseBody& body)
{
    if (auto* text = std::get_if<std::string>(&cached.content))
        body = std::move(*text);
    else
        body = std::get<SharedBytes>(cached.content);
}

} // namespace

std::string target_of(const Request& request)
{
    const auto& target = request.target;
    return target.raw_query.empty() ? target.path : target.path + "?" + target.raw_query;
}

ResponseCacheKey key_of(const Request& request, const std::string& target, Encoding encoding)
{
    return {target, request.headers.find("Accept").value_or(""), encoding};
}

void cache_response(ResponseCache& cache, const Request& request, const ResponseOrigin& origin,
                    Response& response)
{
    const bool is_private = response.headers.find("Set-Cookie").has_value() ||
                            response.headers.find("Cache-Control").value_or("").contains("no-store");
    if (is_private || !response.headers.find("ETag")) return;
    const auto target = target_of(request);
    const auto key = key_of(request, target, origin.encoding);
    CachedResponse cached{.etag = std::string(*response.headers.find("ETag")), .route = origin.route};
    if (response.status == 304 && !cache.find(key)) {
        cached.unchanged_head = serialize_fields(response);
        cache.insert(key, cached, origin.validity);
    }
    if (response.status != 200) return;
    auto same = unchanged(response);
    add_security_headers(same);
    cached.unchanged_head = serialize_fields(same);
    cached.head = serialize_fields(response);
    if (!move_content(response.body, cached)) return;
    if (auto stored = cache.insert(key, cached, origin.validity))
        response.body = std::move(stored);
    else
        move_back(cached, response.body);
}

void make_private(Response& response)
{
    constexpr std::string_view is_public = "public, ";
    auto caching = std::string(response.headers.find("Cache-Control").value_or(""));
    if (caching.starts_with(is_public))
        response.headers.set("Cache-Control", "private, " + caching.substr(is_public.size()));
}

} // namespace vitrine::server

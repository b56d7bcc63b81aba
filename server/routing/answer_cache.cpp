#include "server/routing/answer_cache.hpp"

#include <atomic>
#include <list>
#include <mutex>
#include <string>
#include <unordered_map>

#include <prometheus/counter.h>
#include <prometheus/gauge.h>

namespace vitrine::server {
namespace {

constexpr std::uint64_t node_bytes = 256; // of an answer in list and map, without its key

struct KeyHash {
    std::size_t operator()(const AnswerKey& key) const
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

struct AnswerCache::State {
    State(std::uint64_t budget, prometheus::Registry& registry)
        : budget_bytes(budget), bytes_gauge(prometheus::BuildGauge()
                                                .Name("vitrine_answer_cache_bytes")
                                                .Help("Bytes of stored answers, including those being sent")
                                                .Register(registry)
                                                .Add({})),
          hits(counter(registry, "vitrine_answer_cache_hits_total", "Requests answered from stored answers")),
          evictions(counter(registry, "vitrine_answer_cache_evictions_total",
                            "Stored answers removed to make room for others"))
    {
    }

    struct Node {
        std::string target, accept;
        Encoding encoding;
        SharedAnswer answer;
        Validity validity;
        std::uint64_t bytes = 0;
        bool is_protected = false; // was asked for again

        AnswerKey key() const { return {target, accept, encoding}; }
    };
    using Nodes = std::list<Node>;
    // An answer that counts until its last use.
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
    std::unordered_map<AnswerKey, Nodes::iterator, KeyHash> nodes; // the keys are in the lists
};

struct AnswerCache::State::Counted {
    Counted(std::shared_ptr<State> owner, PreparedAnswer&& answer, std::uint64_t size)
        : state(std::move(owner)), value(std::move(answer)), bytes(size)
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
    PreparedAnswer value;
    std::uint64_t bytes;
};

void AnswerCache::State::remove(Nodes::iterator node)
{
    nodes.erase(node->key());
    stored_bytes -= node->bytes;
    if (node->is_protected) protected_bytes -= node->bytes;
    (node->is_protected ? protected_ : probation).erase(node);
}

// The protected segment has at most four fifths of the budget.
void AnswerCache::State::protect(Nodes::iterator node)
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

// Removes answers until `size` bytes fit. Returns false if removed answers that are being sent leave no room.
bool AnswerCache::State::make_room(std::uint64_t size)
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

AnswerCache::AnswerCache(std::uint64_t budget_bytes, prometheus::Registry& registry)
    : state_(std::make_shared<State>(budget_bytes, registry))
{
}

// The answers refer to the state: they go first.
AnswerCache::~AnswerCache()
{
    const std::lock_guard lock(state_->mutex);
    state_->nodes.clear();
    state_->probation.clear();
    state_->protected_.clear();
}

SharedAnswer AnswerCache::find(const AnswerKey& key)
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
    return node->answer;
}

SharedAnswer AnswerCache::find_any(const AnswerKey& key)
{
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->nodes.find(key);
    return found == state_->nodes.end() ? nullptr : found->second->answer;
}

SharedAnswer AnswerCache::insert(const AnswerKey& key, PreparedAnswer& answer, const Validity& validity)
{
    const auto bytes = answer.memory_bytes() + key.target.size() + key.accept.size() + node_bytes;
    if (bytes > std::min(max_answer_bytes, state_->budget_bytes / 4)) return nullptr;
    if (key.target.size() > max_target_bytes || key.accept.size() > max_target_bytes) return nullptr;
    const std::lock_guard lock(state_->mutex);
    bool was_protected = false;
    if (const auto known = state_->nodes.find(key); known != state_->nodes.end()) {
        was_protected = known->second->is_protected;
        state_->remove(known->second);
    }
    if (!state_->make_room(bytes)) return nullptr;
    const auto counted = std::make_shared<State::Counted>(state_, std::move(answer), bytes);
    SharedAnswer shared(counted, &counted->value);
    state_->probation.push_front({.target = std::string(key.target),
                                  .accept = std::string(key.accept),
                                  .encoding = key.encoding,
                                  .answer = shared,
                                  .validity = validity,
                                  .bytes = bytes});
    const auto node = state_->probation.begin();
    state_->stored_bytes += bytes;
    state_->nodes.emplace(node->key(), node);
    if (was_protected) state_->protect(node);
    return shared;
}

} // namespace vitrine::server

#pragma once
// Complete answers of GET requests by target, Accept and encoding, so that most requests need no handler, no
// database and no disk. An answer is used only while the generation of what it was made from is current
// (util/generations.hpp).
//
// Segmented LRU: answers asked for once cannot displace those asked for again, so that a client which asks
// for many different targets only removes the answers of others like it. The budget counts every answer until
// the last response with it was sent, also after its eviction: slow readers of many answers hold no more. Any
// thread.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include <prometheus/registry.h>

#include "server/net/prepared_answer.hpp"
#include "server/routing/content_encoding.hpp"
#include "server/util/generations.hpp"

namespace vitrine::server {

struct AnswerKey {
    std::string_view target; // path and query as sent
    std::string_view accept; // the field
    Encoding encoding = Encoding::identity;

    bool operator==(const AnswerKey&) const = default;
};

class AnswerCache {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::size_t max_target_bytes = 1024; // of the target, and of Accept
    static constexpr std::uint64_t max_answer_bytes = 1 << 20;

    // `budget_bytes`: 0 stores nothing.
    AnswerCache(std::uint64_t budget_bytes, prometheus::Registry& registry);
    ~AnswerCache();

    // How long an answer is used.
    struct Validity {
        Generations::Stamp stamp{};                         // of what it was made from, taken before
        Clock::time_point until = Clock::time_point::max(); // for sources without a generation
    };

    // Returns null if there is no current answer.
    SharedAnswer find(const AnswerKey& key);
    // Returns the last answer, also an outdated one.
    SharedAnswer find_any(const AnswerKey& key);
    // Stores the answer in place of the one with this key and returns it shared. Null: it is too large, or
    // the budget has no room; `answer` is unchanged then.
    SharedAnswer insert(const AnswerKey& key, PreparedAnswer& answer, const Validity& validity);

private:
    struct State;
    std::shared_ptr<State> state_; // shared with the answers
};

} // namespace vitrine::server

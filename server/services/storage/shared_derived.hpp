#pragma once
// The second tier of a DerivedCache: derived files in a DerivedStore that several processes share. What a
// process makes is put there by threads of this object, what it lacks is looked for there. The processes do
// not speak with each other: each removes, now and then, the oldest objects of a random part of the store
// above that part's share of the limit. A store that is gone or slow costs a bounded time, then it is not
// asked for a while. Any thread.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "server/services/storage/derived_store.hpp"
#include "server/util/error.hpp"
#include "server/util/metrics.hpp"

namespace vitrine::server {

class SharedDerived {
public:
    // The files of this process, which hold what is sent and take what is fetched. Called by any thread.
    struct LocalTier {
        std::function<std::filesystem::path(const std::string& digest)> path_of;
        // Takes the file `temporary`, which is in the folder of path_of(); false: its checksum is wrong. The
        // caller removes it then. Throws StorageError.
        std::function<bool(const std::string& digest, const std::filesystem::path& temporary)> adopt;
    };
    enum class Ask : std::uint8_t {
        once,  // not for an object that was missing a moment ago
        again, // another process has reported that it is there
    };

    SharedDerived(std::unique_ptr<DerivedStore> store, const SharedDerivedOptions& options,
                  const SharedDerivedMetrics& metrics, LocalTier local);
    ~SharedDerived(); // files that wait are not stored

    // Fetches the object into the local tier, once for equal concurrent calls. False: there is none, it is
    // damaged (then it is removed), the store gives no answer in time, or the thread's work is stopped.
    bool fetch(const std::string& digest, Ask ask);
    // Stores the local file soon, unless the store has it; then its age begins anew if it is old. Does not
    // wait; does nothing while the store is gone.
    void offer(const std::string& digest);
    // The same now: other processes find it when the call returns. Errors: unavailable
    // ("storage_unavailable").
    Result<void> publish(const std::string& digest);
    // Removes the oldest objects above the limit among those whose digests begin with this hexadecimal
    // digit; called by the threads of this object. Throws StorageError.
    void collect(char first_digit);

    const SharedDerivedOptions& options() const;
    void interrupt(); // fetches and stores nothing from now on

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace vitrine::server

#pragma once
// The scenes and levels of detail that a render process has, in the server: gives them numbers, and chooses
// those that it need not have any more. Used by the device's thread.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "server/render_process/messages.hpp"

namespace vitrine::render_process {

template <class Object>
class SharedObjects {
public:
    struct Entry {
        std::weak_ptr<const Object> object;
        const Object* address = nullptr;
        ObjectId id = 0;
        std::uint64_t size_bytes = 0;
        std::uint64_t last_use = 0;
    };

    // `send(object, id)` passes an object to the process and returns its size in bytes.
    using Send = std::function<std::uint64_t(const Object&, ObjectId)>;
    SharedObjects(std::uint64_t limit_bytes, Send send) : limit_bytes_(limit_bytes), send_(std::move(send)) {}

    // Objects used from now on stay with the process until the next call.
    void begin_request() { request_begin_ = ++clock_; }
    // Returns the number of an object, which the process has then; 0 for null. Throws what `send` throws.
    ObjectId id_of(const std::shared_ptr<const Object>& object)
    {
        if (!object) return 0;
        for (auto& entry : entries_) {
            if (entry.address != object.get() || !has_same_owner(entry.object, object)) continue;
            entry.last_use = ++clock_;
            return entry.id;
        }
        const ObjectId id = ++last_id_;
        const auto size_bytes = send_(*object, id);
        entries_.push_back({object, object.get(), id, size_bytes, ++clock_});
        return id;
    }
    // Returns the objects to release: those that exist no more in the server, and the least recently used
    // beyond the limit, but none of the current request.
    std::vector<ObjectId> take_unneeded()
    {
        std::vector<ObjectId> ids;
        std::uint64_t total = 0;
        std::ranges::sort(entries_, std::ranges::greater{}, &Entry::last_use);
        std::erase_if(entries_, [&](const Entry& entry) {
            total += entry.size_bytes;
            const bool is_needed =
                entry.last_use > request_begin_ || (!entry.object.expired() && total <= limit_bytes_);
            if (!is_needed) ids.push_back(entry.id);
            if (!is_needed) total -= entry.size_bytes;
            return !is_needed;
        });
        return ids;
    }

private:
    // Another object may be at the address of one that is gone.
    static bool has_same_owner(const std::weak_ptr<const Object>& a, const std::shared_ptr<const Object>& b)
    {
        return !a.owner_before(b) && !b.owner_before(a);
    }

    std::uint64_t limit_bytes_;
    Send send_;
    std::uint64_t clock_ = 0, request_begin_ = 0;
    ObjectId last_id_ = 0;
    std::vector<Entry> entries_;
};

} // namespace vitrine::render_process

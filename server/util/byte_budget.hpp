#pragma once
// A number of bytes with a limit, of which work that is in progress takes what it needs. Any thread.

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace prometheus {
class Gauge;
}

namespace vitrine::server {

class ByteBudget {
public:
    // `gauge`: shows what is taken; must outlive the budget.
    ByteBudget(std::uint64_t limit, prometheus::Gauge& gauge) : limit_(limit), gauge_(gauge) {}

    // Returns false, and changes nothing, if there is no room.
    bool take(std::uint64_t bytes);
    // As take(), but gives any size to the only one that takes something: `own` of the taken bytes are its.
    bool take_alone(std::uint64_t bytes, std::uint64_t own);
    void release(std::uint64_t bytes);

private:
    std::uint64_t limit_;
    std::atomic<std::uint64_t> used_ = 0;
    prometheus::Gauge& gauge_;
};

// Bytes taken from a budget; returned by the destructor. One thread at a time.
class ByteReservation {
public:
    explicit ByteReservation(std::shared_ptr<ByteBudget> budget) : budget_(std::move(budget)) {}
    ~ByteReservation() { budget_->release(bytes_); }
    ByteReservation(const ByteReservation&) = delete;
    ByteReservation& operator=(const ByteReservation&) = delete;

    // Returns false, and changes nothing, if the budget has no room.
    bool grow_to(std::uint64_t bytes);
    // As grow_to(), or beyond the limit if nothing else is taken.
    bool grow_alone_to(std::uint64_t bytes);

private:
    std::shared_ptr<ByteBudget> budget_;
    std::uint64_t bytes_ = 0;
};

} // namespace vitrine::server

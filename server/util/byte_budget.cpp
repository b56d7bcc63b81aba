#include "server/util/byte_budget.hpp"

#include <prometheus/gauge.h>

namespace vitrine::server {

bool ByteBudget::take(std::uint64_t bytes)
{
    std::uint64_t used = used_.load();
    do {
        if (bytes > limit_ || used > limit_ - bytes) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes));
    gauge_.Increment(static_cast<double>(bytes));
    return true;
}

bool ByteBudget::take_alone(std::uint64_t bytes, std::uint64_t own)
{
    if (take(bytes)) return true;
    if (!used_.compare_exchange_strong(own, own + bytes)) return false;
    gauge_.Increment(static_cast<double>(bytes));
    return true;
}

void ByteBudget::release(std::uint64_t bytes)
{
    used_ -= bytes;
    gauge_.Decrement(static_cast<double>(bytes));
}

bool ByteReservation::grow_to(std::uint64_t bytes)
{
    if (bytes <= bytes_) return true;
    if (!budget_->take(bytes - bytes_)) return false;
    bytes_ = bytes;
    return true;
}

bool ByteReservation::grow_alone_to(std::uint64_t bytes)
{
    if (bytes <= bytes_) return true;
    if (!budget_->take_alone(bytes - bytes_, bytes_)) return false;
    bytes_ = bytes;
    return true;
}

} // namespace vitrine::server

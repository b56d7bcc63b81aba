#include "server/util/ids.hpp"

#include <cstdint>
#include <mutex>
#include <stdexcept>

#include <sys/random.h>

#include "server/util/clock.hpp"

namespace vitrine::server {

namespace {

constexpr std::string_view alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

std::uint64_t random_bits()
{
    std::uint64_t bits = 0;
    if (getrandom(&bits, sizeof bits, 0) != static_cast<ssize_t>(sizeof bits))
        throw std::runtime_error("the system provides no random bytes");
    return bits;
}

struct IdNumber {
    std::uint64_t milliseconds = 0;
    std::uint64_t high = 0; // 40 random bits
    std::uint64_t low = 0;  // 40 random bits
};

constexpr std::uint64_t digits_mask = (std::uint64_t{1} << 40) - 1;

// Ascends also within a millisecond, and if the clock is set back: by a random step then.
IdNumber next_number()
{
    static std::mutex mutex;
    static IdNumber last;
    const auto milliseconds = static_cast<std::uint64_t>(now() / 1000);
    const std::lock_guard lock(mutex);
    if (milliseconds > last.milliseconds) {
        last = {milliseconds, random_bits() & digits_mask, random_bits() & digits_mask};
        return last;
    }
    last.low = random_bits() & digits_mask;
    last.high += 1 + (random_bits() & 0xfff);
    last.milliseconds += last.high >> 40;
    last.high &= digits_mask;
    return last;
}

void append_digits(std::string& id, std::uint64_t bits, int first_shift)
{
    for (int shift = first_shift; shift >= 0; shift -= 5)
        id += alphabet[(bits >> shift) & 31u];
}

} // namespace

std::string new_id(std::string_view prefix)
{
    std::string id(prefix);
    id += '_';
    const auto number = next_number();
    append_digits(id, number.milliseconds, 45); // 10 digits hold 50 bits
    append_digits(id, number.high, 35);
    append_digits(id, number.low, 35);
    return id;
}

} // namespace vitrine::server

#pragma once
// Generation numbers of assets and of the whole catalog, by which data made from the catalog is recognized as
// outdated without asking it. A number counts the changes that have ended and, in its low bits, those that
// are in progress: from before their commit until after it. Data is current while its number is the same and
// no change is in progress, so that nothing made from the state before a commit is used once anybody can see
// the state after it. Any thread; does not wait.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::server {

class Generations {
    using Counter = std::atomic<std::uint64_t>;
    static constexpr std::uint64_t ended = 1 << 16; // more than the changes in progress at one instant

public:
    // The generation at one instant. Take it before reading the catalog; valid as long as the Generations.
    class Stamp {
    public:
        Stamp() = default; // of data that never changes
        bool is_current() const
        {
            return counter_ == nullptr || (value_ % ended == 0 && counter_->load() == value_);
        }

    private:
        friend class Generations;
        explicit Stamp(const Counter& counter) : counter_(&counter), value_(counter.load()) {}
        const Counter* counter_ = nullptr;
        std::uint64_t value_ = 0;
    };

    // Assets share a limited number of counters: a change of one may outdate data of another.
    Stamp of_asset(std::string_view id) const { return Stamp(assets_[index_of(id)]); }
    Stamp of_catalog() const { return Stamp(catalog_); }

    // A change from just before its commit until its destruction. Several exist at the same time.
    class Change {
    public:
        Change(Generations& generations, std::span<const std::string> ids);
        static Change of_all(Generations& generations);
        ~Change() { advance(ended - 1); }
        Change(const Change&) = delete;
        Change& operator=(const Change&) = delete;

    private:
        explicit Change(Generations& generations);
        void advance(std::uint64_t step);

        Generations& generations_;
        std::vector<std::size_t> counters_; // of assets, without repetition; empty: nothing changes
    };

private:
    static constexpr std::size_t counters = 1024;
    static std::size_t index_of(std::string_view id) { return std::hash<std::string_view>{}(id) % counters; }

    std::array<Counter, counters> assets_{};
    Counter catalog_ = 0;
};

} // namespace vitrine::server

#include "server/net/completions.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>
#include <tuple>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <sys/eventfd.h>
#include <unistd.h>

namespace vitrine::server {
namespace {

int open_event()
{
    const int event = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (event < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
    return event;
}

} // namespace

struct CompletionInbox::Entry {
    Completion completion;
    Entry* older = nullptr;
};

CompletionInbox::CompletionInbox() : event_(open_event()) {}

CompletionInbox::~CompletionInbox()
{
    close();
    ::close(event_);
}

// The thread of the context takes all entries at once: only the first after that must wake it.
void CompletionInbox::add(Completion completion)
{
    auto* older = newest_.load();
    auto* const entry = new Entry{std::move(completion)};
    do
        entry->older = older;
    while (!newest_.compare_exchange_weak(older, entry)); // belongs to take() from here on
    if (is_closed_) return close();
    constexpr std::uint64_t one = 1;
    if (older == nullptr) std::ignore = ::write(event_, &one, sizeof one);
}

std::vector<Completion> CompletionInbox::take()
{
    std::uint64_t count = 0;
    std::ignore = ::read(event_, &count, sizeof count); // before the entries are taken: later ones wake again
    std::vector<Completion> taken;
    std::unique_ptr<Entry> entry(newest_.exchange(nullptr));
    while (entry) {
        taken.push_back(std::move(entry->completion));
        entry.reset(std::exchange(entry->older, nullptr));
    }
    std::ranges::reverse(taken);
    return taken;
}

void CompletionInbox::close()
{
    is_closed_ = true;
    take();
}

Completions::Completions(asio::execution_context& context)
    : service(context), inbox_(std::make_shared<CompletionInbox>()),
      descriptor_(static_cast<asio::io_context&>(context), inbox_->descriptor())
{
}

std::shared_ptr<CompletionInbox> Completions::expect()
{
    if (expected_++ == 0) wait();
    return inbox_;
}

// Only while something is expected: a context that waits has work.
void Completions::wait()
{
    descriptor_.async_wait(asio::posix::stream_descriptor::wait_read,
                           [this](boost::system::error_code error) {
                               if (!error) call_added();
                           });
}

void Completions::call_added()
{
    auto added = inbox_->take();
    expected_ -= added.size();
    if (expected_ > 0) wait();
    for (auto& completion : added)
        if (completion) completion();
}

void Completions::shutdown()
{
    descriptor_.release(); // the inbox closes it
    inbox_->close();
}

} // namespace vitrine::server

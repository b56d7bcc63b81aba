// Finished tickets are reported in the order of their submission.
#include <future>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "server/render_process/ticket_watcher.hpp"

namespace vitrine::render_process {
namespace {

class OpenTicket final : public render::FrameTicket {
public:
    void wait() noexcept override { finished.get_future().wait(); }
    std::vector<render::Frame> collect() override { return {}; }
    std::chrono::nanoseconds work_time() const override { return {}; }
    std::promise<void> finished;
};

TEST(TicketWatcher, ReportsTicketsInOrder)
{
    int pipe[2];
    ASSERT_EQ(::pipe2(pipe, O_CLOEXEC), 0);
    const worker::FileDescriptor notices(pipe[0]);
    const auto first = std::make_shared<OpenTicket>(), second = std::make_shared<OpenTicket>();
    {
        TicketWatcher watcher{worker::FileDescriptor(pipe[1])};
        watcher.add(3, first);
        watcher.add(4, second);
        second->finished.set_value();
        first->finished.set_value();
        watcher.wait_for(4);
    }
    ObjectId id = 0;
    EXPECT_EQ(::read(notices.get(), &id, sizeof id), static_cast<ssize_t>(sizeof id));
    EXPECT_EQ(id, 3u);
    EXPECT_EQ(::read(notices.get(), &id, sizeof id), static_cast<ssize_t>(sizeof id));
    EXPECT_EQ(id, 4u);
    EXPECT_EQ(::read(notices.get(), &id, sizeof id), 0) << "the pipe ends with the watcher";
}

} // namespace
} // namespace vitrine::render_process

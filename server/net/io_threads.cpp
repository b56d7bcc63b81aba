#include "server/net/io_threads.hpp"

#include <thread>

namespace vitrine::server {

IoThreads::IoThreads(unsigned threads)
{
    for (unsigned i = 0; i < threads; ++i) {
        contexts_.push_back(std::make_unique<asio::io_context>(1)); // run by one thread
        work_.push_back(asio::make_work_guard(*contexts_.back()));
    }
}

void IoThreads::run()
{
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < contexts_.size(); ++i)
        threads.emplace_back([this, i] { contexts_[i]->run(); });
    contexts_.front()->run();
}

void IoThreads::finish()
{
    for (auto& guard : work_)
        guard.reset();
}

} // namespace vitrine::server

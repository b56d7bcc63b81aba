// The formats of vitrine-loader-faulty: each extension does one thing that a loader must never do. It finds
// the channel and the result by their descriptors, as an exploit would.

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/socket.h>
#include <unistd.h>

#include "loaders/worker/child/formats.hpp"
#include "loaders/worker/protocol/message_socket.hpp"
#include "loaders/worker/protocol/process.hpp"
#include "loaders/worker/protocol/sanitizers.hpp"
#include "tests/integration/worker/faults.hpp"
#include "tests/support/blob.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::worker {

void wait_for_ever()
{
    for (const std::atomic<int> never = 0;;)
        never.wait(0);
}

namespace {

using Loaded = LoadResult<scene::Scene>;

void say(const Message& message)
{
    static MessageSocket channel{FileDescriptor(child_socket)};
    channel.send(message);
}

void send_raw(std::string bytes)
{
    iovec part{bytes.data(), bytes.size()};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    ::sendmsg(child_socket, &header, 0);
}

void write_result(const std::vector<std::byte>& bytes)
{
    if (::write(result_descriptor, bytes.data(), bytes.size()) < 0) std::abort();
}

[[noreturn]] void hand_over(const std::vector<std::byte>& bytes)
{
    write_result(bytes);
    say({MessageType::done, 0, {}});
    if (instrumented) ::_exit(EXIT_SUCCESS); // the client waits for the end
    wait_for_ever();
}

Loaded good(Source&, const Limits&)
{
    return test::skinned_bar();
}

Loaded crash(Source&, const Limits&)
{
    volatile int* nowhere = nullptr;
    *nowhere = 1;
    return {};
}

Loaded hang(Source&, const Limits&)
{
    wait_for_ever();
}

Loaded spin(Source&, const Limits&)
{
    for (volatile unsigned turns = 0;; turns = turns + 1) {
    }
}

Loaded stop(Source&, const Limits&)
{
    ::raise(SIGSTOP);
    wait_for_ever();
}

Loaded use_up_time(Source&, const Limits&)
{
    ::raise(SIGXCPU);
    wait_for_ever();
}

Loaded hungry(Source&, const Limits&)
{
    std::vector<std::vector<char>> eaten;
    for (;;)
        eaten.emplace_back(16 << 20, 'x');
}

Loaded write_too_much(Source&, const Limits&)
{
    for (const std::vector<std::byte> bytes(1 << 20);;)
        write_result(bytes);
}

Loaded abort_itself(Source&, const Limits&)
{
    std::abort();
}

Loaded throws(Source&, const Limits&)
{
    throw std::runtime_error("two\nlines \x1b[31m and \xff");
}

Loaded leave(Source&, const Limits&)
{
    ::_exit(7);
}

Loaded garbage(Source&, const Limits&)
{
    send_raw("garbage of some length");
    wait_for_ever();
}

Loaded oversized(Source&, const Limits&)
{
    send_raw(std::string(100'000, '\1'));
    wait_for_ever();
}

Loaded hang_up(Source&, const Limits&)
{
    ::close(child_socket);
    wait_for_ever();
}

Loaded chatter(Source&, const Limits&)
{
    for (;;)
        say({MessageType::entry, 0, "name"});
}

Loaded foreign_file(Source&, const Limits&)
{
    say({MessageType::open, 99, {}});
    wait_for_ever();
}

Loaded picture_of_no_package(Source&, const Limits&)
{
    say({MessageType::open_outside, 0, "gfx/blue.png"});
    wait_for_ever();
}

Loaded same_file_again(Source&, const Limits&)
{
    say({MessageType::open, 0, {}}); // run_child has received it already
    wait_for_ever();
}

Loaded wrong_size(Source&, const Limits&)
{
    auto blob = test::encode_blob(test::skinned_bar());
    blob.pop_back();
    hand_over(blob);
}

// The first text, behind the header, is longer than the whole blob.
Loaded wrong_count(Source&, const Limits&)
{
    auto blob = test::encode_blob(test::skinned_bar());
    const std::uint64_t count = blob.size();
    std::memcpy(&blob.at(24), &count, sizeof count);
    hand_over(blob);
}

Loaded wrong_indices(Source&, const Limits&)
{
    auto bar = test::skinned_bar();
    bar.meshes[0].indices[0] = 1'000'000;
    hand_over(test::encode_blob(bar));
}

Loaded invalid(Source&, const Limits&)
{
    auto bar = test::skinned_bar();
    bar.meshes[0].indices[0] = 1'000'000;
    return bar;
}

Loaded nothing(Source&, const Limits&)
{
    hand_over({});
}

// Continues to write after it has reported completion.
Loaded scribble(Source&, const Limits&)
{
    write_result(test::encode_blob(test::skinned_bar()));
    say({MessageType::done, 0, {}});
    for (const std::vector<std::byte> bytes(64);;)
        write_result(bytes);
}

// Detects open descriptors with close(), which is permitted. Skips the socket.
Loaded report(Source&, const Limits&)
{
    std::string list;
    for (int fd = 0; fd < 1024; ++fd)
        if (fd == child_socket || ::close(fd) == 0) list += std::to_string(fd) + " ";
    std::size_t variables = 0;
    while (environ[variables] != nullptr)
        ++variables;
    return fail(LoadErrc::empty, {}, "fds " + list + "env " + std::to_string(variables));
}

Loaded list_files(Source& source, const Limits&)
{
    std::string text;
    for (const auto& name : source.names()) {
        const auto bytes = source.open(name);
        text += name + "=" + (bytes ? std::to_string(bytes->size()) : "none") + " ";
    }
    source.open(source.main_name()); // repeated with this source
    return fail(LoadErrc::empty, {}, text);
}

bool is_marked(Bytes bytes)
{
    return bytes.size() >= 4 && std::string_view(reinterpret_cast<const char*>(bytes.data()), 4) == "MARK";
}

constexpr std::array faults{
    Fault{{".good"}, good},
    Fault{{".crash"}, crash},
    Fault{{".hang"}, hang},
    Fault{{".spin"}, spin},
    Fault{{".stop"}, stop},
    Fault{{".cpu"}, use_up_time},
    Fault{{".hungry"}, hungry},
    Fault{{".big"}, write_too_much},
    Fault{{".throw"}, throws},
    Fault{{".leave"}, leave},
    Fault{{".garbage"}, garbage},
    Fault{{".oversized"}, oversized},
    Fault{{".hangup"}, hang_up},
    Fault{{".chatter"}, chatter},
    Fault{{".foreign"}, foreign_file},
    Fault{{".again"}, same_file_again},
    Fault{{".seek"}, picture_of_no_package},
    Fault{{".size"}, wrong_size},
    Fault{{".count"}, wrong_count},
    Fault{{".liar"}, wrong_indices},
    Fault{{".invalid"}, invalid},
    Fault{{".nothing"}, nothing},
    Fault{{".scribble"}, scribble},
    Fault{{".abort"}, abort_itself},
    Fault{{".report"}, report},
    Fault{{".list"}, list_files},
};

} // namespace

std::span<const Format> formats()
{
    static const auto table = [] {
        std::vector<Format> rows;
        for (const auto list : {std::span<const Fault>(faults), forbidden_syscalls()})
            for (const auto& fault : list)
                rows.push_back({fault.extension[0], fault.extension, nullptr, fault.load});
        rows.push_back({"marked", {}, is_marked, good});
        return rows;
    }();
    return table;
}

} // namespace vitrine::worker

// The formats of vitrine-loader-faulty: each extension does one thing that a loader must never do. It finds
// the channel and the result by their descriptors, as code that has taken over the process would.

#include <array>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loaders/scene/blob.hpp"
#include "loaders/worker/channel.hpp"
#include "loaders/worker/formats.hpp"
#include "loaders/worker/process.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::worker {
namespace {

using Loaded = LoadResult<scene::Scene>;

[[noreturn]] void wait_for_ever()
{
    for (;;)
        ::pause();
}

void say(const Message& message)
{
    Channel channel{Descriptor(::dup(child_socket))};
    channel.send(message);
}

int result_descriptor()
{
    for (int fd = child_socket + 1; fd < 64; ++fd)
        if (::fcntl(fd, F_GETFD) >= 0 && ::fcntl(fd, F_GET_SEALS) >= 0) return fd;
    std::abort();
}

void write_result(const std::vector<std::byte>& bytes)
{
    if (::write(result_descriptor(), bytes.data(), bytes.size()) < 0) std::abort();
}

[[noreturn]] void hand_over(const std::vector<std::byte>& bytes)
{
    write_result(bytes);
    say({MessageType::done, 0, {}});
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
    if (::ftruncate(result_descriptor(), off_t{1} << 40) != 0) std::abort();
    return {};
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
    ::send(child_socket, "garbage of some length", 22, 0);
    wait_for_ever();
}

Loaded oversized(Source&, const Limits&)
{
    const std::vector<char> bytes(100'000, '\1');
    ::send(child_socket, bytes.data(), bytes.size(), 0);
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

Loaded same_file_again(Source&, const Limits&)
{
    say({MessageType::open, 0, {}}); // run_child has had it already
    wait_for_ever();
}

Loaded wrong_checksum(Source&, const Limits&)
{
    auto blob = scene::encode_blob(test::skinned_bar());
    blob[blob.size() / 2] ^= std::byte{1};
    hand_over(blob);
}

Loaded wrong_indices(Source&, const Limits&)
{
    auto bar = test::skinned_bar();
    bar.meshes[0].indices[0] = 1'000'000;
    hand_over(scene::encode_blob(bar));
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

Loaded shrink(Source&, const Limits&)
{
    write_result(scene::encode_blob(test::skinned_bar()));
    say({MessageType::done, 0, {}});
    for (;;)
        if (::ftruncate(result_descriptor(), 100) != 0) std::abort();
}

Loaded fork_off(Source&, const Limits&)
{
    const pid_t child = ::fork();
    if (child == 0) wait_for_ever();
    return fail(LoadErrc::empty, std::to_string(child), "has a child");
}

std::string open_descriptors()
{
    std::string list;
    for (int fd = 0; fd < 1024; ++fd)
        if (::fcntl(fd, F_GETFD) >= 0) list += std::to_string(fd) + " ";
    return list;
}

Loaded report(Source&, const Limits&)
{
    int death_signal = 0;
    ::prctl(PR_GET_PDEATHSIG, &death_signal);
    rlimit core{}, space{};
    ::getrlimit(RLIMIT_CORE, &core);
    ::getrlimit(RLIMIT_AS, &space);
    std::size_t variables = 0;
    while (environ[variables] != nullptr)
        ++variables;
    return fail(LoadErrc::empty, {},
                "fds " + open_descriptors() + "env " + std::to_string(variables) + " nnp " +
                    std::to_string(::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)) + " pdeath " +
                    std::to_string(death_signal) + " core " + std::to_string(core.rlim_max) + " space " +
                    std::to_string(space.rlim_max >> 20) + " group " +
                    (::getpgrp() == ::getpid() ? "own" : "shared"));
}

Loaded list_files(Source& source, const Limits&)
{
    std::string text;
    for (const auto& name : source.names()) {
        const auto bytes = source.open(name);
        text += name + "=" + (bytes ? std::to_string(bytes->size()) : "none") + " ";
    }
    source.open(source.main_name()); // again: from here
    return fail(LoadErrc::empty, {}, text);
}

bool is_marked(Bytes bytes)
{
    return bytes.size() >= 4 && std::string_view(reinterpret_cast<const char*>(bytes.data()), 4) == "MARK";
}

struct Fault {
    std::array<std::string_view, 1> extension;
    Loaded (*load)(Source&, const Limits&);
};

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
    Fault{{".checksum"}, wrong_checksum},
    Fault{{".liar"}, wrong_indices},
    Fault{{".invalid"}, invalid},
    Fault{{".nothing"}, nothing},
    Fault{{".shrink"}, shrink},
    Fault{{".fork"}, fork_off},
    Fault{{".report"}, report},
    Fault{{".list"}, list_files},
};

} // namespace

std::span<const Format> formats()
{
    static const auto table = [] {
        std::array<Format, faults.size() + 1> rows{};
        for (std::size_t i = 0; i < faults.size(); ++i)
            rows[i] = {faults[i].extension[0], faults[i].extension, nullptr, faults[i].load};
        rows.back() = {"marked", {}, is_marked, good};
        return rows;
    }();
    return table;
}

} // namespace vitrine::worker

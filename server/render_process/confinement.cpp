#include "server/render_process/confinement.hpp"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <memory>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "loaders/worker/files/file_descriptor.hpp"
#include "loaders/worker/protocol/sanitizers.hpp"

namespace vitrine::render_process {
namespace {

namespace fs = std::filesystem;

void require(bool success, const char* what)
{
    if (!success) throw std::system_error(errno, std::generic_category(), what);
}

using FilterPtr = std::unique_ptr<void, decltype([](void* context) { seccomp_release(context); })>;

// Not in the headers of older kernels.
constexpr std::uint64_t right_to_refer = 1 << 13, right_to_truncate = 1 << 14;

// The rights that open or change files, of this version of Landlock. Not: executing, which loads libraries,
// and listing.
std::uint64_t file_rights(long version)
{
    std::uint64_t rights =
        LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
        LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
        LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
        LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
    if (version >= 2) rights |= right_to_refer;
    if (version >= 3) rights |= right_to_truncate;
    return rights;
}

constexpr std::uint64_t rights_of_a_file =
    LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE | right_to_truncate;

class FileRules {
public:
    FileRules()
    {
        const auto version =
            ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
        if (version < 1) return;
        rights_ = file_rights(version);
        landlock_ruleset_attr attributes{};
        attributes.handled_access_fs = rights_;
        rules_.reset(static_cast<int>(
            ::syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0)));
    }
    // Allows what is at and below the path; not for links, whose targets have rules of their own.
    void allow(const fs::path& path)
    {
        const worker::FileDescriptor file(::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
        struct stat status{};
        if (!file.valid() || ::fstat(file.get(), &status) != 0 || S_ISLNK(status.st_mode)) return;
        landlock_path_beneath_attr rule{};
        rule.allowed_access = S_ISDIR(status.st_mode) ? rights_ : rights_ & rights_of_a_file;
        rule.parent_fd = file.get();
        ::syscall(SYS_landlock_add_rule, rules_.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    bool apply() const
    {
        return rules_.valid() && ::syscall(SYS_landlock_restrict_self, rules_.get(), 0) == 0;
    }

private:
    std::uint64_t rights_ = 0;
    worker::FileDescriptor rules_;
};

} // namespace

void bind_to_server()
{
    require(::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0, "PR_SET_PDEATHSIG");
    require(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "PR_SET_NO_NEW_PRIVS");
    const rlimit none{0, 0};
    require(::setrlimit(RLIMIT_CORE, &none) == 0, "RLIMIT_CORE");
    for (const int signal : {SIGPIPE, SIGTERM, SIGINT, SIGHUP, SIGXFSZ})
        std::signal(signal, SIG_IGN);
}

bool forbid_network()
{
    const FilterPtr filter(seccomp_init(SCMP_ACT_ALLOW));
    if (!filter) return false;
    int failures = 0;
    // All families but AF_UNIX (1) and AF_NETLINK (16), with which drivers find devices and their services.
    const auto forbid_families = [&](scmp_arg_cmp condition) {
        failures += seccomp_rule_add_array(filter.get(), SCMP_ACT_ERRNO(EACCES), SCMP_SYS(socket), 1,
                                           &condition) != 0;
    };
    forbid_families({0, SCMP_CMP_GT, AF_NETLINK, 0});
    for (scmp_datum_t family = 0; family < AF_NETLINK; ++family)
        if (family != AF_UNIX) forbid_families({0, SCMP_CMP_EQ, family, 0});
    std::vector<int> calls{SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(pidfd_getfd)};
    if (!worker::sanitized) calls.push_back(SCMP_SYS(ptrace)); // LeakSanitizer traces its own process
    for (const int call : calls)
        failures += seccomp_rule_add_array(filter.get(), SCMP_ACT_ERRNO(EPERM), call, 0, nullptr) != 0;
    failures += seccomp_rule_add_array(filter.get(), SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(io_uring_setup), 0,
                                       nullptr) != 0;
    return failures == 0 && seccomp_load(filter.get()) == 0;
}

bool forbid_files(const fs::path& folder)
{
    std::error_code error;
    const auto forbidden = fs::canonical(folder, error);
    if (error) return false;
    FileRules rules;
    fs::path at = "/";
    for (const auto& name : forbidden.relative_path()) {
        for (const auto& entry : fs::directory_iterator(at, error))
            if (entry.path().filename() != name) rules.allow(entry.path());
        at /= name;
    }
    fs::create_directory(forbidden / "shaders", error);
    rules.allow(forbidden / "shaders");
    return rules.apply();
}

} // namespace vitrine::render_process

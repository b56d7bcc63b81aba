#include "tests/integration/s3/object_store.hpp"

#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/integration/socket.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/processes/spawn.hpp"

namespace vitrine::test {
namespace {

bool is_installed()
{
    return ::access("/usr/bin/python3", X_OK) == 0 &&
           ::access("/usr/lib/python3/dist-packages/swift/proxy/server.py", R_OK) == 0;
}

} // namespace

ObjectStore* ObjectStore::running()
{
    if (!is_installed()) return nullptr;
    static const std::unique_ptr<ObjectStore> store(new ObjectStore);
    return store.get();
}

ObjectStore::ObjectStore()
{
    ::signal(SIGPIPE, SIG_IGN);
    ::setenv("AWS_ACCESS_KEY_ID", "test:tester", 1);
    ::setenv("AWS_SECRET_ACCESS_KEY", secret_key, 1);
    ::setenv("no_proxy", "*", 1);
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) return;
    in_ = in[1];
    out_ = out[0];
    const std::vector<std::string> words{"/usr/bin/python3",
                                         (source_dir() / "tests/support/object_store.py").string(),
                                         (folder_.path() / "swift").string(), bucket};
    pid_ = spawn(words, {.input = in[0], .output = out[1]});
    ::close(in[0]);
    ::close(out[1]);
    if (const auto line = read_line(); line.starts_with("ready ")) endpoint_ = line.substr(6);
}

ObjectStore::~ObjectStore()
{
    ::close(in_); // the script ends its processes
    if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
    ::close(out_);
}

std::string ObjectStore::read_line()
{
    const auto until = std::chrono::steady_clock::now() + 2 * wait_timeout;
    std::string line;
    char c = 0;
    while (readable(out_, until) && ::read(out_, &c, 1) == 1 && c != '\n')
        line.push_back(c);
    return line;
}

void ObjectStore::command(const std::string& text)
{
    EXPECT_EQ(::write(in_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    EXPECT_EQ(read_line(), "ok");
}

int ObjectStore::port() const
{
    return std::atoi(endpoint_.c_str() + endpoint_.rfind(':') + 1);
}

server::S3Options ObjectStore::options(const std::string& prefix) const
{
    return server::make_s3_options(
               {.location = std::string("s3://") + bucket + '/' + prefix, .endpoint = endpoint_})
        .value();
}

std::vector<std::string> ObjectStore::flags(const std::string& prefix) const
{
    return {"--blobs", std::string("s3://") + bucket + '/' + prefix, "--s3-endpoint", endpoint_};
}

double request_count(const prometheus::Registry& registry)
{
    double sum = 0.0;
    for (const auto& family : registry.Collect())
        if (family.name == "vitrine_blob_store_requests_total")
            for (const auto& metric : family.metric)
                sum += metric.counter.value;
    return sum;
}

} // namespace vitrine::test

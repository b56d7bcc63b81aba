// `vitrine backup` of a server that works, and `vitrine restore`.

#include <atomic>
#include <mutex>
#include <thread>

#include "tests/integration/moves/moves_fixture.hpp"

namespace vitrine::test {
namespace {

// Uploads small models one after the other until its end.
class Uploads {
public:
    explicit Uploads(int port) : port_(port) {}
    ~Uploads() { stop(); }
    Uploads(const Uploads&) = delete;
    Uploads& operator=(const Uploads&) = delete;

    void stop() { thread_ = {}; }

    static std::string content(int i) { return fmt::format("v 0 0 0\nv 1 0 0\nv 0 1 {}\nf 1 2 3\n", i); }
    // Assets in the order of their acknowledgment: the i-th has content(i).
    std::vector<std::string> acknowledged() const
    {
        const std::lock_guard lock(mutex_);
        return assets_;
    }

private:
    void work(const std::stop_token& end)
    {
        for (int i = 0; !end.stop_requested(); ++i) {
            const auto reply = upload(port_, {{"model.obj", content(i)}});
            if (reply.status != 201) return;
            const std::lock_guard lock(mutex_);
            assets_.push_back(text_at(reply.json(), "/items/0/asset/id"));
        }
    }

    const int port_;
    mutable std::mutex mutex_;
    std::vector<std::string> assets_;
    std::jthread thread_{[this](const std::stop_token& end) { work(end); }}; // last
};

class BackupCommand : public Moves {
protected:
    // Each asset is there with its file.
    static void expect_served(int port, const std::vector<std::string>& assets)
    {
        for (std::size_t i = 0; i < assets.size(); ++i)
            EXPECT_EQ(get(port, "/v1/assets/" + assets[i] + "/files/model.obj").body,
                      Uploads::content(static_cast<int>(i)));
    }

    const std::filesystem::path data = folder_ / "data", backup = folder_ / "backup";
};

TEST_F(BackupCommand, HasWhatWasAcknowledgedBeforeIt)
{
    ServerProcess server(data, on_sqlite());
    ASSERT_NE(server.port(), 0);
    Uploads uploads(server.port());
    std::vector<std::string> before;
    for (std::size_t backups = 1; backups <= 4; ++backups) {
        ASSERT_TRUE(eventually([&] { return uploads.acknowledged().size() >= 8 * backups; }));
        before = uploads.acknowledged();
        const auto outcome = run({"backup", backup.string(), "--data", data.string()});
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    }
    uploads.stop();
    EXPECT_GT(uploads.acknowledged().size(), before.size()) << "uploads went on";
    const auto restored = folder_ / "restored";
    const auto outcome = run({"restore", backup.string(), "--data", restored.string()});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    ServerProcess copy(restored, on_sqlite());
    ASSERT_NE(copy.port(), 0);
    expect_served(copy.port(), before);
    ASSERT_NE(import_asset(copy.port(), {vase_glb()}), "") << "the restored library is a library";
    expect_served(server.port(), uploads.acknowledged());
}

TEST_F(BackupCommand, TakesItsFoldersInBothOrders)
{
    make_library("data", 3);
    const auto first = run({"backup", backup.string(), "--data", data.string()});
    EXPECT_EQ(first.exit_code, 0) << first.err;
    const auto second = run({"backup", data.string(), "--to", backup.string(), "--copy", "--compare"});
    EXPECT_EQ(second.exit_code, 0) << second.err;
    EXPECT_TRUE(second.out.contains("3 blobs")) << second.out;
    const auto a = folder_ / "a", b = folder_ / "b";
    EXPECT_EQ(run({"restore", backup.string(), "--data", a.string()}).exit_code, 0);
    EXPECT_EQ(run({"restore", "--from", backup.string(), "--data", b.string()}).exit_code, 0);
    EXPECT_EQ(run({"backup", "--data", data.string()}).exit_code, 2);
    EXPECT_EQ(run({"backup", a.string(), "--data", data.string(), "--to", backup.string()}).exit_code, 2);
}

TEST_F(BackupCommand, NamesADamagedBlobAndKeepsTheRest)
{
    make_library("data", 5);
    std::ofstream(blob_path(data, 2)) << "damage";
    const auto outcome = run({"backup", backup.string(), "--data", data.string()});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_TRUE(outcome.err.contains(blob_path(data, 2).filename().string() + " is damaged in "))
        << outcome.err;
    EXPECT_TRUE(outcome.out.contains("4 blobs")) << outcome.out;
    EXPECT_EQ(run({"restore", backup.string(), "--data", (folder_ / "to").string()}).exit_code, 1)
        << "the blob is missing in the backup";
}

TEST_F(BackupCommand, IsOneSentenceWhenItCannot)
{
    make_library("data", 2);
    const auto none = (folder_ / "none").string();
    for (const auto& arguments : std::vector<std::vector<std::string>>{
             {"backup", backup.string(), "--data", none},
             {"backup", (data / "inside").string(), "--data", data.string()},
             {"restore", none, "--data", (folder_ / "to").string()},
             {"restore", data.string(), "--data", (folder_ / "to").string()}}) {
        const auto outcome = run(arguments);
        EXPECT_EQ(outcome.exit_code, 1);
        EXPECT_TRUE(outcome.err.starts_with("vitrine: ")) << outcome.err;
        EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    }
    EXPECT_FALSE(std::filesystem::exists(none));
}

} // namespace
} // namespace vitrine::test

// kill -9 at random times during uploads, renames and imports, repeatedly on one data directory. Afterwards
// all acknowledged data must exist and be complete, every import must have ended, no temporary file may
// remain, and the catalog must be consistent. VITRINE_KILLS sets the number of kills (20).

#include <csignal>
#include <cstdlib>
#include <map>
#include <random>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/util/sha256.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/processes/spawn.hpp"
#include "tests/unit/server/services/support/fakes.hpp"
#include "tests/unit/server/services/support/stored_text.hpp"

namespace vitrine::server::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class Child {
public:
    Child(const fs::path& data, unsigned seed)
    {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
        out_ = ends[0];
        pid_ = test::spawn({test::program("durability_child"), data.string(), test::program("vitrine-loader"),
                            std::to_string(seed)},
                           {.output = ends[1]});
        close(ends[1]);
        if (pid_ < 0) throw std::runtime_error("no child");
    }
    ~Child()
    {
        kill_now();
        close(out_);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    void kill_now()
    {
        if (pid_ == 0) return;
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
        pid_ = 0;
    }

    // Reads complete lines until the deadline or, after the kill, until the end.
    std::vector<std::string> read_until(std::chrono::steady_clock::time_point end)
    {
        for (;;) {
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
            pollfd ready{out_, POLLIN, 0};
            if (left.count() <= 0 || poll(&ready, 1, static_cast<int>(left.count())) <= 0) break;
            std::array<char, 4096> piece{};
            const ssize_t got = read(out_, piece.data(), piece.size());
            if (got <= 0) break;
            text_.append(piece.data(), static_cast<std::size_t>(got));
        }
        std::vector<std::string> lines;
        for (auto at = text_.find('\n'); at != std::string::npos; at = text_.find('\n')) {
            lines.push_back(text_.substr(0, at));
            text_.erase(0, at + 1);
        }
        return lines;
    }

    // Waits for the first acknowledgement.
    std::vector<std::string> first_lines()
    {
        std::vector<std::string> lines;
        test::eventually([&] {
            lines = read_until(std::chrono::steady_clock::now() + 10ms);
            return !lines.empty();
        });
        return lines;
    }

private:
    pid_t pid_ = 0;
    int out_ = -1;
    std::string text_;
};

// Data acknowledged to clients.
struct Acknowledged {
    std::map<std::string, std::string> blobs; // asset -> blob
    std::map<std::string, std::string> names; // asset -> name

    void note(const std::vector<std::string>& lines)
    {
        for (const auto& line : lines) {
            std::istringstream words(line);
            std::string kind, id, value;
            words >> kind >> id >> value;
            if (kind == "asset") blobs[id] = value;
            if (kind == "name") names[id] = value;
        }
    }
};

class Durability : public WholeServicesTest {
protected:
    fs::path data = folder() / "data";

    // One run of the child, killed at a random time; most are long enough for some uploads.
    void run_and_kill(unsigned seed, Acknowledged& acknowledged)
    {
        std::mt19937 random(seed);
        Child child(data, seed);
        const bool early = random() % 5 == 0; // also during its start
        if (!early) acknowledged.note(child.first_lines());
        acknowledged.note(
            child.read_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(random() % 200)));
        child.kill_now();
        acknowledged.note(child.read_until(std::chrono::steady_clock::now() + 10s));
    }

    void expect_sound_catalog()
    {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open((data / "catalog.sqlite").c_str(), &database), SQLITE_OK);
        std::string answer;
        const auto take = [](void* into, int, char** columns, char**) {
            *static_cast<std::string*>(into) += columns[0];
            return 0;
        };
        sqlite3_exec(database, "PRAGMA integrity_check", take, &answer, nullptr);
        sqlite3_close(database);
        EXPECT_EQ(answer, "ok");
    }

    void expect_complete(Services& services, const Acknowledged& acknowledged)
    {
        for (const auto& [id, blob] : acknowledged.blobs) {
            const auto asset = services.catalog.find_asset(id);
            ASSERT_TRUE(asset) << id << " was acknowledged and is lost";
            const auto files = services.catalog.files(id, 1);
            ASSERT_EQ(files.size(), 1u);
            EXPECT_EQ(files.front().blob, blob);
            EXPECT_EQ(sha256_hex(stored_text(*services.blobs, blob)), blob);
        }
        for (const auto& [id, name] : acknowledged.names)
            EXPECT_EQ(services.catalog.find_asset(id)->name, name);
    }

    // Counts assets that are not ready, those without metadata twice: these are imported before any is ready.
    static std::size_t left_to_import(Services& services)
    {
        std::size_t count = 0;
        ListQuery query{.status = AssetStatus::importing, .limit = 500};
        do {
            const auto page = services.catalog.list_assets(query).value();
            count += page.items.size();
            for (const auto& asset : page.items)
                count += asset.format.empty() ? 1 : 0;
            query.cursor = page.next;
        } while (!query.cursor.empty());
        return count;
    }

    // Uploads that were killed before their acknowledgement must leave nothing; catalogued bytes stay.
    void expect_no_garbage(Services& services)
    {
        std::size_t unused = 0;
        const auto count = [&](const std::string& hash) {
            unused += services.catalog.names_blob(hash) ? 0 : 1;
            return true;
        };
        EXPECT_TRUE(test::eventually([&] {
            unused = 0;
            services.blobs->visit(count);
            return unused == 0;
        })) << unused;
    }

    // Waits as long as an import ends every minute: the machine may be busy.
    void expect_all_imported(Services& services)
    {
        auto left = left_to_import(services);
        auto progress = std::chrono::steady_clock::now();
        while (left > 0 && std::chrono::steady_clock::now() - progress < 60s) {
            std::this_thread::sleep_for(50ms);
            const auto now_left = left_to_import(services);
            if (now_left != left) progress = std::chrono::steady_clock::now();
            left = now_left;
        }
        EXPECT_EQ(left, 0u) << "imports do not resume";
        EXPECT_TRUE(services.catalog.list_assets({.status = AssetStatus::failed})->items.empty());
    }
};

TEST_F(Durability, KillsLoseNoAcknowledgedData)
{
    const char* wanted = std::getenv("VITRINE_KILLS");
    const int kills = wanted ? std::atoi(wanted) : 20;
    Acknowledged acknowledged;
    for (int i = 0; i < kills; ++i)
        run_and_kill(static_cast<unsigned>(i), acknowledged);
    ASSERT_FALSE(acknowledged.blobs.empty());
    expect_sound_catalog();

    auto made = config();
    made.data = data;
    made.load_scene = nullptr; // use the loader process
    made.loader.program = test::program("vitrine-loader");
    Services services(made, registry);
    EXPECT_EQ(files_under(data / "tmp"), 0u);
    expect_complete(services, acknowledged);
    services.start();
    expect_all_imported(services);
    expect_no_garbage(services);
    services.stop(10s);
    std::size_t temporary = 0;
    for (const auto& entry : fs::recursive_directory_iterator(data))
        temporary += entry.path().extension() == ".part" ? 1 : 0;
    EXPECT_EQ(temporary, 0u);
    RecordProperty("acknowledged", static_cast<int>(acknowledged.blobs.size()));
    std::printf("%d kills, %zu assets acknowledged, %zu in the catalog\n", kills, acknowledged.blobs.size(),
                static_cast<std::size_t>(services.catalog.asset_count()));
}

} // namespace
} // namespace vitrine::server::testing

#pragma once
// Runs the real `vitrine` and reads the output of its bakes.

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glm/glm.hpp>
#include <gtest/gtest.h>

#include "tests/support/paths.hpp"
#include "tests/support/temp_dir.hpp"

namespace vitrine::test {

struct Outcome {
    int exit_code = -1;
    std::string out, err;
};

inline std::string content_of(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return (std::ostringstream() << in.rdbuf()).str();
}

inline constexpr const char* pyramid =
    "o pyramid\nv 0 0 0\nv 0.1 0 0\nv 0.1 0 0.3\nv 0 0 0.3\nv 0.05 0.7 0.15\n"
    "f 1 2 3 4\nf 1 5 2\nf 2 5 3\nf 3 5 4\nf 4 5 1\n";

// Matches exactly one line "vitrine: FILE: CODE...: WHY".
inline bool is_one_complaint(const std::string& text, const std::string& file, const std::string& code)
{
    return text.starts_with("vitrine: " + file + ": " + code) && text.ends_with('\n') &&
           text.find('\n') == text.size() - 1 && text.find(": ", 10 + file.size()) != std::string::npos;
}

class CliTest : public testing::Test {
protected:
    // `input`: the standard input.
    Outcome run(const std::vector<std::string>& arguments, const std::string& input = {}) const
    {
        std::string command = program("vitrine");
        for (const auto& argument : arguments)
            command += " " + quoted(argument);
        const auto out = folder_ / ".out", err = folder_ / ".err", in = folder_ / ".in";
        std::ofstream(in) << input;
        command += " <" + quoted(in.string()) + " >" + quoted(out.string()) + " 2>" + quoted(err.string());
        const int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(out), content_of(err)};
    }

    // Returns the output on stderr when it is a terminal.
    std::string run_on_terminal(const std::vector<std::string>& arguments) const
    {
        int terminal = -1;
        std::fflush(nullptr); // otherwise the child would print buffered output again
        const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
        if (child == 0) {
            std::vector<char*> words;
            std::string name = program("vitrine");
            words.push_back(name.data());
            std::vector<std::string> copies = arguments;
            for (auto& copy : copies)
                words.push_back(copy.data());
            words.push_back(nullptr);
            if (std::freopen("/dev/null", "w", stdout) != nullptr) ::execv(name.c_str(), words.data());
            ::_exit(127);
        }
        EXPECT_GT(child, 0);
        std::string seen;
        std::array<char, 4096> part{};
        for (ssize_t count = 0; (count = ::read(terminal, part.data(), part.size())) > 0;)
            seen.append(part.data(), static_cast<std::size_t>(count)); // ends with EIO
        ::close(terminal);
        int status = 0;
        ::waitpid(child, &status, 0);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << seen;
        return seen;
    }

    std::string write(const std::string& name, const std::string& bytes) const
    {
        return scratch_.write(name, bytes).string();
    }

    // Returns the vertices of a bake; on failure the test fails and the result is empty.
    std::vector<glm::vec3> bake(const std::string& file, std::vector<std::string> options) const
    {
        const auto path = (folder_ / "baked.obj").string();
        std::vector<std::string> arguments{"bake", file, "-o", path};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const auto outcome = run(arguments);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return vertices_of(path);
    }

    static std::vector<glm::vec3> vertices_of(const std::string& obj)
    {
        std::vector<glm::vec3> vertices;
        std::ifstream in(obj);
        for (std::string line; std::getline(in, line);) {
            glm::vec3 v;
            if (std::sscanf(line.c_str(), "v %f %f %f", &v.x, &v.y, &v.z) == 3) vertices.push_back(v);
        }
        return vertices;
    }

    const TempDir scratch_;
    const std::filesystem::path folder_ = scratch_.path();

private:
    static std::string quoted(const std::string& text)
    {
        std::string out = "'";
        for (const char c : text)
            out += c == '\'' ? std::string("'\\''") : std::string(1, c);
        return out + "'";
    }
};

// Of several files.
class Cli : public CliTest {};

inline glm::vec3 lowest(const std::vector<glm::vec3>& points)
{
    glm::vec3 low(std::numeric_limits<float>::infinity());
    for (const auto& point : points)
        low = glm::min(low, point);
    return low;
}

inline glm::vec3 highest(const std::vector<glm::vec3>& points)
{
    glm::vec3 high(-std::numeric_limits<float>::infinity());
    for (const auto& point : points)
        high = glm::max(high, point);
    return high;
}

inline float extent(const std::vector<glm::vec3>& points)
{
    const auto size = highest(points) - lowest(points);
    return std::max({size.x, size.y, size.z});
}

// Returns the largest distance from a point of `truth` to the nearest of `candidate`.
inline float distance(const std::vector<glm::vec3>& truth, const std::vector<glm::vec3>& candidate)
{
    float worst = 0;
    for (const auto& point : truth) {
        float nearest = std::numeric_limits<float>::infinity();
        for (const auto& other : candidate)
            nearest = std::min(nearest, glm::dot(point - other, point - other));
        worst = std::max(worst, std::sqrt(nearest));
    }
    return worst;
}

} // namespace vitrine::test

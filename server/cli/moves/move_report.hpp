#pragma once
// What the moving commands say while they run: a bar on a terminal, otherwise a line for each finished stage
// and every ten seconds. On stderr.

#include <chrono>
#include <span>
#include <string>

#include "server/cli/terminal/progress.hpp"
#include "server/services/moves/blob_places.hpp"

namespace vitrine::cli {

class MoveReport {
public:
    void show(const server::MoveProgress& progress);
    server::OnMoveProgress callback()
    {
        return [this](const server::MoveProgress& progress) { show(progress); };
    }
    void clear() { bar_.clear(); }

private:
    void show_line(const server::MoveProgress& progress);

    ProgressLine bar_;
    std::string what_; // of the last line
    bool ended_ = false;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// "12,345 blobs, 1.2 GB"
std::string blob_text(const server::BlobTotals& blobs);
// Names the blobs that are missing or damaged in `place`, with assets that have them. Returns the exit code.
int report_bad_blobs(const server::BlobTotals& blobs, const std::string& place, server::MoveEnd& catalog);

} // namespace vitrine::cli

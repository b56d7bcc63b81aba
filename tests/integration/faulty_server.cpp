// `vitrine` with a failing Vulkan driver, controlled by the environment: VITRINE_FAULTY_DRAWS is "lose
// INDICES TIMES", "hang INDICES TIMES" or "crash INDICES TIMES": this many draws (of one process) of exactly
// this many indices lose their device, never finish or end the process by SIGSEGV. The machine has
// VITRINE_FAULTY_DEVICES cards, which report the type of a graphics card if VITRINE_FAULTY_DISCRETE is set.
// Every submission to a device takes VITRINE_FAULTY_SUBMIT_MS longer.
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "server/cli/command.hpp"
#include "tests/support/vulkan/faulty_vulkan.hpp"

int main(int argc, char** argv)
{
    auto& faults = vitrine::test::vulkan_faults();
    const char* setting = std::getenv("VITRINE_FAULTY_DRAWS"); // NOLINT(concurrency-mt-unsafe): no thread yet
    std::istringstream words(setting != nullptr ? setting : "");
    std::string fault;
    std::uint32_t indices = 0;
    int times = 0;
    words >> fault >> indices >> times;
    auto& draw = fault == "hang" ? faults.hang_draw : fault == "crash" ? faults.crash_draw : faults.lose_draw;
    draw = indices;
    faults.faulty_draws = times;
    const char* cards = std::getenv("VITRINE_FAULTY_DEVICES"); // NOLINT(concurrency-mt-unsafe): likewise
    if (cards != nullptr) faults.cards = (1u << std::stoul(cards)) - 1;
    faults.is_discrete =
        std::getenv("VITRINE_FAULTY_DISCRETE") != nullptr;        // NOLINT(concurrency-mt-unsafe): likewise
    const char* submit = std::getenv("VITRINE_FAULTY_SUBMIT_MS"); // NOLINT(concurrency-mt-unsafe): likewise
    if (submit != nullptr) faults.submit_ms = static_cast<std::uint32_t>(std::stoul(submit));
    return vitrine::cli::run(argc, argv);
}

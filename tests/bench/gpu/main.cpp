// gpu_report: facts and measurements of one device, for script/gpu-check. Writes JSON and a page of text
// after each part, so that what was measured before a crash is kept. Exit status: 0, 1 if a part failed, 2
// for wrong arguments, 3 if the device is software and was not asked for as "software".

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"
#include "tests/bench/gpu/device_facts.hpp"
#include "tests/bench/gpu/parts.hpp"
#include "tests/bench/gpu/text_page.hpp"
#include "tests/bench/timing.hpp"
#include "vk_renderer/gpu/physical_device.hpp"

namespace {

using namespace vitrine;
namespace json = boost::json;

constexpr int part_failed = 1, is_software = 3;

struct ReportPart {
    const char* name;
    json::value (*measure)(const bench::PartInput& input);
};
// In this order, so that the first ones are measured where time is short; skinning compares itself with
// memory.
constexpr ReportPart parts[] = {
    {"memory", bench::measure_memory},    {"skinning", bench::measure_skinning},
    {"drawing", bench::measure_drawing},  {"passes", bench::measure_passes},
    {"resolve", bench::measure_resolve},  {"stills", bench::measure_stills},
    {"start", bench::measure_start},      {"besideDrawing", bench::measure_beside_drawing},
    {"encoders", bench::measure_encoders}};

struct Arguments {
    std::string device = "gpu";
    std::filesystem::path json_file, text_file;
    double seconds = 20.0;
    bool add = false;               // to what is in json_file
    std::vector<std::string> parts; // empty: all
    std::string first_picture;      // the pipeline cache of a child process of measure_start()
};

bool is_wanted(const Arguments& arguments, std::string_view part)
{
    return arguments.parts.empty() || std::ranges::find(arguments.parts, part) != arguments.parts.end();
}

void write(const std::filesystem::path& file, const std::string& text)
{
    if (file.empty()) return;
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

void store(const Arguments& arguments, const json::object& report)
{
    write(arguments.json_file, api::to_pretty_text(report) + "\n");
    write(arguments.text_file, bench::text_page(report));
}

json::object facts_of(const std::string& device)
{
    const render::VulkanInstance instance(false);
    auto facts = bench::device_facts(choose_device(instance, device));
    facts["validation"] = bench::validation_facts();
    return facts;
}

// With --add the report of an earlier process for the same device.
json::object start_report(const Arguments& arguments)
{
    std::ifstream in(arguments.json_file);
    if (!arguments.add || !in) return facts_of(arguments.device);
    return json::parse(std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()})
        .as_object();
}

// 0: not measured.
double memory_rate(const json::object& report)
{
    const auto* memory = report.if_contains("memory");
    const auto* rate = memory != nullptr ? memory->as_object().if_contains("deviceBytesPerSecond") : nullptr;
    return rate != nullptr ? rate->to_number<double>() : 0.0;
}

// Returns whether the part was measured; otherwise its member says why not.
bool run_part(const ReportPart& part, const bench::PartInput& input, json::object& report)
{
    const auto start = bench::Clock::now();
    bool measured = true;
    json::value result;
    try {
        result = part.measure(input);
    } catch (const std::exception& error) {
        result = json::object{{"error", error.what()}};
        measured = false;
    }
    std::printf("%s: %.1f s%s\n", part.name, bench::seconds_since(start), measured ? "" : ", failed");
    std::fflush(stdout);
    report[part.name] = std::move(result);
    return measured;
}

int run(const Arguments& arguments)
{
    auto report = start_report(arguments);
    const bool software = report["device"].at("type") == "software";
    store(arguments, report);
    if (software && arguments.device != "software") {
        std::fprintf(stderr, "gpu_report: %s renders on the processor; 'software' asks for it\n",
                     report["device"].at("name").as_string().c_str());
        return is_software;
    }
    bench::PartInput input{
        .options = {.device = arguments.device}, .software = software, .seconds = arguments.seconds};
    bool failed = false;
    for (const auto& part : parts) {
        if (!is_wanted(arguments, part.name)) continue;
        input.memory_bytes_per_second = memory_rate(report);
        failed |= !run_part(part, input, report);
        store(arguments, report);
    }
    for (const auto& [name, value] : report)
        if (!arguments.add || is_wanted(arguments, name))
            std::fputs(bench::text_page({{name, value}}).c_str(), stdout);
    return failed ? part_failed : 0;
}

} // namespace

int main(int argc, char** argv)
{
    Arguments arguments;
    CLI::App app("Facts and measurements of a Vulkan device");
    app.add_option("--gpu", arguments.device, "the device, as for vitrine (gpu: no software)");
    app.add_option("--json", arguments.json_file, "writes JSON there");
    app.add_option("--text", arguments.text_file, "writes a page of text there");
    app.add_option("--seconds", arguments.seconds, "time for each part (20)")->check(CLI::PositiveNumber);
    app.add_flag("--add", arguments.add, "keeps what is in the JSON file");
    app.add_option("parts", arguments.parts, "the parts to measure (all); 'facts': none");
    app.add_option("--first-picture", arguments.first_picture)->group("");
    try {
        app.parse(argc, argv);
        if (const char* device = std::getenv("VITRINE_FIRST_PICTURE_DEVICE");
            device != nullptr && !arguments.first_picture.empty()) {
            bench::render_first_picture(device, arguments.first_picture);
            return 0;
        }
        return run(arguments);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "gpu_report: %s\n", error.what());
        return part_failed;
    }
}

// Rates of copies: on the device, between host and device.

#include <algorithm>
#include <cstring>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "tests/bench/gpu/measure.hpp"
#include "tests/bench/gpu/parts.hpp"
#include "tests/bench/gpu/transfers.hpp"

namespace vitrine::bench {
namespace {

namespace json = boost::json;

json::object row_of(const char* name, const Rate& rate)
{
    return {{"what", name},
            {"GBs", rate.bytes_per_second / 1e9},
            {"mebibytes", rate.bytes >> 20},
            {"runs", rate.runs}};
}

} // namespace

json::value measure_memory(const PartInput& input)
{
    Transfers transfers(input.options, input.software ? 64u << 20 : 512u << 20);
    const auto seconds = input.seconds / 7;
    const auto copy = transfers.copy_on_device(seconds), fill = transfers.fill_device(seconds);
    json::array rows;
    rows.push_back(row_of("device to device, read and written", copy));
    rows.push_back(row_of("fill of device memory, written", fill));
    rows.push_back(row_of("system memory to device, by the device", transfers.copy_to_device(seconds)));
    rows.push_back(row_of("device to system memory, by the device", transfers.copy_to_host(seconds)));
    rows.push_back(row_of("host writes into upload memory, one thread", transfers.write_upload(seconds)));
    rows.push_back(row_of("host reads readback memory, one thread", transfers.read_readback(seconds)));
    rows.push_back(row_of("uploads of the renderer", transfers.upload(seconds)));
    // A driver may copy with few of the card's units: on an H200 a fill is 4.5 times as fast.
    const double best = std::max(copy.bytes_per_second, fill.bytes_per_second);
    return json::object{{"deviceBytesPerSecond", best}, {"rates", std::move(rows)}};
}

} // namespace vitrine::bench

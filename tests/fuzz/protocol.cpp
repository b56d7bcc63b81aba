// A message between server and loader process, read as every kind: what is understood is the same once it is
// encoded again, and texts of the process are one line of UTF-8.

#include "loaders/worker/protocol/protocol.hpp"

#include <cmath>

#include "loaders/base/printable.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace vitrine;
    const auto bytes = test::text_of(data, size);
    if (const auto message = worker::decode_message(bytes)) {
        test::demand(message->payload.size() <= worker::payload_limit);
        test::demand(worker::encode_message(*message) == bytes);
        const auto error = worker::to_error(*message);
        for (const auto& text : {error.where, error.detail})
            test::demand(printable(text, text.size()) == text);
    }
    if (const auto job = worker::decode_job(bytes)) {
        const auto again = worker::decode_job(worker::encode_job(*job));
        test::demand(again && again->names == job->names && again->main == job->main &&
                     again->pose_time == job->pose_time && again->memory_bytes == job->memory_bytes);
        test::demand(job->names.empty() || job->main < job->names.size());
        test::demand(!job->pose_time || std::isfinite(*job->pose_time));
    }
    for (const std::size_t limit : {std::size_t{0}, std::size_t{1}, std::size_t{200}})
        test::demand(printable(bytes, limit).size() <= limit);
    return 0;
}

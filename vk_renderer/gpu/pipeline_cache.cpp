#include "vk_renderer/gpu/pipeline_cache.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "loaders/base/checksum.hpp"

namespace vitrine::render {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t magic = 0x43505456; // "VTPC"; also detects another byte order
constexpr std::uintmax_t max_file_bytes = 256u << 20;

struct CacheFileHeader {
    std::uint32_t magic = 0;
    std::uint32_t revision = 2;
    PipelineCacheKey key;
    std::uint64_t size = 0;
    std::uint64_t checksum = 0; // of the data
};
static_assert(std::has_unique_object_representations_v<CacheFileHeader>);

PipelineCacheKey key_of(VkPhysicalDevice physical)
{
    VkPhysicalDeviceIDProperties ids{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
    VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                           .pNext = &ids};
    vkGetPhysicalDeviceProperties2(physical, &properties);
    PipelineCacheKey key{.vendor = properties.properties.vendorID,
                         .device = properties.properties.deviceID,
                         .driver = {},
                         .format = {}};
    std::ranges::copy(ids.driverUUID, key.driver.begin());
    std::ranges::copy(properties.properties.pipelineCacheUUID, key.format.begin());
    return key;
}

// Drivers validate their own header, but not all of them thoroughly.
bool has_driver_header(const PipelineCacheKey& key, std::span<const std::byte> data)
{
    VkPipelineCacheHeaderVersionOne header{};
    if (data.size() < sizeof header) return false;
    std::memcpy(&header, data.data(), sizeof header);
    return header.headerSize >= sizeof header && header.headerSize <= data.size() &&
           header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE && header.vendorID == key.vendor &&
           header.deviceID == key.device && std::ranges::equal(header.pipelineCacheUUID, key.format);
}

} // namespace

std::vector<std::byte> wrap_pipelines(const PipelineCacheKey& key, std::span<const std::byte> data)
{
    const CacheFileHeader header{.magic = magic, .key = key, .size = data.size(), .checksum = checksum(data)};
    const auto head = std::as_bytes(std::span(&header, 1));
    std::vector<std::byte> file(head.begin(), head.end());
    file.insert(file.end(), data.begin(), data.end());
    return file;
}

std::span<const std::byte> unwrap_pipelines(const PipelineCacheKey& key, std::span<const std::byte> file,
                                            std::string& why)
{
    const auto reject = [&](const char* reason) {
        why = reason;
        return std::span<const std::byte>();
    };
    CacheFileHeader header;
    if (file.size() < sizeof header) return reject("it is truncated");
    std::memcpy(&header, file.data(), sizeof header);
    const auto data = file.subspan(sizeof header);
    if (header.magic != magic || header.revision != CacheFileHeader().revision)
        return reject("it is not a pipeline cache");
    if (header.key != key) return reject("it was written by another device or driver");
    if (header.size != data.size()) return reject("its length does not match its header");
    if (header.checksum != checksum(data)) return reject("it is damaged");
    if (!has_driver_header(key, data)) return reject("its driver data belongs to another device");
    return data;
}

PipelineCache::PipelineCache(const Device& device, VkPhysicalDevice physical, const Options& options)
    : device_(&device), file_(options.pipeline_cache), on_log_message_(options.on_log_message),
      key_(key_of(physical))
{
    const auto data = read();
    VkPipelineCacheCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                   .initialDataSize = data.size(),
                                   .pInitialData = data.data()};
    VkPipelineCache cache = VK_NULL_HANDLE;
    check(device.vk.vkCreatePipelineCache(device.handle, &info, nullptr, &cache),
          "creating the pipeline cache");
    cache_ = {device, cache};
    kept_bytes_ = data.size();
}

std::vector<std::byte> PipelineCache::read() const
{
    std::error_code error;
    const auto size = file_.empty() ? 0 : fs::file_size(file_, error);
    if (file_.empty() || error) return {}; // first start
    std::vector<std::byte> bytes(std::min(size, max_file_bytes));
    std::ifstream(file_, std::ios::binary)
        .read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    std::string why;
    const auto data = unwrap_pipelines(key_, bytes, why);
    if (data.empty() && on_log_message_)
        on_log_message_(fmt::format("the pipeline cache {} is ignored: {}", file_.native(), why));
    return {data.begin(), data.end()};
}

// Empty: the driver has no more data than the file.
std::vector<std::byte> PipelineCache::driver_data() const
{
    std::size_t size = 0;
    check(device_->vk.vkGetPipelineCacheData(device_->handle, get(), &size, nullptr), "sizing the pipelines");
    if (size <= kept_bytes_) return {};
    std::vector<std::byte> data(size);
    check(device_->vk.vkGetPipelineCacheData(device_->handle, get(), &size, data.data()),
          "reading the pipelines");
    data.resize(size);
    return data;
}

void PipelineCache::save() noexcept
{
    if (file_.empty() || device_->abandoned()) return;
    try {
        const auto data = driver_data();
        if (data.empty()) return;
        write(wrap_pipelines(key_, data));
        kept_bytes_ = data.size();
    } catch (const std::exception& error) {
        if (on_log_message_)
            on_log_message_(fmt::format("the pipeline cache is not written: {}", error.what()));
    }
}

// Writes to a temporary file first: concurrent readers, or a start after a power failure, find a complete
// file or one with a wrong checksum.
void PipelineCache::write(std::span<const std::byte> bytes) const
{
    std::error_code error;
    fs::create_directories(file_.parent_path(), error);
    auto temporary = file_;
    temporary += fmt::format(".{}.new", ::getpid());
    {
        std::ofstream out(temporary, std::ios::binary);
        out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        if (!out.flush()) error = std::make_error_code(std::errc::io_error);
    }
    if (!error) fs::rename(temporary, file_, error);
    if (!error) return;
    if (on_log_message_)
        on_log_message_(
            fmt::format("the pipeline cache {} is not written: {}", file_.native(), error.message()));
    fs::remove(temporary, error);
}

} // namespace vitrine::render

#include "server/services/oidc/provider_documents.hpp"

#include <algorithm>
#include <charconv>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "server/http_client/http_client.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr unsigned retry_after_s = 5;

// Empty: there is none, or requests must not go there.
std::string endpoint_of(const json::object& configuration, std::string_view name)
{
    auto url = text_of(configuration, name);
    return is_secure_url(url) ? url : std::string();
}

ProviderEndpoints read_endpoints(const json::object& configuration)
{
    ProviderEndpoints endpoints{.authorization = endpoint_of(configuration, "authorization_endpoint"),
                                .token = endpoint_of(configuration, "token_endpoint"),
                                .keys = endpoint_of(configuration, "jwks_uri"),
                                .user_info = endpoint_of(configuration, "userinfo_endpoint"),
                                .end_session = endpoint_of(configuration, "end_session_endpoint")};
    const auto* sends = configuration.if_contains("authorization_response_iss_parameter_supported");
    endpoints.sends_issuer = sends && sends->is_bool() && sends->as_bool();
    const auto methods = strings_of(configuration, "token_endpoint_auth_methods_supported");
    endpoints.takes_basic =
        methods.empty() || std::ranges::find(methods, "client_secret_basic") != methods.end();
    return endpoints;
}

} // namespace

std::unexpected<ServiceError> provider_unavailable(std::string_view what, std::string_view why)
{
    spdlog::warn("msg=\"the identity provider does not answer\" request={:?} error={:?}", what, why);
    return make_error(Errc::busy, "provider_unavailable",
                      "The identity provider cannot be reached or does not answer as it should; "
                      "try again later.",
                      retry_after_s);
}

std::chrono::seconds kept_time(std::string_view cache_control)
{
    constexpr std::string_view name = "max-age=";
    constexpr long long min_age_s = 60, max_age_s = 24ll * 3600, default_age_s = 3600;
    const auto at = cache_control.find(name);
    if (at == cache_control.npos) return std::chrono::seconds(default_age_s);
    const auto number = cache_control.substr(at + name.size());
    long long seconds = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), seconds);
    if (error == std::errc::result_out_of_range) seconds = max_age_s;
    return std::chrono::seconds(std::clamp(seconds, min_age_s, max_age_s));
}

Result<void> ProviderDocuments::fetch(const std::string& url, Document& document)
{
    const auto time = Clock::now();
    if (time < next_attempt_)
        return make_error(Errc::busy, "provider_unavailable",
                          "The identity provider could not be reached; try again later.", retry_after_s);
    const auto answer =
        send_call({.url = url, .headers = {"Accept: application/json"}, .ca_file = settings_.ca_file});
    boost::system::error_code error;
    auto value = answer.status == 200 ? json::parse(answer.body, error) : json::value();
    if (error || !value.is_object()) {
        next_attempt_ = Clock::now() + times_.retry;
        return provider_unavailable(url, answer.failure.empty() ? fmt::format("status {}", answer.status)
                                                                : answer.failure);
    }
    document = {std::move(value.as_object()), time + kept_time(answer.cache_control)};
    return {};
}

Result<ProviderEndpoints> ProviderDocuments::find_endpoints()
{
    if (endpoints_ && Clock::now() < configuration_.expires) return *endpoints_;
    const auto base = settings_.issuer.substr(0, settings_.issuer.find_last_not_of('/') + 1);
    if (auto fetched = fetch(base + "/.well-known/openid-configuration", configuration_); !fetched) {
        if (endpoints_) return *endpoints_;
        return std::unexpected(fetched.error());
    }
    auto found = read_endpoints(configuration_.value);
    if (text_of(configuration_.value, "issuer") != settings_.issuer)
        return provider_unavailable(base, "its configuration names another issuer than --oidc-issuer");
    if (found.authorization.empty() || found.token.empty() || found.keys.empty())
        return provider_unavailable(base,
                                    "its configuration has no authorization_endpoint, token_endpoint or "
                                    "jwks_uri with https");
    endpoints_ = std::move(found);
    return *endpoints_;
}

Result<ProviderEndpoints> ProviderDocuments::endpoints()
{
    const std::lock_guard lock(mutex_);
    return find_endpoints();
}

Result<void> ProviderDocuments::fetch_keys()
{
    const auto found = find_endpoints();
    if (!found) return std::unexpected(found.error());
    if (auto fetched = fetch(found->keys, key_set_); !fetched) return fetched;
    keys_ = parse_json_web_keys(key_set_.value);
    return {};
}

Result<std::vector<JsonWebKey>> ProviderDocuments::keys_for_token(const SignedToken& token)
{
    const std::lock_guard lock(mutex_);
    if (Clock::now() >= key_set_.expires)
        if (auto fetched = fetch_keys(); !fetched && keys_.empty()) return std::unexpected(fetched.error());
    auto fitting = keys_for(token, keys_);
    if (fitting.empty() && Clock::now() >= next_unknown_key_) { // the provider may have another key now
        next_unknown_key_ = Clock::now() + times_.unknown_key;
        if (auto fetched = fetch_keys(); !fetched) return std::unexpected(fetched.error());
        fitting = keys_for(token, keys_);
    }
    if (fitting.empty())
        return make_error(Errc::invalid, "sign_in_failed",
                          "The token of the identity provider is signed by a key that it does not publish.");
    return fitting;
}

} // namespace vitrine::server

// Options of `vitrine serve` about sign-in by an identity provider (OpenID Connect).

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>
#include <boost/json/array.hpp>

#include "server/config_numbers.hpp"
#include "server/http_client/http_client.hpp"
#include "server/option_declarer.hpp"
#include "server/util/token_file.hpp"

namespace vitrine::server {
namespace {

std::string read_roles(Config& config)
{
    for (const auto& text : config.oidc_roles) {
        const auto equals = text.rfind('='); // a group may be a distinguished name, with '='
        const auto role = equals == text.npos ? std::nullopt : parse_user_role(text.substr(equals + 1));
        if (!role || equals == 0)
            return "--oidc-role " + text + " must be GROUP=viewer, GROUP=editor, GROUP=admin or GROUP=member";
        config.oidc.roles.emplace_back(text.substr(0, equals), *role);
    }
    return {};
}

bool has_other_options(const Config& config)
{
    return !config.oidc.client_id.empty() || !config.oidc_secret_file.empty() || !config.oidc_roles.empty();
}

} // namespace

void declare_oidc(CLI::App& app, Config& config)
{
    const auto option = option_declarer(app, "Sign-in by an identity provider");
    auto& oidc = config.oidc;
    option("--oidc-issuer", oidc.issuer, "VITRINE_OIDC_ISSUER",
           "URL of an OpenID Connect provider by which people sign in");
    option("--oidc-name", oidc.name, "VITRINE_OIDC_NAME", "Its name on the sign-in page")
        ->capture_default_str();
    option("--oidc-client-id", oidc.client_id, "VITRINE_OIDC_CLIENT_ID",
           "Name of this server at the provider; the address to register there is "
           "https://HOST/v1/oidc/callback");
    option("--oidc-client-secret-file", config.oidc_secret_file, "VITRINE_OIDC_CLIENT_SECRET_FILE",
           "File with its secret; without one it is a public client");
    option("--oidc-scopes", oidc.scopes, "VITRINE_OIDC_SCOPES", "Scopes to ask for, with openid")
        ->capture_default_str();
    option("--oidc-groups-claim", oidc.groups_claim, "VITRINE_OIDC_GROUPS_CLAIM",
           "Claim with the groups of a user; with dots for a member of a member")
        ->capture_default_str();
    option("--oidc-role", config.oidc_roles, "VITRINE_OIDC_ROLE",
           "GROUP=ROLE (member, viewer, editor, admin) of the users in a group; may be repeated, the highest "
           "one counts");
    option("--oidc-default-role", config.oidc_default_role, "VITRINE_OIDC_DEFAULT_ROLE",
           "Role of users in none of these groups; none: they have no access; member: they see what grants "
           "on collections show")
        ->check(CLI::IsMember({"none", "member", "viewer", "editor", "admin"}))
        ->capture_default_str();
    option("--oidc-ca", oidc.ca_file, "VITRINE_OIDC_CA",
           "PEM file of certificates to trust for the provider instead of the system's");
}

std::string finish_oidc(Config& config)
{
    auto& oidc = config.oidc;
    if (oidc.issuer.empty())
        return has_other_options(config) ? "the options --oidc-... require --oidc-issuer" : "";
    if (config.open) return "--open and --oidc-issuer exclude each other";
    if (!is_secure_url(oidc.issuer) || oidc.issuer.find_first_of("?#") != oidc.issuer.npos)
        return "--oidc-issuer " + oidc.issuer +
               " must be an https URL, or http on this machine, without ? and #";
    if (oidc.client_id.empty()) return "--oidc-issuer requires --oidc-client-id";
    if (!(" " + oidc.scopes + " ").contains(" openid ")) return "--oidc-scopes must contain openid";
    if (!config.oidc_secret_file.empty()) {
        auto secret = read_secret(config.oidc_secret_file);
        if (!secret)
            return "--oidc-client-secret-file " + config.oidc_secret_file.string() +
                   " cannot be read, or is empty";
        oidc.client_secret = *std::move(secret);
    }
    oidc.default_role = parse_user_role(config.oidc_default_role).value_or(Role::none);
    if (auto wrong = read_roles(config); !wrong.empty()) return wrong;
    if (oidc.roles.empty() && oidc.default_role == Role::none)
        return "--oidc-issuer requires --oidc-role or --oidc-default-role: otherwise nobody has access";
    return {};
}

boost::json::object oidc_json(const Config& config)
{
    return {{"issuer", config.oidc.issuer},
            {"name", config.oidc.name},
            {"clientId", config.oidc.client_id},
            {"clientSecretFile", config.oidc_secret_file.string()},
            {"scopes", config.oidc.scopes},
            {"groupsClaim", config.oidc.groups_claim},
            {"roles", boost::json::array(config.oidc_roles.begin(), config.oidc_roles.end())},
            {"defaultRole", config.oidc_default_role},
            {"ca", config.oidc.ca_file}};
}

} // namespace vitrine::server

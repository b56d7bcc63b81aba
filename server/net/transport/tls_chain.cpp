#include "server/net/transport/tls_context.hpp"

#include <array>
#include <memory>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

namespace vitrine::server {
namespace {

struct FreeStore {
    void operator()(X509_STORE* store) const { X509_STORE_free(store); }
};
struct FreeVerification {
    void operator()(X509_STORE_CTX* verification) const { X509_STORE_CTX_free(verification); }
};

bool names_issuer_address(const X509* certificate)
{
    return X509_get_ext_by_NID(certificate, NID_info_access, -1) >= 0;
}

bool lacks_issuer(int error)
{
    return error == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY ||
           error == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT ||
           error == X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE;
}

} // namespace

std::string missing_issuer(const TlsContext& context)
{
    X509* const certificate = SSL_CTX_get0_certificate(context.get());
    STACK_OF(X509)* others = nullptr;
    // NOLINTNEXTLINE(bugprone-multi-level-implicit-pointer-conversion): of the macro
    SSL_CTX_get0_chain_certs(context.get(), &others);
    const std::unique_ptr<X509_STORE, FreeStore> store(X509_STORE_new());
    const std::unique_ptr<X509_STORE_CTX, FreeVerification> verification(X509_STORE_CTX_new());
    const bool is_ready = certificate && store && verification &&
                          X509_STORE_set_default_paths(store.get()) == 1 &&
                          X509_STORE_CTX_init(verification.get(), store.get(), certificate, others) == 1;
    std::string subject;
    if (is_ready && X509_verify_cert(verification.get()) != 1 &&
        lacks_issuer(X509_STORE_CTX_get_error(verification.get()))) {
        const X509* const last = X509_STORE_CTX_get_current_cert(verification.get());
        std::array<char, 256> text{};
        if (last && names_issuer_address(last))
            subject =
                X509_NAME_oneline(X509_get_subject_name(last), text.data(), static_cast<int>(text.size()));
    }
    ERR_clear_error();
    return subject;
}

} // namespace vitrine::server

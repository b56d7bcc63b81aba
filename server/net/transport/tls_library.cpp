#include <stdexcept>

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

#include "loaders/base/late_library.hpp"

// libssl, and what TLS uses of libcrypto, loaded at their first use as util/crypto_library.cpp does it
// (docs/decisions/0023-late-libcrypto.md): each function forwards to that of its name in the library, which
// throws std::runtime_error if it is not installed. A further function needs a row here.
// VITRINE_TLS_LIBRARY is the name of the library whose header was compiled.

namespace vitrine::server {
namespace {

// libssl brings the libcrypto that it was built with; dlsym finds functions of both through its handle.
LateFunction* late_function(const char* name)
{
    static const LateLibrary library(VITRINE_TLS_LIBRARY);
    auto* const function = library.find<LateFunction>(name);
    if (function == nullptr)
        throw std::runtime_error("TLS needs " VITRINE_TLS_LIBRARY ", which cannot be loaded");
    return function;
}

} // namespace
} // namespace vitrine::server

using vitrine::server::late_function;

extern "C" {

VITRINE_FORWARD(int, ASN1_TIME_to_tm, (const ASN1_TIME* time, struct tm* out), (time, out))
VITRINE_FORWARD(long, BIO_ctrl, (BIO * bio, int command, long number, void* pointer),
                (bio, command, number, pointer))
VITRINE_FORWARD(int, BIO_free, (BIO * bio), (bio))
VITRINE_FORWARD(BIO*, BIO_new, (const BIO_METHOD* method), (method))
VITRINE_FORWARD(BIO*, BIO_new_mem_buf, (const void* bytes, int size), (bytes, size))
VITRINE_FORWARD(int, BIO_read, (BIO * bio, void* bytes, int size), (bio, bytes, size))
VITRINE_FORWARD(const BIO_METHOD*, BIO_s_mem, (), ())
VITRINE_FORWARD(int, BIO_write, (BIO * bio, const void* bytes, int size), (bio, bytes, size))
VITRINE_FORWARD(void, ERR_clear_error, (), ())
VITRINE_FORWARD(unsigned long, ERR_peek_error, (), ())
VITRINE_FORWARD(unsigned long, ERR_peek_last_error, (), ())
VITRINE_FORWARD(const char*, ERR_reason_error_string, (unsigned long code), (code))
VITRINE_FORWARD(void, EVP_PKEY_free, (EVP_PKEY * key), (key))
VITRINE_FORWARD(EVP_PKEY*, PEM_read_bio_PrivateKey,
                (BIO * bio, EVP_PKEY** key, pem_password_cb* callback, void* data),
                (bio, key, callback, data))
VITRINE_FORWARD(X509*, PEM_read_bio_X509,
                (BIO * bio, X509** certificate, pem_password_cb* callback, void* data),
                (bio, certificate, callback, data))
VITRINE_FORWARD(const char*, SSL_CIPHER_get_name, (const SSL_CIPHER* cipher), (cipher))
VITRINE_FORWARD(X509_VERIFY_PARAM*, SSL_CTX_get0_param, (SSL_CTX * context), (context))
VITRINE_FORWARD(int, SSL_CTX_load_verify_locations, (SSL_CTX * context, const char* file, const char* folder),
                (context, file, folder))
VITRINE_FORWARD(int, SSL_CTX_set_default_verify_paths, (SSL_CTX * context), (context))
VITRINE_FORWARD(void, SSL_CTX_set_verify, (SSL_CTX * context, int mode, SSL_verify_cb callback),
                (context, mode, callback))
VITRINE_FORWARD(long, SSL_ctrl, (SSL * ssl, int command, long number, void* pointer),
                (ssl, command, number, pointer))
VITRINE_FORWARD(void, SSL_set_connect_state, (SSL * ssl), (ssl))
VITRINE_FORWARD(const SSL_METHOD*, TLS_client_method, (), ())
VITRINE_FORWARD(int, X509_VERIFY_PARAM_set1_host, (X509_VERIFY_PARAM * param, const char* name, size_t size),
                (param, name, size))
VITRINE_FORWARD(int, X509_VERIFY_PARAM_set1_ip_asc, (X509_VERIFY_PARAM * param, const char* address),
                (param, address))
VITRINE_FORWARD(long, SSL_CTX_ctrl, (SSL_CTX * context, int command, long number, void* pointer),
                (context, command, number, pointer))
VITRINE_FORWARD(void, SSL_CTX_free, (SSL_CTX * context), (context))
VITRINE_FORWARD(SSL_CTX*, SSL_CTX_new, (const SSL_METHOD* method), (method))
VITRINE_FORWARD(void, SSL_CTX_set_alpn_select_cb,
                (SSL_CTX * context, SSL_CTX_alpn_select_cb_func callback, void* data),
                (context, callback, data))
VITRINE_FORWARD(int, SSL_CTX_set_cipher_list, (SSL_CTX * context, const char* names), (context, names))
VITRINE_FORWARD(uint64_t, SSL_CTX_set_options, (SSL_CTX * context, uint64_t options), (context, options))
VITRINE_FORWARD(int, SSL_CTX_set_session_id_context,
                (SSL_CTX * context, const unsigned char* id, unsigned int size), (context, id, size))
VITRINE_FORWARD(long, SSL_CTX_set_timeout, (SSL_CTX * context, long seconds), (context, seconds))
VITRINE_FORWARD(int, SSL_CTX_use_PrivateKey, (SSL_CTX * context, EVP_PKEY* key), (context, key))
VITRINE_FORWARD(int, SSL_CTX_use_certificate, (SSL_CTX * context, X509* certificate), (context, certificate))
VITRINE_FORWARD(int, SSL_do_handshake, (SSL * ssl), (ssl))
VITRINE_FORWARD(void, SSL_free, (SSL * ssl), (ssl))
VITRINE_FORWARD(const SSL_CIPHER*, SSL_get_current_cipher, (const SSL* ssl), (ssl))
VITRINE_FORWARD(int, SSL_get_error, (const SSL* ssl, int result), (ssl, result))
VITRINE_FORWARD(const char*, SSL_get_servername, (const SSL* ssl, const int type), (ssl, type))
VITRINE_FORWARD(const char*, SSL_get_version, (const SSL* ssl), (ssl))
VITRINE_FORWARD(SSL*, SSL_new, (SSL_CTX * context), (context))
VITRINE_FORWARD(int, SSL_pending, (const SSL* ssl), (ssl))
VITRINE_FORWARD(int, SSL_read_ex, (SSL * ssl, void* bytes, size_t size, size_t* count),
                (ssl, bytes, size, count))
VITRINE_FORWARD(int, SSL_select_next_proto,
                (unsigned char** out, unsigned char* out_size, const unsigned char* server,
                 unsigned int server_size, const unsigned char* client, unsigned int client_size),
                (out, out_size, server, server_size, client, client_size))
VITRINE_FORWARD(int, SSL_session_reused, (const SSL* ssl), (ssl))
VITRINE_FORWARD(void, SSL_set_accept_state, (SSL * ssl), (ssl))
VITRINE_FORWARD(void, SSL_set_bio, (SSL * ssl, BIO* input, BIO* output), (ssl, input, output))
VITRINE_FORWARD(int, SSL_shutdown, (SSL * ssl), (ssl))
VITRINE_FORWARD(int, SSL_write_ex, (SSL * ssl, const void* bytes, size_t size, size_t* count),
                (ssl, bytes, size, count))
VITRINE_FORWARD(const SSL_METHOD*, TLS_server_method, (), ())
VITRINE_FORWARD(X509*, SSL_CTX_get0_certificate, (const SSL_CTX* context), (context))
VITRINE_FORWARD(X509_STORE*, X509_STORE_new, (), ())
VITRINE_FORWARD(void, X509_STORE_free, (X509_STORE * store), (store))
VITRINE_FORWARD(int, X509_STORE_set_default_paths, (X509_STORE * store), (store))
VITRINE_FORWARD(X509_STORE_CTX*, X509_STORE_CTX_new, (), ())
VITRINE_FORWARD(void, X509_STORE_CTX_free, (X509_STORE_CTX * context), (context))
VITRINE_FORWARD(int, X509_STORE_CTX_init,
                (X509_STORE_CTX * context, X509_STORE* store, X509* certificate, STACK_OF(X509) * others),
                (context, store, certificate, others))
VITRINE_FORWARD(int, X509_verify_cert, (X509_STORE_CTX * context), (context))
VITRINE_FORWARD(int, X509_STORE_CTX_get_error, (const X509_STORE_CTX* context), (context))
VITRINE_FORWARD(X509*, X509_STORE_CTX_get_current_cert, (const X509_STORE_CTX* context), (context))
VITRINE_FORWARD(int, X509_get_ext_by_NID, (const X509* certificate, int nid, int last),
                (certificate, nid, last))
VITRINE_FORWARD(int, X509_check_private_key, (const X509* certificate, const EVP_PKEY* key),
                (certificate, key))
VITRINE_FORWARD(void, X509_free, (X509 * certificate), (certificate))
VITRINE_FORWARD(const ASN1_TIME*, X509_get0_notAfter, (const X509* certificate), (certificate))
VITRINE_FORWARD(char*, X509_NAME_oneline, (const X509_NAME* name, char* text, int size), (name, text, size))
VITRINE_FORWARD(X509_NAME*, X509_get_subject_name, (const X509* certificate), (certificate))

} // extern "C"

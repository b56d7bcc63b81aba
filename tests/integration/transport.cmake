# TLS, Unix sockets and reverse proxies of the real program, with Node's clients and certificates of openssl(1).
foreach(suite chain proxy tls trace unix)
    vitrine_node_test(integration_transport_${suite} PROGRAM LABELS integration FILE transport/${suite}.test.mjs TIMEOUT 300 COST 300)
endforeach()

# TLS and Unix sockets of the real program, with Node's clients and certificates of openssl(1).
find_program(VITRINE_NODE NAMES node nodejs REQUIRED)
foreach(suite tls unix)
    add_test(NAME integration_transport_${suite}
        COMMAND ${VITRINE_NODE} --test ${CMAKE_CURRENT_SOURCE_DIR}/transport/${suite}.test.mjs)
    set_tests_properties(integration_transport_${suite} PROPERTIES LABELS integration TIMEOUT 300 COST 300
        ENVIRONMENT VITRINE_PROGRAM=$<TARGET_FILE:vitrine>)
endforeach()

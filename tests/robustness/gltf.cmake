vitrine_test(robustness_gltf LABEL robustness TIMEOUT 300
    SOURCES
        gltf_test.cpp
        ${CMAKE_SOURCE_DIR}/tests/unit/gltf/builder.cpp
        ${CMAKE_SOURCE_DIR}/tests/unit/gltf/pictures.cpp
    LINKS vitrine_gltf vitrine_io vitrine_test_support fmt::fmt webp)

find_package(draco REQUIRED)
find_package(meshoptimizer REQUIRED)

vitrine_test(robustness_gltf LABEL robustness TIMEOUT 300
    SOURCES
        gltf_compressed_test.cpp
        gltf_test.cpp
        ${CMAKE_SOURCE_DIR}/tests/unit/gltf/builder.cpp
        ${CMAKE_SOURCE_DIR}/tests/unit/gltf/compressed.cpp
        ${CMAKE_SOURCE_DIR}/tests/unit/gltf/pictures.cpp
    LINKS loaders_gltf vitrine_io vitrine_test_support draco::draco meshoptimizer::meshoptimizer vitrine::fmt webp)

vitrine_test(robustness_vrm LABEL robustness TIMEOUT 300
    SOURCES vrm_robustness.cpp ${CMAKE_SOURCE_DIR}/tests/unit/gltf/builder.cpp
    LINKS loaders_vrm vitrine_io vitrine_scene vitrine_test_support vitrine::fmt)

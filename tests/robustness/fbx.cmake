vitrine_test(robustness_fbx LABEL robustness TIMEOUT 300
    SOURCES fbx_mesh_robustness.cpp fbx_robustness.cpp
    LINKS vitrine_export loaders_fbx vitrine_io vitrine_scene vitrine_test_support)

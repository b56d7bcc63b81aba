vitrine_test(unit_export_mesh LABEL unit
    SOURCES dae_writer_test.cpp mesh_test.cpp mesh_text_test.cpp
    LINKS vitrine_export loaders_obj vitrine_test_support)
vitrine_test(unit_export_gltf LABEL unit
    SOURCES gltf_limits_test.cpp gltf_material_test.cpp gltf_motion_test.cpp gltf_test.cpp
    LINKS vitrine_export loaders_gltf vitrine_test_support)

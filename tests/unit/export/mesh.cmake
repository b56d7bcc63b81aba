vitrine_test(unit_export_mesh LABEL unit
    SOURCES mesh_test.cpp
    LINKS vitrine_export vitrine_test_support)

vitrine_test(unit_cli LABEL unit NOT_SANITIZED
    SOURCES cli_folder_watch_test.cpp cli_pose_options_test.cpp cli_progress_test.cpp cli_change_debouncer_test.cpp cli_view_options_test.cpp
    LINKS server_cli server_services vitrine_scene loaders_worker_client vk_renderer)

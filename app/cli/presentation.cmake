# What the command line shows: pure functions from values to text, so that tests need no terminal.
add_library(switchscope_cli_presentation STATIC
  ${CMAKE_CURRENT_LIST_DIR}/cliff_words.cpp
  ${CMAKE_CURRENT_LIST_DIR}/columns.cpp ${CMAKE_CURRENT_LIST_DIR}/counter_table.cpp ${CMAKE_CURRENT_LIST_DIR}/wording.cpp
  ${CMAKE_CURRENT_LIST_DIR}/table.cpp ${CMAKE_CURRENT_LIST_DIR}/table_layout.cpp ${CMAKE_CURRENT_LIST_DIR}/resumption_text.cpp
  ${CMAKE_CURRENT_LIST_DIR}/session_notes.cpp ${CMAKE_CURRENT_LIST_DIR}/table_notes.cpp ${CMAKE_CURRENT_LIST_DIR}/machine_notes.cpp ${CMAKE_CURRENT_LIST_DIR}/failure_notes.cpp
  ${CMAKE_CURRENT_LIST_DIR}/canvas.cpp
  ${CMAKE_CURRENT_LIST_DIR}/terminal_plot.cpp ${CMAKE_CURRENT_LIST_DIR}/plot_scale.cpp ${CMAKE_CURRENT_LIST_DIR}/plot_frame.cpp
  ${CMAKE_CURRENT_LIST_DIR}/progress.cpp
  ${CMAKE_CURRENT_LIST_DIR}/terminal.cpp ${CMAKE_CURRENT_LIST_DIR}/instrument_text.cpp
  ${CMAKE_CURRENT_LIST_DIR}/other_tools_text.cpp ${CMAKE_CURRENT_LIST_DIR}/visit_table.cpp)
switchscope_target(switchscope_cli_presentation)
find_package(fmt REQUIRED)
target_link_libraries(switchscope_cli_presentation PUBLIC switchscope_export switchscope_machine fmt::fmt)

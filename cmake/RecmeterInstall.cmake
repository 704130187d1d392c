# The program is named `recmeter` and stands at the top of the build directory: build/release/recmeter.
if(TARGET recmeter)
  set_target_properties(recmeter PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  include(GNUInstallDirs)
  install(TARGETS recmeter RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
endif()

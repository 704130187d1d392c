# What `cmake --install` puts where, and the Debian package made of it (scripts/package). Two components: `Runtime`, the
# program with its manual, completions, schemas and service; `Development`, the core as a library, for find_package(recmeter).
include(GNUInstallDirs)

if(TARGET recmeter)
  # The program is named `recmeter` and stands at the top of the build directory: build/release/recmeter.
  set_target_properties(recmeter PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  install(TARGETS recmeter RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT Runtime)

  # The program writes its own manual: made of the definitions that its parser reads.
  set(manual "${PROJECT_BINARY_DIR}/manual")
  file(MAKE_DIRECTORY "${manual}/man1")
  get_property(command_names GLOBAL PROPERTY RECMETER_COMMANDS)
  set(pages "${manual}/man1/recmeter.1.gz")
  add_custom_command(OUTPUT "${manual}/man1/recmeter.1.gz" DEPENDS recmeter VERBATIM
    COMMAND recmeter manual | gzip -9n > "${manual}/man1/recmeter.1.gz")
  foreach(name IN LISTS command_names)
    set(page "${manual}/man1/recmeter-${name}.1.gz")
    add_custom_command(OUTPUT "${page}" DEPENDS recmeter VERBATIM COMMAND recmeter manual ${name} | gzip -9n > "${page}")
    list(APPEND pages "${page}")
  endforeach()
  foreach(shell bash zsh fish)
    add_custom_command(OUTPUT "${manual}/recmeter.${shell}" DEPENDS recmeter VERBATIM
      COMMAND recmeter manual --format ${shell} > "${manual}/recmeter.${shell}")
    list(APPEND pages "${manual}/recmeter.${shell}")
  endforeach()
  add_custom_command(OUTPUT "${manual}/changelog.gz" DEPENDS "${PROJECT_SOURCE_DIR}/packaging/changelog" VERBATIM
    COMMAND gzip -9n < "${PROJECT_SOURCE_DIR}/packaging/changelog" > "${manual}/changelog.gz")
  list(APPEND pages "${manual}/changelog.gz")
  add_custom_target(recmeter_manual_pages ALL DEPENDS ${pages})

  install(DIRECTORY "${manual}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}" COMPONENT Runtime)
  install(FILES "${manual}/recmeter.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME recmeter
    COMPONENT Runtime)
  install(FILES "${manual}/recmeter.zsh" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions" RENAME _recmeter
    COMPONENT Runtime)
  install(FILES "${manual}/recmeter.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" COMPONENT Runtime)

  install(FILES "${PROJECT_SOURCE_DIR}/packaging/copyright" "${manual}/changelog.gz" DESTINATION "${CMAKE_INSTALL_DOCDIR}"
    COMPONENT Runtime)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/configs/" DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples" COMPONENT Runtime
    PATTERN "bench*" EXCLUDE PATTERN "*.service" EXCLUDE PATTERN "*_test.yml" EXCLUDE)
  # The docs, and the tutorial's files where its links look for them.
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT Runtime
    PATTERN "decisions" EXCLUDE PATTERN "mutations.md" EXCLUDE PATTERN "schemas" EXCLUDE)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples/shop" DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples" COMPONENT Runtime)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/schemas/" DESTINATION "${CMAKE_INSTALL_DATADIR}/recmeter/schemas"
    COMPONENT Runtime)
  if(NOT RECMETER_CORE_ONLY)
    # Where the program comes to lie is known when it is installed.
    install(CODE "file(READ \"${PROJECT_SOURCE_DIR}/configs/recmeter.service\" service)
      set(program \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/recmeter\")
      string(REPLACE /usr/local/bin/recmeter \"\${program}\" service \"\${service}\")
      file(WRITE \"${PROJECT_BINARY_DIR}/recmeter.service\" \"\${service}\")" COMPONENT Runtime)
    install(FILES "${PROJECT_BINARY_DIR}/recmeter.service" DESTINATION "lib/systemd/system" COMPONENT Runtime)
  endif()
endif()

# The core: what replays a log, without a command line.
set(core base event join metric window result experiment attribution evaluation connector_avro connector_file)
foreach(name IN LISTS core)
  set_target_properties(recmeter_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(recmeter_${name} INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
endforeach()
list(TRANSFORM core PREPEND recmeter_ OUTPUT_VARIABLE core_targets)
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/recmeter")
install(TARGETS ${core_targets} EXPORT recmeter ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/recmeter" COMPONENT Development
  EXCLUDE_FROM_ALL)
install(EXPORT recmeter NAMESPACE recmeter:: FILE recmeter-targets.cmake DESTINATION "${package}" COMPONENT Development
  EXCLUDE_FROM_ALL)
foreach(room base event join metric window result experiment port evaluation)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/recmeter/${room}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/recmeter"
    COMPONENT Development EXCLUDE_FROM_ALL)
endforeach()
foreach(edge avro file)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/connectors/${edge}/include/recmeter/${edge}"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/recmeter" COMPONENT Development EXCLUDE_FROM_ALL)
endforeach()
include(CMakePackageConfigHelpers)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/recmeter-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_SOURCE_DIR}/cmake/recmeter-config.cmake" "${PROJECT_BINARY_DIR}/recmeter-config-version.cmake"
  DESTINATION "${package}" COMPONENT Development EXCLUDE_FROM_ALL)

include(RecmeterPackage)

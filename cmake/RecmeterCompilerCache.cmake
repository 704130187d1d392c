# ccache where it is installed, nothing where it is not. CCACHE_NOHASHDIR lets presets with the same flags (release and
# core-only) share objects; only the build directory named in the debug information may then be the other one.
# CCACHE_DEPEND: what a source includes is known from the compiler (-MD), so that the preprocessor need not run before it.
# CCACHE_SLOPPINESS: what ccache asks for with precompiled headers (its manual, "Precompiled headers"), which
# RecmeterLibrary.cmake has.
if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(RECMETER_CCACHE ccache)
  mark_as_advanced(RECMETER_CCACHE)
  if(RECMETER_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_NOHASHDIR=true CCACHE_DEPEND=true
      CCACHE_SLOPPINESS=pch_defines,time_macros "${RECMETER_CCACHE}")
  endif()
endif()

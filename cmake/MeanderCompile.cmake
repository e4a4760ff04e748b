# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_CXX_VISIBILITY_PRESET default)

set(MEANDER_PRECOMPILE ON CACHE STRING "Precompile the standard library's headers: ON, TESTS (for tests alone) or OFF")
set_property(CACHE MEANDER_PRECOMPILE PROPERTY STRINGS ON TESTS OFF)
if(NOT MEANDER_PRECOMPILE MATCHES "^(ON|TESTS|OFF)$")
  message(FATAL_ERROR "MEANDER_PRECOMPILE is '${MEANDER_PRECOMPILE}', expected ON, TESTS or OFF")
endif()

# What ccache keeps does not depend on where the tree lies, so that tools/mutate.sh finds it again in its copy. Without
# the sloppiness ccache would pass by everything that uses a precompiled header.
find_program(MEANDER_CCACHE ccache)
if(MEANDER_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros ${MEANDER_CCACHE})
endif()

set(MEANDER_SANITIZE "" CACHE STRING "Sanitizers for everything, as -fsanitize takes them")

# Flags of our own code, never of who links us. Contraction is off so that every level, thread count and
# device rounds alike; only an explicit fma fuses.
add_library(meander_flags INTERFACE)
target_compile_options(meander_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off -fno-math-errno -Wall -Wextra -Wpedantic -Werror -Wshadow
  -Wconversion -Wno-sign-conversion -Wno-missing-field-initializers>
  $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false -Werror=all-warnings>)
if(MEANDER_SANITIZE)
  add_compile_options(-fsanitize=${MEANDER_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${MEANDER_SANITIZE})
endif()

# meander_precompile(target [headers...]): the headers of the standard library that many files include, and those named.
# Files still include what they use: the preset `asan` builds library and program without this.
function(meander_precompile target)
  if(NOT MEANDER_PRECOMPILE OR (MEANDER_PRECOMPILE STREQUAL "TESTS" AND NOT "${target}" MATCHES "tests"))
    return()
  endif()
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <limits>
    <map> <memory> <optional> <span> <stop_token> <string> <string_view> <utility> <vector> ${ARGN})
  meander_precompile_flags(${target})
endfunction()

# ccache asks for -fpch-preprocess. And g++ 12 no longer knows that precompiled functions are of the system's headers: it
# warns of faults in them that are none, as of std::string("a") + "b" (GCC bugs 105329, 105651).
function(meander_precompile_flags target)
  target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fpch-preprocess
    -Wno-error=array-bounds -Wno-error=restrict -Wno-error=stringop-overflow>)
endfunction()

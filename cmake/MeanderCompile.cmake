# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_CXX_VISIBILITY_PRESET default)

find_program(MEANDER_CCACHE ccache)
if(MEANDER_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${MEANDER_CCACHE})
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

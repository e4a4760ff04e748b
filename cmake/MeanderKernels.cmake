# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# Hot files are compiled once per instruction-set level, in a namespace of the level's name, and chosen
# at run time. They are the only files with -O3 and -m flags, and may not instantiate anything that
# could leak to the rest of the program (tests/core/weak_symbols checks that).

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(MEANDER_ISA_LEVELS x86_64_v2 x86_64_v3 x86_64_v4)
  if(MEANDER_SANITIZE)
    # The same sources with other registers, and minutes each to compile with checks.
    set(MEANDER_ISA_LEVELS x86_64_v2)
  endif()
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(MEANDER_ISA_LEVELS neon)
else()
  set(MEANDER_ISA_LEVELS generic)
endif()

# meander_level_objects(objects level source): an object library of one source for one level.
function(meander_level_objects objects level source)
  get_filename_component(path ${source} ABSOLUTE)
  add_library(${objects} OBJECT ${path})
  target_include_directories(${objects} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_compile_features(${objects} PRIVATE cxx_std_20)
  set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_definitions(${objects} PRIVATE MEANDER_ISA=${level})
  target_link_libraries(${objects} PRIVATE meander_flags)
  # No trapping math, so that rint vectorises.
  target_compile_options(${objects} PRIVATE -fno-trapping-math)
  if(MEANDER_SANITIZE)
    # With -O3 and checks of undefined behaviour the stencil kernels alone take ten minutes; what these
    # files can do wrong is to reach beyond a line, which the address sanitizer sees.
    target_compile_options(${objects} PRIVATE -O1 -fno-sanitize=undefined)
  else()
    target_compile_options(${objects} PRIVATE -O3)
  endif()
  if(level MATCHES "^x86_64_(v[234])$")
    target_compile_options(${objects} PRIVATE -march=x86-64-${CMAKE_MATCH_1})
  endif()
  if(level STREQUAL "x86_64_v4")
    target_compile_options(${objects} PRIVATE -mprefer-vector-width=512)
  endif()
endfunction()

# meander_kernels(target source [definitions...]): one object per level, in the library.
function(meander_kernels target source)
  foreach(level ${MEANDER_ISA_LEVELS})
    meander_level_objects(${target}_${level} ${level} ${source})
    target_compile_definitions(${target}_${level} PRIVATE ${ARGN})
    target_sources(meander PRIVATE $<TARGET_OBJECTS:${target}_${level}>)
  endforeach()
endfunction()

# All headers that are made: what a tool needs that reads sources without building them.
add_custom_target(meander_generated)

# Writes generated/${header} from text files by embed_text.cmake, whose HOW is `joined` or `each`.
function(meander_embed_text target header variable how)
  set(output ${PROJECT_BINARY_DIR}/generated/${header})
  set(inputs "")
  foreach(file ${ARGN})
    get_filename_component(path ${file} ABSOLUTE)
    list(APPEND inputs ${path})
  endforeach()
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DVARIABLE=${variable} -DHOW=${how} "-DINPUTS=${inputs}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_text.cmake
    DEPENDS ${inputs} ${PROJECT_SOURCE_DIR}/cmake/embed_text.cmake VERBATIM)
  # A target of its own, because the command belongs to the folder of the caller, not of ${target}.
  string(MAKE_C_IDENTIFIER ${header} name)
  add_custom_target(embed_${name} DEPENDS ${output})
  add_dependencies(meander_generated embed_${name})
  add_dependencies(${target} embed_${name})
endfunction()

# meander_embed(target header variable files...): text files, in order, as one string constant.
function(meander_embed target header variable)
  meander_embed_text(${target} ${header} ${variable} joined ${ARGN})
endfunction()

# meander_embed_each(target header variable files...): an array of pairs, name of the file without its
# suffix and text.
function(meander_embed_each target header variable)
  meander_embed_text(${target} ${header} ${variable} each ${ARGN})
endfunction()

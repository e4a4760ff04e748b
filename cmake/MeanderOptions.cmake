# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# Every optional part is AUTO (on when what it needs is found), ON (an error when it is not) or OFF.
# MEANDER_WITH_<PART> is the outcome; meander_print_summary says it with the reason.

set(MEANDER_PARTS "")

# meander_part(NAME found "what it is" "what is missing")
function(meander_part name found what missing)
  set(MEANDER_${name} AUTO CACHE STRING "${what}: AUTO, ON or OFF")
  set_property(CACHE MEANDER_${name} PROPERTY STRINGS AUTO ON OFF)
  if(MEANDER_${name} STREQUAL "AUTO")
    set(with ${found})
    set(reason "${missing}")
  elseif(MEANDER_${name})
    if(NOT found)
      message(FATAL_ERROR "MEANDER_${name}=ON, but ${missing}")
    endif()
    set(with TRUE)
  else()
    set(with FALSE)
    set(reason "MEANDER_${name}=OFF")
  endif()
  if(with)
    set(MEANDER_WITH_${name} TRUE PARENT_SCOPE)
    list(APPEND MEANDER_PARTS "${name}: on (${what})")
  else()
    set(MEANDER_WITH_${name} FALSE PARENT_SCOPE)
    list(APPEND MEANDER_PARTS "${name}: off, ${reason}")
  endif()
  set(MEANDER_PARTS "${MEANDER_PARTS}" PARENT_SCOPE)
endfunction()

# meander_look_for(PART package [version]) looks only when the part is wanted.
macro(meander_look_for part)
  if(NOT DEFINED MEANDER_${part} OR NOT "${MEANDER_${part}}" STREQUAL "OFF")
    find_package(${ARGN} QUIET)
  endif()
endmacro()

function(meander_both result)
  set(${result} TRUE PARENT_SCOPE)
  foreach(value ${ARGN})
    if(NOT ${value})
      set(${result} FALSE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)

# libtiff 4.5 is the first whose error handlers and allocation limits belong to one open file.
meander_look_for(TIFF TIFF 4.5)
if(TIFF_FOUND AND TIFF_VERSION_STRING VERSION_LESS 4.5)
  set(TIFF_FOUND FALSE)
endif()
meander_part(TIFF "${TIFF_FOUND}" "TIFF files by libtiff" "libtiff 4.5 or newer was not found")

meander_look_for(PNG PNG)
meander_part(PNG "${PNG_FOUND}" "PNG files by libpng" "libpng was not found")

# libjpeg itself would do, too; libjpeg-turbo is what Debian has, and the faster one.
meander_look_for(JPEG JPEG)
meander_part(JPEG "${JPEG_FOUND}" "JPEG files, input only, by libjpeg" "libjpeg was not found")

# giflib 5.1 is the first whose EGifCloseFile has the second argument.
meander_look_for(GIF GIF 5.1)
meander_part(GIF "${GIF_FOUND}" "GIF files, output only, by giflib" "giflib 5.1 or newer was not found")

if(NOT "${MEANDER_OPENCL}" STREQUAL "OFF")
  find_path(MEANDER_OPENCL_HEADERS CL/cl.h)
endif()
meander_both(opencl_found MEANDER_OPENCL_HEADERS)
meander_part(OPENCL ${opencl_found} "OpenCL devices, the loader opened at run time" "CL/cl.h was not found")

set(cuda_found FALSE)
if(NOT "${MEANDER_CUDA}" STREQUAL "OFF")
  include(CheckLanguage)
  check_language(CUDA)
  find_package(CUDAToolkit 12.1 QUIET)  # since when kernels take more than 4096 bytes of arguments
  meander_both(cuda_found CMAKE_CUDA_COMPILER CUDAToolkit_FOUND)
endif()
meander_part(CUDA ${cuda_found} "CUDA devices, runtime linked statically" "no working nvcc 12.1 or newer was found")
if(MEANDER_WITH_CUDA)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    # Code for the H100 and H200; the driver compiles the rest from PTX at the first start.
    set(CMAKE_CUDA_ARCHITECTURES 90-real 75-virtual)
  endif()
  enable_language(CUDA)
endif()

meander_look_for(JSON nlohmann_json)
meander_part(JSON "${nlohmann_json_FOUND}" "outlines from GeoJSON files" "nlohmann-json was not found")

meander_look_for(CLI CLI11)
meander_look_for(CLI fmt)
meander_both(cli_found CLI11_FOUND nlohmann_json_FOUND fmt_FOUND)
meander_part(CLI ${cli_found} "the program `meander`" "CLI11, nlohmann-json (MEANDER_JSON) and fmt were not all found")

meander_look_for(TESTS GTest)
meander_part(TESTS "${GTest_FOUND}" "the tests" "GoogleTest was not found")

function(meander_print_summary)
  message(STATUS "Meander ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}, ${CMAKE_SYSTEM_PROCESSOR}")
  foreach(part ${MEANDER_PARTS})
    message(STATUS "  ${part}")
  endforeach()
  message(STATUS "  CPU kernels: ${MEANDER_ISA_LEVELS}")
  if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
    message(STATUS "  no compiler cache: ccache was not found")
  endif()
endfunction()

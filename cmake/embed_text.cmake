# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# cmake -DOUTPUT=… -DVARIABLE=… -DHOW=joined|each -DINPUTS=a;b -P embed_text.cmake
# Writes a header with one raw string per input: compilers limit the length of a literal,
# not the number of adjacent ones. `joined`: one constant; `each`: pairs of name and text.
if(HOW STREQUAL "each")
  set(text "#pragma once\n\n#include <string_view>\n#include <utility>\n\n")
  string(APPEND text "inline constexpr std::pair<std::string_view, std::string_view> ${VARIABLE}[] = {\n")
else()
  set(text "#pragma once\n\ninline constexpr char ${VARIABLE}[] =\n")
endif()
foreach(file ${INPUTS})
  file(READ ${file} lines)  # not STRINGS, which escapes semicolons
  if(HOW STREQUAL "each")
    get_filename_component(name ${file} NAME_WLE)
    string(APPEND text "    {\"${name}\", R\"kernel(${lines})kernel\"},\n")
  else()
    string(APPEND text "    R\"kernel(${lines})kernel\" \"\\n\"\n")
  endif()
endforeach()
if(HOW STREQUAL "each")
  string(APPEND text "};\n")
else()
  string(APPEND text "    ;\n")
endif()
file(WRITE ${OUTPUT} "${text}")

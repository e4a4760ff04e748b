# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# cmake -DOUTPUT=… -DVARIABLE=… -DINPUTS=a;b -P embed_text.cmake
# Writes a header with one raw string per input: compilers limit the length of a literal,
# not the number of adjacent ones.
set(text "#pragma once\n\ninline constexpr char ${VARIABLE}[] =\n")
foreach(file ${INPUTS})
  file(READ ${file} lines)  # not STRINGS, which escapes semicolons
  string(APPEND text "    R\"kernel(${lines})kernel\" \"\\n\"\n")
endforeach()
string(APPEND text "    ;\n")
file(WRITE ${OUTPUT} "${text}")

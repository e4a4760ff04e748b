# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# cmake -DOUTPUT=… -DVARIABLE=… -DINPUTS=a;b -P embed_text.cmake
# Writes a header with one raw string per line of the inputs: compilers limit the length of a literal,
# not the number of adjacent ones.
set(text "#pragma once\n\ninline constexpr char ${VARIABLE}[] =\n")
foreach(file ${INPUTS})
  file(STRINGS ${file} lines NEWLINE_CONSUME NO_HEX_CONVERSION)
  string(APPEND text "    R\"kernel(${lines})kernel\" \"\\n\"\n")
endforeach()
string(APPEND text "    ;\n")
file(WRITE ${OUTPUT} "${text}")

# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# cmake -DPROGRAM=… -DNAME=… -DCOST=… -DOUTPUT=… -P list_suites.cmake
# Writes a test of ctest's for each suite of a GoogleTest program. (gtest_discover_tests has one for each test case, which
# is a process for each few milliseconds.)
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE list COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)[^ \n]+\\.[ \n]" suites "${list}")
if(NOT suites)
  message(FATAL_ERROR "${PROGRAM} lists no suites")
endif()
set(text "")
foreach(suite ${suites})
  string(REGEX REPLACE "[. \n]" "" suite "${suite}")
  string(APPEND text "add_test([[${NAME}.${suite}]] [[${PROGRAM}]] [[--gtest_filter=${suite}.*]])\n"
    "set_tests_properties([[${NAME}.${suite}]] PROPERTIES TIMEOUT 600 COST ${COST} SKIP_REGULAR_EXPRESSION\n"
    "  [[PASSED  \\] 0 tests\\.\n\\[  SKIPPED \\] [0-9]+ tests?, listed below:\n(\\[  SKIPPED \\] [^\n]*\n)+$]])\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")

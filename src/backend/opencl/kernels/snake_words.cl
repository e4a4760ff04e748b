// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// What rules/snake.h wants to be told.
typedef float real;
typedef long wide;
#define SNAKE

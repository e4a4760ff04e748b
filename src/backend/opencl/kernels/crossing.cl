// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// What rules/crossing.h wants to be told.
typedef long wide;
#define CROSSING

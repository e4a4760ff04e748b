// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// The start of every program. WITH_FLOAT64 is defined for devices that have it.
#pragma OPENCL FP_CONTRACT OFF
#ifdef WITH_FLOAT64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

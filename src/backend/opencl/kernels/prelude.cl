// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// The start of every program. WITH_FLOAT64 is defined for devices that have it.
#pragma OPENCL FP_CONTRACT OFF
#ifdef WITH_FLOAT64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
// Some turns of a loop side by side, for GPUs; other compilers warn where they do not.
#ifdef __NV_CL_C_VERSION
#define EIGHT_AT_ONCE _Pragma("unroll 8")
#else
#define EIGHT_AT_ONCE
#endif

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Comes before every rule, in C++, CUDA and OpenCL C. Whoever compiles rules has said before what
// `real` is and, in C++, what mad(a, b, c) is; see README.md. No include guard: a file that needs
// rules for two kinds of `real` takes them twice, in two namespaces.
#undef RULE
#if defined(__OPENCL_VERSION__)
#define RULE void
#undef mad  // some drivers have it as a macro already
#define mad(a, b, c) fma(a, b, c)
#elif defined(__CUDACC__)
#define RULE static inline __host__ __device__ void
#else
#define RULE static inline void
#endif

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors

/// Cells of the finer grid that one of the coarser stands for along an axis.
long factor(long coarse, long fine) { return coarse == fine ? 1 : 2; }

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Whole scans in stretches, several lines a group.
#ifdef ITEMS
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
#else
kernel
#endif
void scan_blocks(global const uchar* in, lines in_lines, global uchar* out, lines out_lines,
                 long length, long count, constant scan_numbers* r, int across, int parts,
                 local REAL* room) {
  scan_block(in, in_lines, TYPE_OF_INPUT, out, out_lines, length, count, across, parts, ALONG_X,
             r, room);
}

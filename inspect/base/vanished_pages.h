/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files that are mapped while their owner makes them shorter.
 *
 * Libraries map the ELF files of a process that is read. Whoever may write such a file may truncate it meanwhile; the
 * kernel then sends SIGBUS to whoever touches a page behind the new end.
 */
#ifndef MPILENS_INSPECT_BASE_VANISHED_PAGES_H
#define MPILENS_INSPECT_BASE_VANISHED_PAGES_H

/* From now on such pages of this process read as zeros. Takes SIGBUS over; one that has another cause ends the process
 * as before. */
void vanished_pages_read_as_zeros(void);

#endif

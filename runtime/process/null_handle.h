/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Null handles of all kinds, for readers who have nothing but a value.
 */
#ifndef MPILENS_RUNTIME_PROCESS_NULL_HANDLE_H
#define MPILENS_RUNTIME_PROCESS_NULL_HANDLE_H

/* Puts them in the root. After fortran_handles_initialize, as often as one likes. */
void null_handles_initialize(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of system calls.
 */
#ifndef MPILENS_INSPECT_KERNEL_SYSTEM_CALL_NAME_H
#define MPILENS_INSPECT_KERNEL_SYSTEM_CALL_NAME_H

/* Of this machine; NULL: one in which threads seldom stand. */
const char *system_call_name(long long number);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts all calls of the process to the C library's allocator, whoever makes them: a program that is linked with this
 * has its own malloc(), free() and so on before the C library's.
 */
#ifndef MPILENS_BENCH_HEAP_CALLS_H
#define MPILENS_BENCH_HEAP_CALLS_H

extern volatile unsigned long heap_calls;

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of the command. Nothing here returns NULL: without memory there is nothing left to show, so the command says
 * so on standard error and exits with EXIT_UNREADABLE (a frozen rank is resumed by the kernel then).
 */
#ifndef MPILENS_INSPECT_BASE_ALLOCATION_H
#define MPILENS_INSPECT_BASE_ALLOCATION_H

#include <stddef.h>
#include <stdio.h>

/* Before all else: arrays that are large get memory of their own, which grows without a copy and goes back to the
 * system when it is freed. Else the C library puts them between the others once large ones were freed. */
void allocation_prepare(void);

/* Zeroed; the caller frees it. */
void *allocate(size_t bytes);
char *copy_text(const char *text);
__attribute__((format(printf, 1, 2))) char *format_text(const char *format, ...);

/* A text that is written piece by piece: *ret_text once the stream is closed with fclose(). The caller frees it. */
FILE *open_text(char **ret_text);

/* Appends one zeroed element to an array that begins as NULL with count 0 and returns the array, which may have moved;
 * the new element is the last one. An array is grown by these functions only and freed with free(). */
void *array_append(void *array, size_t *count, size_t element_bytes);
/* The same with so many elements at once. */
void *array_extend(void *array, size_t *count, size_t more, size_t element_bytes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The cache of the dynamic linker, /etc/ld.so.cache (glibc, format 1.1).
 */
#ifndef MPILENS_INSPECT_LAUNCH_LIBRARY_CACHE_H
#define MPILENS_INSPECT_LAUNCH_LIBRARY_CACHE_H

#include <stdbool.h>
#include <stddef.h>

struct library_cache {
    const char *bytes; /* NULL: there is none */
    size_t byte_count;
    size_t start; /* of the part in format 1.1 */
};

struct library_cache library_cache_open(const char *path);
/* The n-th file (from 0) that the cache has under the name; NULL: no more. Valid until the cache is closed. */
const char *library_cache_find(const struct library_cache *cache, const char *name, size_t n);
void library_cache_close(struct library_cache *cache);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Places in programs: what a return address means in the source. Looked up once per place of a file, whichever ranks of
 * the job have it at whatever addresses.
 */
#ifndef INSPECT_SITE_H
#define INSPECT_SITE_H

#include "text_pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct target;

struct site {
    const char *module;   /* path of the program or library */
    const char *function; /* NULL: not known */
    const char *file;     /* without directories; NULL: not known */
    const char *path;     /* of the file as the compiler was given it; NULL: not known */
    int line;             /* 0: not known */
};

/* Zero-initialised is empty. */
struct site_cache {
    void *root; /* tsearch tree of struct cached_site */
    struct text_pool names;
};

/* The site of the return address `address` in `target`, valid until the cache is cleared; NULL: in no module. The call
 * stands before the return address, so the line is that of address - 1, and the function is the innermost one that the
 * compiler has inlined there, if any. */
const struct site *site_find(struct site_cache *cache, struct target *target, uint64_t address);
/* The function that has code of its own, without the line, which takes longer to find; it is there if somebody has
 * asked for it before. */
const struct site *site_find_function(struct site_cache *cache, struct target *target, uint64_t address);
/* The same as site_find for each of the functions that stand there: those that the compiler has inlined, innermost
 * first, each called by the next one at the line that that one has, then the one that they were inlined into. Returns
 * how many, 0: in no module. */
size_t site_find_inlined(struct site_cache *cache, struct target *target, uint64_t address,
                         const struct site **ret_sites);
/* Whether both are the same line, or the same place where lines are not known; two that are not known are. */
bool site_is_same(const struct site *left, const struct site *right);
void site_cache_clear(struct site_cache *cache);

#endif

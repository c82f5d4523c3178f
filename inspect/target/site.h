/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Places in programs: what a return address means in the source. Looked up once per place of a file, whichever ranks of
 * the job have it at whatever addresses.
 */
#ifndef MPILENS_INSPECT_TARGET_SITE_H
#define MPILENS_INSPECT_TARGET_SITE_H

#include "text/text_pool.h"

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
    uint64_t offset;      /* of the call in the module, as addr2line takes it; 0: not known */
    const char *called;   /* the function of a library that is called there, in which the call in question is made;
                             NULL: it is made there */
    const char *hint;     /* what to do to get a line; NULL: there is one, nothing helps, or only a stack has it */
};

/* Zero-initialised is empty. */
struct site_cache {
    void *root;   /* tsearch tree of struct cached_site */
    void *stored; /* likewise of struct site: those that site_cache_add has kept */
    struct text_pool names;
    const char **hints; /* of the sites that site_find has found or a snapshot had, each once, the first ones */
    size_t hint_count;
};

/* The site of the return address `address` in `target`, valid until the cache is cleared; NULL: in no module. The call
 * stands before the return address, so the line is that of address - 1, and the function is the innermost one that the
 * compiler has inlined there, if any. Where there is no line, the hint of the site is kept. */
const struct site *site_find(struct site_cache *cache, struct target *target, uint64_t address);
/* The function that has code of its own, without the line, which takes longer to find; it is there if somebody has
 * asked for it before. */
const struct site *site_find_function(struct site_cache *cache, struct target *target, uint64_t address);
/* The same as site_find for each of the functions that stand there: those that the compiler has inlined, innermost
 * first, each called by the next one at the line that that one has, then the one that they were inlined into. Returns
 * how many, 0: in no module. Without hints: every stack has frames that no user has compiled. */
size_t site_find_inlined(struct site_cache *cache, struct target *target, uint64_t address,
                         const struct site **ret_sites);
/* Whether both are the same line, or the same place where lines are not known; two that are not known are. */
bool site_is_same(const struct site *left, const struct site *right);
/* "halo+0x1139", for addr2line -e halo 0x1139; "halo" where the offset is not known. The caller frees it. */
char *site_describe_offset(const struct site *site);
/* "cg (wrap.c:11)"; without a line "cg (libsolver.so)", or "app+0x1139". The offset would only tell apart what
 * different ranks do in one function. The caller frees it. */
char *site_describe_function(const struct site *site);
/* The cache's copy of a site that was found elsewhere, with its hint; the same for the same site. Its texts must last
 * as long as the cache. */
const struct site *site_cache_add(struct site_cache *cache, const struct site *site);
/* Keeps the hint of a site that is not of this cache; NULL is fine. */
void site_cache_add_hint(struct site_cache *cache, const char *hint);
void site_cache_clear(struct site_cache *cache);

#endif

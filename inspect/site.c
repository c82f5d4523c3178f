/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Places in programs, cached by file and offset.
 */
#include "site.h"

#include "allocation.h"
#include "file_name.h"
#include "target.h"

#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct cached_site {
    const char *module; /* of the cache's names: compared by pointer */
    uint64_t offset;
    struct site site;
    bool has_function, has_line; /* they were looked up */
    struct site *functions;      /* inlined ones, then the one around; NULL: not looked up */
    size_t function_count;
};

/* Deeper inlining is not followed. */
enum { MOST_INLINED = 32 };

static int compare_sites(const void *left_site, const void *right_site)
{
    const struct cached_site *left = left_site;
    const struct cached_site *right = right_site;
    if (left->module != right->module)
        return (uintptr_t)left->module < (uintptr_t)right->module ? -1 : 1;
    return left->offset < right->offset ? -1 : left->offset > right->offset;
}

static void set_line(struct site_cache *cache, const char *path, int line, struct site *ret_site)
{
    ret_site->path = path != NULL ? text_pool_add(&cache->names, path) : NULL;
    ret_site->file = path != NULL ? text_pool_add(&cache->names, file_name(path)) : NULL;
    ret_site->line = path != NULL ? line : 0;
}

static void set_function(struct site_cache *cache, const char *function, struct site *ret_site)
{
    ret_site->function = function != NULL ? text_pool_add(&cache->names, function) : NULL;
}

static struct cached_site *find_cached(struct site_cache *cache, struct target *target, uint64_t address)
{
    struct target_place place;
    if (address == 0 || !target_find_module(target, address - 1, &place))
        return NULL;
    struct cached_site *site = allocate(sizeof *site);
    site->module = text_pool_add(&cache->names, place.module);
    site->offset = place.offset;
    struct cached_site **found = tsearch(site, &cache->root, compare_sites);
    if (*found != site) {
        free(site);
        return *found;
    }
    site->site = (struct site){.module = site->module};
    return site;
}

static struct cached_site *find_with_line(struct site_cache *cache, struct target *target, uint64_t address)
{
    struct cached_site *site = find_cached(cache, target, address);
    if (site == NULL || site->has_line)
        return site;
    struct target_place place;
    site->has_function = true;
    site->has_line = true;
    if (target_find_source(target, address - 1, &place)) {
        set_function(cache, place.function, &site->site);
        set_line(cache, place.path, place.line, &site->site);
    }
    return site;
}

const struct site *site_find(struct site_cache *cache, struct target *target, uint64_t address)
{
    const struct cached_site *site = find_with_line(cache, target, address);
    return site != NULL ? &site->site : NULL;
}

const struct site *site_find_function(struct site_cache *cache, struct target *target, uint64_t address)
{
    struct cached_site *site = find_cached(cache, target, address);
    if (site == NULL)
        return NULL;
    if (!site->has_function)
        set_function(cache, target_find_function(target, address - 1), &site->site);
    site->has_function = true;
    return &site->site;
}

/* Each function stands at the line that is current in it: the innermost at that of the code, the others where the one
 * before was inlined. */
static void find_functions(struct site_cache *cache, struct target *target, uint64_t address, struct cached_site *site)
{
    struct target_inlined inlined[MOST_INLINED];
    const size_t count = target_find_inlined(target, address - 1, inlined, MOST_INLINED);
    site->function_count = count + 1;
    site->functions = allocate(site->function_count * sizeof *site->functions);
    for (size_t i = 0; i <= count; i++) {
        site->functions[i] = site->site;
        if (i < count)
            site->functions[i].function =
                inlined[i].function != NULL ? text_pool_add(&cache->names, inlined[i].function) : NULL;
        if (i > 0)
            set_line(cache, inlined[i - 1].path, inlined[i - 1].line, &site->functions[i]);
    }
}

size_t site_find_inlined(struct site_cache *cache, struct target *target, uint64_t address,
                         const struct site **ret_sites)
{
    struct cached_site *site = find_with_line(cache, target, address);
    if (site == NULL)
        return 0;
    if (site->functions == NULL)
        find_functions(cache, target, address, site);
    *ret_sites = site->functions;
    return site->function_count;
}

static void free_cached(void *site)
{
    free(((struct cached_site *)site)->functions);
    free(site);
}

void site_cache_clear(struct site_cache *cache)
{
    tdestroy(cache->root, free_cached);
    cache->root = NULL;
    text_pool_clear(&cache->names);
}

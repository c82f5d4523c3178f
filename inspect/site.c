/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Places in programs, cached by file and offset.
 */
#include "site.h"

#include "allocation.h"
#include "file_name.h"
#include "target.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

struct cached_site {
    const char *module; /* of the cache's names: compared by pointer */
    uint64_t offset;
    struct site site;
};

static int compare_sites(const void *left_site, const void *right_site)
{
    const struct cached_site *left = left_site;
    const struct cached_site *right = right_site;
    if (left->module != right->module)
        return (uintptr_t)left->module < (uintptr_t)right->module ? -1 : 1;
    return left->offset < right->offset ? -1 : left->offset > right->offset;
}

static void describe(struct site_cache *cache, const struct target_place *place, struct site *ret_site)
{
    if (place->function != NULL)
        ret_site->function = text_pool_add(&cache->names, place->function);
    if (place->path != NULL) {
        ret_site->path = text_pool_add(&cache->names, place->path);
        ret_site->file = text_pool_add(&cache->names, file_name(place->path));
        ret_site->line = place->line;
    }
}

const struct site *site_find(struct site_cache *cache, struct target *target, uint64_t address)
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
        return &(*found)->site;
    }
    site->site = (struct site){.module = site->module};
    if (target_find_source(target, address - 1, &place))
        describe(cache, &place, &site->site);
    return &site->site;
}

void site_cache_clear(struct site_cache *cache)
{
    tdestroy(cache->root, free);
    cache->root = NULL;
    text_pool_clear(&cache->names);
}

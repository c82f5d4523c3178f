/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks up places in programs, cached by file and offset.
 */

#include "base/base.h"
#include "target/target_internal.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct cached_site {
    const char *module; /* of the cache's names: compared by pointer */
    uint64_t offset;
    struct site site; /* with the function by its symbol, until the lines are looked up */
    bool has_function;
    struct site *functions; /* innermost first; NULL: not looked up */
    size_t function_count;
    const char *hint; /* of the innermost function; NULL: none, or not looked up */
};

/* Deeper inlining is not followed; more than some hints are not kept. */
enum { MOST_INLINED = 32, MOST_HINTS = 100 };

static int compare_sites(const void *left_site, const void *right_site)
{
    const struct cached_site *left = left_site;
    const struct cached_site *right = right_site;
    if (left->module != right->module)
        return (uintptr_t)left->module < (uintptr_t)right->module ? -1 : 1;
    return left->offset < right->offset ? -1 : left->offset > right->offset;
}

static const char *keep(struct site_cache *cache, const char *text)
{
    return text != NULL ? text_pool_add(&cache->names, text) : NULL;
}

static struct cached_site *find_cached(struct site_cache *cache, struct target *target, uint64_t address)
{
    struct target_place place;
    if (address == 0 || !target_find_module(target, address - 1, &place))
        return NULL;
    const struct cached_site wanted = {.module = text_pool_add(&cache->names, place.module), .offset = place.offset};
    struct cached_site *site = arena_find(&wanted, cache->root, compare_sites);
    if (site != NULL)
        return site;
    struct arena *outer = arena_use(&cache->names.arena);
    site = arena_allocate(sizeof *site);
    *site = wanted;
    arena_search(site, &cache->root, compare_sites);
    arena_use(outer);
    site->site = (struct site){.module = site->module, .offset = place.file_offset};
    return site;
}

static struct cached_site *find_with_lines(struct site_cache *cache, struct target *target, uint64_t address)
{
    struct target_place places[MOST_INLINED];
    struct cached_site *site = find_cached(cache, target, address);
    if (site == NULL || site->functions != NULL)
        return site;
    const size_t count = target_find_functions(target, address - 1, places, MOST_INLINED);
    site->hint = count > 0 ? keep(cache, places[0].hint) : NULL;
    site->function_count = count > 0 ? count : 1;
    struct arena *outer = arena_use(&cache->names.arena);
    site->functions = arena_allocate(site->function_count * sizeof *site->functions);
    arena_use(outer);
    site->functions[0] = site->site;
    for (size_t i = 0; i < count; i++) {
        const char *path = places[i].path;
        site->functions[i] = (struct site){
            .module = site->module,
            .function = keep(cache, places[i].function),
            .file = path != NULL ? keep(cache, file_name(path)) : NULL,
            .path = keep(cache, path),
            .line = path != NULL ? places[i].line : 0,
            .offset = site->site.offset,
        };
    }
    return site;
}

const struct site *site_find(struct site_cache *cache, struct target *target, uint64_t address)
{
    struct cached_site *site = find_with_lines(cache, target, address);
    if (site == NULL)
        return NULL;
    if (site->functions[0].hint != site->hint) {
        site->functions[0].hint = site->hint;
        site_cache_add_hint(cache, site->hint);
    }
    return &site->functions[0];
}

const struct site *site_find_function(struct site_cache *cache, struct target *target, uint64_t address)
{
    struct cached_site *site = find_cached(cache, target, address);
    if (site == NULL || site->functions != NULL)
        return site != NULL ? &site->functions[site->function_count - 1] : NULL;
    if (!site->has_function)
        site->site.function = keep(cache, target_find_function(target, address - 1));
    site->has_function = true;
    return &site->site;
}

size_t site_find_inlined(struct site_cache *cache, struct target *target, uint64_t address,
                         const struct site **ret_sites)
{
    const struct cached_site *site = find_with_lines(cache, target, address);
    if (site == NULL)
        return 0;
    *ret_sites = site->functions;
    return site->function_count;
}

static int compare_texts(const char *left, const char *right)
{
    if (left == right || left == NULL || right == NULL)
        return (left != NULL) - (right != NULL);
    return strcmp(left, right);
}

static int compare_stored(const void *left_site, const void *right_site)
{
    const struct site *left = left_site;
    const struct site *right = right_site;
    int order = left->offset < right->offset ? -1 : left->offset > right->offset;
    if (order == 0)
        order = left->line < right->line ? -1 : left->line > right->line;
    if (order == 0)
        order = compare_texts(left->module, right->module);
    if (order == 0)
        order = compare_texts(left->function, right->function);
    if (order == 0)
        order = compare_texts(left->path, right->path);
    if (order == 0)
        order = compare_texts(left->file, right->file);
    if (order == 0)
        order = compare_texts(left->called, right->called);
    return order != 0 ? order : compare_texts(left->hint, right->hint);
}

const struct site *site_cache_add(struct site_cache *cache, const struct site *site)
{
    const struct site *found = arena_find(site, cache->stored, compare_stored);
    if (found != NULL)
        return found;
    struct arena *outer = arena_use(&cache->names.arena);
    struct site *copy = arena_allocate(sizeof *copy);
    *copy = *site;
    arena_search(copy, &cache->stored, compare_stored);
    arena_use(outer);
    site_cache_add_hint(cache, copy->hint);
    return copy;
}

/* For places without a line; unknown ones differ. */
static bool is_same_offset(const struct site *left, const struct site *right)
{
    return left->line == 0 && right->line == 0 && left->offset != 0 && left->offset == right->offset &&
           left->module != NULL && right->module != NULL && strcmp(left->module, right->module) == 0;
}

bool site_is_same(const struct site *left, const struct site *right)
{
    if (left == right || left == NULL || right == NULL)
        return left == right;
    if (compare_texts(left->called, right->called) != 0)
        return false;
    if (is_same_offset(left, right))
        return compare_texts(left->function, right->function) == 0;
    return left->file != NULL && right->file != NULL && left->line == right->line &&
           strcmp(left->file, right->file) == 0;
}

char *site_describe_offset(const struct site *site)
{
    const char *module = file_name(site->module);
    return site->offset != 0 ? format_text("%s+0x%" PRIx64, module, site->offset) : copy_text(module);
}

char *site_describe_function(const struct site *site)
{
    if (site->function == NULL)
        return site->line > 0 ? format_text("%s:%d", site->file, site->line) : site_describe_offset(site);
    return site->line > 0 ? format_text("%s (%s:%d)", site->function, site->file, site->line)
                          : format_text("%s (%s)", site->function, file_name(site->module));
}

void site_cache_add_hint(struct site_cache *cache, const char *hint)
{
    const char *kept = keep(cache, hint);
    if (kept == NULL || cache->hint_count == MOST_HINTS)
        return;
    for (size_t i = 0; i < cache->hint_count; i++)
        if (cache->hints[i] == kept)
            return;
    struct arena *outer = arena_use(&cache->names.arena);
    cache->hints = arena_append(cache->hints, &cache->hint_count, sizeof *cache->hints);
    arena_use(outer);
    cache->hints[cache->hint_count - 1] = kept;
}

void site_cache_clear(struct site_cache *cache)
{
    arena_clear(&cache->names.arena);
    *cache = (struct site_cache){.hint_count = 0};
}

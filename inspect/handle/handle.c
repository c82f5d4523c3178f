/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Resolves the places of a handle's object, and frees it.
 */
#include "handle/handle.h"

#include "model/model.h"

#include <stdlib.h>

/* A function begins at its address; a return address stands behind its call. */
static void resolve_function(struct handle_function *function, struct site_cache *cache, struct target *target)
{
    function->site = function->address != 0 ? site_find(cache, target, function->address + 1) : NULL;
}

static void resolve_datatype(struct handle_datatype *datatype, struct site_cache *cache, struct target *target)
{
    datatype->site = site_find(cache, target, datatype->object.site);
    for (size_t i = 0; i < datatype->part_count; i++)
        resolve_datatype(&datatype->parts[i], cache, target);
}

void handle_resolve_sites(struct handle *handle, struct site_cache *cache, struct target *target)
{
    handle->created_site = site_find(cache, target, handle->object.site);
    handle->freed_site = site_find(cache, target, handle->more.freed_site);
    resolve_function(&handle->function, cache, target);
    resolve_function(&handle->copy_function, cache, target);
    resolve_function(&handle->delete_function, cache, target);
    resolve_datatype(&handle->datatype, cache, target);
    if (handle->window != NULL)
        window_resolve_sites(handle->window, cache, target);
    for (size_t i = 0; i < handle->line_count; i++) {
        handle->lines[i].site = site_find(cache, target, handle->lines[i].call);
        resolve_function(&handle->lines[i].function, cache, target);
    }
}

static void clear_datatype(struct handle_datatype *datatype)
{
    for (size_t i = 0; i < datatype->part_count; i++)
        clear_datatype(&datatype->parts[i]);
    free(datatype->parts);
    free(datatype->arguments);
}

void handle_clear(struct handle *handle)
{
    for (size_t i = 0; i < handle->line_count; i++) {
        free(handle->lines[i].label);
        free(handle->lines[i].text);
    }
    free(handle->lines);
    free(handle->users);
    free(handle->texts);
    free(handle->members.ranges);
    free(handle->remote_members.ranges);
    free(handle->topology.values);
    free(handle->attributes);
    window_destroy(handle->window);
    free(handle->file);
    clear_datatype(&handle->datatype);
    free(handle->type_map.entries);
    free(handle->type_map.runs);
    free(handle->type_map.holes);
    free(handle->partitions);
    *handle = (struct handle){0};
}

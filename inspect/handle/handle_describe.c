/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes parts of the object that a handle names.
 */
#include "handle/handle_describe.h"

#include "base/allocation.h"
#include "base/file_name.h"
#include "mpilens/words.h"
#include "words/describe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Longer lists are cut. */
enum { MOST_SHOWN = 16 };

bool handle_is_gone(const struct handle *handle)
{
    if (handle->kind == MPILENS_OBJECT_REQUEST)
        return false; /* a freed one that is found is under way as far as is known */
    return handle->object.freed != 0 && handle->object.users == 0 && handle->user_count == 0;
}

char *handle_describe_name(uint64_t handle, const char *name)
{
    if (name == NULL || name[0] == '\0')
        return format_text("0x%" PRIx64, handle);
    return handle != 0 ? format_text("%s (0x%" PRIx64 ")", name, handle) : copy_text(name);
}

static void write_range(FILE *stream, const struct mpilens_rank_range *range)
{
    const int64_t last = range->first + (int64_t)range->stride * (range->count - 1);
    if (range->first < 0)
        fprintf(stream, "%d of another world", range->count);
    else if (range->count == 1)
        fprintf(stream, "%d", range->first);
    else if (range->stride == 1)
        fprintf(stream, "%d-%" PRId64, range->first, last);
    else if (range->count == 2)
        fprintf(stream, "%d, %" PRId64, range->first, last);
    else
        fprintf(stream, "%d-%" PRId64 " by %d", range->first, last, range->stride);
}

char *handle_describe_ranges(const struct mpilens_rank_range *ranges, size_t count)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    if (stream == NULL)
        return copy_text("");
    for (size_t i = 0; i < count && i < MOST_SHOWN; i++) {
        fputs(i > 0 ? ", " : "", stream);
        write_range(stream, &ranges[i]);
    }
    if (count > MOST_SHOWN)
        fputs(", ...", stream);
    if (count == 0)
        fputs("none", stream);
    fclose(stream);
    return text;
}

static void write_cartesian(FILE *stream, const struct handle_topology *topology)
{
    const int32_t count = topology->information.first_count;
    fputs(mpilens_topology_phrase(MPILENS_TOPOLOGY_CARTESIAN), stream);
    if (count < 0 || topology->value_count < (size_t)count * 2)
        return;
    const int32_t *periods = topology->values + count;
    int32_t periodic = 0;
    for (int32_t i = 0; i < count; i++) {
        fprintf(stream, "%s%d", i > 0 ? " x " : " ", topology->values[i]);
        periodic += periods[i] != 0;
    }
    if (periodic == 0) {
        fputs(", not periodic", stream);
        return;
    }
    fprintf(stream, ", periodic in dimension%s", periodic > 1 ? "s" : "");
    int32_t shown = 0;
    for (int32_t i = 0; i < count; i++)
        if (periods[i] != 0) {
            shown++;
            fprintf(stream, "%s%d", shown == 1 ? " " : shown == periodic ? " and " : ", ", i);
        }
}

char *handle_describe_topology(const struct handle_topology *topology)
{
    const struct mpilens_topology_information *information = &topology->information;
    const char *kind = mpilens_topology_phrase(information->kind);
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    if (stream == NULL)
        return copy_text("");
    if (information->kind == MPILENS_TOPOLOGY_CARTESIAN)
        write_cartesian(stream, topology);
    else if (information->kind == MPILENS_TOPOLOGY_GRAPH)
        fprintf(stream, "%s of %d nodes and %d edges", kind, information->first_count, information->second_count);
    else if (information->kind == MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH)
        fprintf(stream, "%s, %d in and %d out here", kind, information->first_count, information->second_count);
    fclose(stream);
    return text;
}

const char *handle_describe_attachable(uint32_t attachable)
{
    const char *phrase = mpilens_attachable_phrase(attachable);
    return phrase != NULL ? phrase : "unknown objects";
}

char *handle_describe_place(const struct site *site, uint64_t address)
{
    if (site == NULL)
        return address != 0 ? format_text("0x%" PRIx64, address) : copy_text("");
    if (site->file == NULL)
        return site_describe_offset(site);
    return site->line > 0 ? format_text("%s:%d", site->file, site->line) : copy_text(site->file);
}

char *handle_describe_function(const struct handle_function *function)
{
    const struct site *site = function->site;
    if (site == NULL || (site->function == NULL && site->file == NULL))
        return format_text("0x%" PRIx64, function->address);
    if (site->file == NULL)
        return format_text("%s of %s", site->function, file_name(site->module));
    return format_text("%s at %s:%d", site->function != NULL ? site->function : "?", site->file, site->line);
}

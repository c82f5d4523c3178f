/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes places of frames.
 */
#include "python/python.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

/* Frames of a stack in one line. */
enum { MOST_SHOWN = 8 };

const struct site *python_site(const struct python_frame *frame, struct site_cache *sites)
{
    const char *path = text_pool_add(&sites->names, frame->path);
    const struct site site = {.module = path,
                              .function = text_pool_add(&sites->names, frame->function),
                              .file = text_pool_add(&sites->names, file_name(frame->path)),
                              .path = path,
                              .line = frame->line};
    return site_cache_add(sites, &site);
}

char *python_describe_stack(const struct python_thread *thread)
{
    char *text;
    size_t shown = 0;
    const struct python_frame *place = python_find_place(thread);
    if (place == NULL)
        return NULL;
    FILE *stream = open_text(&text);
    for (const struct python_frame *frame = place; frame < thread->frames + thread->frame_count; frame++) {
        if (frame != place && python_is_of_library(frame))
            continue;
        char *described = python_describe_frame(frame);
        fprintf(stream, "%s%s", shown > 0 ? " < " : "", shown < MOST_SHOWN ? described : "...");
        free(described);
        if (shown++ == MOST_SHOWN)
            break;
    }
    if (thread->is_cut && shown <= MOST_SHOWN)
        fputs(" < ...", stream);
    fclose(stream);
    return text;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes over the page of a handle from the DLL, and adds places and ages to its lines.
 */
#include "handle/handle.h"

#include "base/base.h"
#include "words/words.h"

#include <stdlib.h>

void handle_collect_page(const struct collection *collection, int code, struct handle *handle)
{
    struct mpilens_page_line *line = allocate(sizeof *line);
    line->struct_size = sizeof *line;
    while (code == mqs_ok) {
        code = collection->dll->mpilens_next_page_line(collection->handle, line);
        if (code != mqs_ok)
            break;
        handle->lines = array_append(handle->lines, &handle->line_count, sizeof *handle->lines);
        handle->lines[handle->line_count - 1] =
            (struct handle_line){.depth = line->depth,
                                 .is_of_users = line->of_users != 0,
                                 .label = copy_text(line->label),
                                 .text = copy_text(line->text),
                                 .call = line->site,
                                 .function.address = line->function,
                                 .age_s = tick_clock_age(&collection->clock, line->time)};
    }
    free(line);
}

static const char *handle_lines_describe_call(const struct handle_line *line)
{
    if (line->call == 0)
        return "";
    return line->site != NULL ? describe_site(line->site) : handle_describe_place(NULL, line->call);
}

const char *handle_line_text(const struct handle_line *line)
{
    if (line->function.address != 0)
        return handle_describe_function(&line->function);
    const char *place = handle_lines_describe_call(line);
    const char *age = describe_age(line->age_s);
    return arena_text("%s%s%s%s%s%s", line->text, place[0] != '\0' ? " at " : "", place, age[0] != '\0' ? ", " : "",
                      age, age[0] != '\0' ? " ago" : "");
}

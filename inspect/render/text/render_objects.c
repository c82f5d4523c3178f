/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The objects that ranks have, as numbers and as a table. Communicators have a table of their own.
 */
#include "render/text/render_text_internal.h"

#include "base/base.h"
#include "text/text.h"
#include "words/words.h"

/* "3 datatypes, 1 window"; "" where there is none. */
static const char *describe_numbers(const struct process *process)
{
    size_t counts[MPILENS_OBJECT_KIND_COUNT] = {0};
    FILE *stream = arena_open();
    for (size_t i = 0; i < process->object_count; i++)
        counts[process->objects[i].kind % MPILENS_OBJECT_KIND_COUNT] += !process->objects[i].freed;
    counts[MPILENS_OBJECT_COMMUNICATOR] = 0;
    bool first = true;
    for (uint32_t kind = 0; kind < MPILENS_OBJECT_KIND_COUNT; kind++) {
        if (counts[kind] == 0)
            continue;
        fprintf(stream, "%s%zu %s%s", first ? "" : ", ", counts[kind], mpilens_object_kind_name((int)kind),
                counts[kind] > 1 ? "s" : "");
        first = false;
    }
    return arena_close(stream);
}

static void render_numbers(FILE *stream, const struct job *job, const struct render_options *options)
{
    struct rank_texts lines = {.apart = options->all};
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (!rank_is_chosen(&options->ranks, process->rank))
            continue;
        const char *text = describe_numbers(process);
        if (text[0] != '\0')
            rank_texts_add_rank(&lines, text, process->rank);
    }
    if (lines.count > 0)
        fputc('\n', stream);
    for (size_t i = 0; i < lines.count; i++) {
        const struct rank_text *line = lines.items[i];
        const char *ranks = line->ranks.count > 0 ? ranks_name(&line->ranks) : "rank ?";
        print_line(stream, "objects of %s: %s", ranks, line->text);
    }
}

enum { RANK, OBJECT, NAME, HANDLE, STATE, AGE, MADE, SITE, COLUMNS };

static const struct text_column columns[COLUMNS] = {
    [RANK] = {"RANK", true, false},     [OBJECT] = {"OBJECT", false, false}, [NAME] = {"NAME", false, false},
    [HANDLE] = {"HANDLE", true, false}, [STATE] = {"STATE", false, false},   [AGE] = {"AGE", true, false},
    [MADE] = {"MADE BY", false, false}, [SITE] = {"SITE", false, true},
};

static const char *join(const char *text, const char *more)
{
    return arena_text("%s%s%s", text, text[0] != '\0' ? ", " : "", more);
}

/* "freed", "locks 0 exclusive, 3 shared", "in MPI_File_read_all_begin". */
static const char *describe_object_state(const struct object *object)
{
    const char *text = arena_copy(object->freed ? "freed" : "");
    const struct window *window = object->window;
    for (size_t i = 0; window != NULL && i < window->lock_count; i++) {
        const char *lock = arena_text("%s%s %s", i == 0 ? "locks " : "",
                                      describe_rank(window->locks[i].target_local, window->locks[i].target_world),
                                      describe_lock(window->locks[i].type));
        text = join(text, lock);
    }
    if (window != NULL && window->access_epoch == MPILENS_EPOCH_LOCK_ALL)
        text = join(text, "locks all");
    if (window != NULL && window->access_epoch == MPILENS_EPOCH_GROUP)
        text = join(text, "started");
    if (window != NULL && window->exposure_epoch == MPILENS_EPOCH_GROUP)
        text = join(text, "posted");
    if (object->file != NULL && object->file->split_collective[0] != '\0') {
        const char *split = arena_text("in %s", object->file->split_collective);
        text = join(text, split);
    }
    return text;
}

static void add_object(struct merged_rows *rows, const struct object *object)
{
    struct merged_row row = {.what = mpilens_object_kind_name((int)object->kind), .age_s = object->age_s};
    row.cells[NAME] = arena_copy(object->name);
    row.cells[HANDLE] = object->handle != 0 ? arena_text("0x%llx", (unsigned long long)object->handle) : "";
    row.cells[STATE] = describe_object_state(object);
    row.cells[MADE] = arena_copy(object->function);
    row.cells[SITE] = describe_site(object->site);
    merged_rows_add(rows, &row);
}

static int render_table(FILE *stream, const struct job *job, const struct render_options *options)
{
    struct merged_rows rows = {.layout = {.columns = columns,
                                          .column_count = COLUMNS,
                                          .rank = RANK,
                                          .peer = COLUMNS,
                                          .what = OBJECT,
                                          .age = AGE,
                                          .single = HANDLE,
                                          .equal_anywhere = true,
                                          .all = options->all}};
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (!rank_is_chosen(&options->ranks, process->rank))
            continue;
        uint32_t kind = MPILENS_OBJECT_NONE;
        merged_rows_begin(&rows, process->rank);
        for (size_t j = 0; j < process->object_count; j++) {
            if (object_is_left(&process->objects[j]))
                continue;
            if (process->objects[j].kind != kind) {
                merged_rows_end(&rows);
                merged_rows_begin(&rows, process->rank);
            }
            kind = process->objects[j].kind;
            add_object(&rows, &process->objects[j]);
        }
        merged_rows_end(&rows);
    }
    return merged_rows_finish(&rows, stream, options->color);
}

int render_objects(FILE *stream, const struct job *job, const struct render_options *options)
{
    if (options->objects)
        return render_table(stream, job, options);
    render_numbers(stream, job, options);
    return 0;
}

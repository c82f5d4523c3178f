/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints lines with one character for each rank.
 */
#include "monitor/monitor.h"

#include "base/base.h"
#include "text/text.h"
#include "words/words.h"

#include <stdlib.h>

enum {
    CLOCK_COLUMNS = 10,
    TENS = 10,       /* a line that is wrapped has whole tens of ranks */
    RULER_LINES = 20 /* before it is written again */
};

static const struct process *find_before(const struct job *before, const struct process *process)
{
    const struct process *found = before != NULL ? find_process(before, process->rank) : NULL;
    return found != NULL && found->pid == process->pid ? found : NULL;
}

/* How many ranks stand in a line. */
static size_t ranks_of_line(const struct watch_page *page)
{
    if (page->width == 0)
        return SIZE_MAX;
    const size_t columns = page->width > CLOCK_COLUMNS + TENS ? page->width - CLOCK_COLUMNS : TENS;
    return columns - columns % TENS;
}

/* "0....5....1....5....2": the tens by their last digit. */
static void render_ruler(FILE *stream, size_t count)
{
    fprintf(stream, "%*s", CLOCK_COLUMNS, "");
    for (size_t i = 0; i < count; i++)
        fputc(i % TENS == 0 ? '0' + (int)(i / TENS % TENS) : i % TENS == TENS / 2 ? '5' : '.', stream);
    fputc('\n', stream);
}

int watch_render(FILE *stream, struct watch_page *page, const struct job *job, const struct job *before,
                 const char *clock)
{
    char *characters = allocate(job->process_count + 1);
    int *ranks = allocate((job->process_count + 1) * sizeof *ranks);
    size_t count = 0;
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (!rank_is_chosen(page->ranks, process->rank))
            continue;
        ranks[count] = process->rank;
        characters[count++] = watch_character(process, find_before(before, process));
    }
    const size_t most = ranks_of_line(page);
    if (count != page->ranks_of_ruler || page->lines >= RULER_LINES) {
        render_ruler(stream, count < most ? count : most);
        page->ranks_of_ruler = count;
        page->lines = 0;
    }
    for (size_t first = 0; first < count || first == 0; first += most) {
        const size_t length = count - first < most ? count - first : most;
        if (first == 0)
            fprintf(stream, "%-*s", CLOCK_COLUMNS, clock);
        else
            fprintf(stream, "%*d  ", CLOCK_COLUMNS - 2, ranks[first]);
        fprintf(stream, "%.*s\n", (int)length, characters + first);
        page->lines++;
        if (count - first <= most)
            break;
    }
    free(ranks);
    free(characters);
    return finish_output(stream);
}

static void write_rank(struct json_stream *document, const struct process *process, const struct process *before)
{
    json_stream_open_object(document, NULL);
    json_stream_number(document, "rank", process->rank);
    json_stream_integer_if(document, "pid", process->pid > 0, process->pid);
    json_stream_text(document, "character", (const char[]){watch_character(process, before), '\0'});
    json_stream_text(document, "state", describe_state(process->state));
    json_stream_open_array(document, "calls");
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        if (thread->ended || thread->function[0] == '\0')
            continue;
        json_stream_open_object(document, NULL);
        json_stream_text(document, "function", thread->function);
        json_stream_seconds(document, "age_s", thread->age_s);
        json_stream_close(document);
    }
    json_stream_close(document);
    json_stream_close(document);
}

int watch_render_json(FILE *stream, const struct rank_set *ranks, const struct job *job, const struct job *before,
                      double at)
{
    struct json_stream document = {.file = stream, .style = JSON_COMPACT};
    json_stream_open_document(&document, "watch");
    json_stream_seconds(&document, "at", at);
    json_stream_open_object(&document, "job");
    json_stream_text(&document, "id", job->id);
    json_stream_integer_if(&document, "size", job->size > 0, job->size);
    json_stream_close(&document);
    json_stream_open_array(&document, "ranks");
    for (size_t i = 0; i < job->process_count; i++)
        if (rank_is_chosen(ranks, job->processes[i].rank))
            write_rank(&document, &job->processes[i], find_before(before, &job->processes[i]));
    json_stream_close(&document);
    json_stream_close(&document);
    return json_stream_finish(&document);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the strip of all ranks: a cell for each, as a drawing of runs of equal cells, whatever their number.
 */
#include "render/html/render_html_internal.h"

#include "base/base.h"
#include "model/model.h"
#include "words/words.h"

#include <stdlib.h>
#include <string.h>

/* More ranks have no strip, or no letters; more causes are not marked, in a strip without letters, larger than
 * their cells; and a strip is as high as this part of its width, at most. */
enum { MOST_STRIP_RANKS = 1 << 20, MOST_LETTERS = 4096, MOST_MARKS = 200, LEAST_COLUMNS = 16 };
static const double most_height = 0.4;

static const char absent_letter = '*';

/* Ranks without the runtime: the stack says whether they are in MPI. */
static char letter_of(const struct process *process)
{
    const int seen = process_was_seen(process) ? next_seen_thread(process, -1) : -1;
    if (seen < 0)
        return watch_character(process, NULL);
    const struct seen_thread *thread = &process->seen_threads[seen];
    if (thread->function[0] != '\0')
        return 'w';
    return thread->activity == ACTIVITY_SLEEPING ? '-' : thread->activity == ACTIVITY_STOPPED ? 'T' : '.';
}

static const char *class_of(char letter, bool is_cause)
{
    static const struct {
        const char *letters, *class;
    } classes[] = {
        {"bBgGdRaAc", "collective"}, {"srmUw", "waits"}, {".u", "computes"}, {"-T", "rests"}, {"ifx", "ended"}};
    if (is_cause)
        return "cause";
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strchr(classes[i].letters, letter) != NULL)
            return classes[i].class;
    return "unread";
}

static int count_ranks(const struct job *job)
{
    int size = job->size;
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].rank >= size && job->processes[i].rank < MOST_STRIP_RANKS)
            size = job->processes[i].rank + 1;
    return size <= MOST_STRIP_RANKS ? size : 0;
}

static void mark_causes(struct page_strip *strip, const struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        /* ranks that are elsewhere need not be the cause */
        for (size_t j = 0; findings->items[i].kind != FINDING_RANKS_APART && j < findings->items[i].culprits.count; j++)
            if (findings->items[i].culprits.items[j] < strip->size)
                strip->cells[findings->items[i].culprits.items[j]].is_cause = true;
}

static struct strip_kind *find_kind(struct page_strip *strip, const struct strip_cell *cell)
{
    for (size_t i = 0; i < strip->kind_count; i++)
        if (strip->kinds[i].cell.letter == cell->letter && strip->kinds[i].cell.is_cause == cell->is_cause)
            return &strip->kinds[i];
    strip->kinds = arena_append(strip->kinds, &strip->kind_count, sizeof *strip->kinds);
    struct strip_kind *kind = &strip->kinds[strip->kind_count - 1];
    kind->cell = *cell;
    return kind;
}

/* Causes first, then the most. */
static int compare_kinds(const void *left_kind, const void *right_kind)
{
    const struct strip_kind *left = left_kind, *right = right_kind;
    if (left->cell.is_cause != right->cell.is_cause)
        return left->cell.is_cause ? -1 : 1;
    if (left->ranks.count != right->ranks.count)
        return left->ranks.count > right->ranks.count ? -1 : 1;
    return left->cell.letter - right->cell.letter;
}

struct page_strip page_strip_make(const struct job *job, const struct analysis *analysis)
{
    struct page_strip strip = {.size = count_ranks(job)};
    if (strip.size <= 0)
        return (struct page_strip){.size = 0};
    strip.cells = arena_allocate((size_t)strip.size * sizeof *strip.cells);
    for (int rank = 0; rank < strip.size; rank++)
        strip.cells[rank].letter = absent_letter;
    for (size_t i = job->process_count; i > 0; i--)
        if (job->processes[i - 1].rank >= 0 && job->processes[i - 1].rank < strip.size)
            strip.cells[job->processes[i - 1].rank].letter = letter_of(&job->processes[i - 1]);
    mark_causes(&strip, &analysis->findings);
    for (int rank = 0; rank < strip.size; rank++)
        ranks_add(&find_kind(&strip, &strip.cells[rank])->ranks, rank);
    qsort(strip.kinds, strip.kind_count, sizeof *strip.kinds, compare_kinds);
    strip.columns = strip.size < LEAST_COLUMNS ? strip.size : LEAST_COLUMNS;
    while ((double)strip.columns * strip.columns * most_height < strip.size && strip.size > LEAST_COLUMNS)
        strip.columns *= 2;
    return strip;
}

/* The cells of one kind as lines as thick as a cell: "M0 0h32M5 1h1m3 0h2". */
static void write_cells(FILE *stream, const struct page_strip *strip, const struct strip_kind *kind)
{
    int end = -1; /* of the run before */
    for (size_t i = 0; i < kind->ranks.count;) {
        const int first = kind->ranks.items[i], row = first / strip->columns;
        int last = first;
        while (++i < kind->ranks.count && kind->ranks.items[i] == last + 1 && (last + 1) / strip->columns == row)
            last++;
        if (end >= 0 && end / strip->columns == row)
            fprintf(stream, "m%d 0h%d", first - end - 1, last - first + 1);
        else
            fprintf(stream, "M%d %dh%d", first % strip->columns, row, last - first + 1);
        end = last;
    }
}

static void write_letters(FILE *stream, const struct page_strip *strip)
{
    for (int first = 0; first < strip->size; first += strip->columns) {
        const int end = first + strip->columns < strip->size ? first + strip->columns : strip->size;
        fprintf(stream, "<text y=\"%d\" x=\"", first / strip->columns);
        for (int rank = first; rank < end; rank++)
            fprintf(stream, rank == first ? ".5" : " %d.5", rank - first);
        fputs("\">", stream);
        for (int rank = first; rank < end; rank++)
            fputc(strip->cells[rank].letter, stream);
        fputs("</text>\n", stream);
    }
}

static void write_grid(FILE *stream, int columns, int rows)
{
    fputs("<path class=\"grid\" d=\"", stream);
    for (int i = 1; i < columns; i++)
        fprintf(stream, "M%d 0v%d", i, rows);
    for (int i = 1; i < rows; i++)
        fprintf(stream, "M0 %dh%d", i, columns);
    fputs("\"/>\n", stream);
}

static void write_drawing(FILE *stream, const struct page_strip *strip)
{
    const int rows = (strip->size + strip->columns - 1) / strip->columns;
    const bool has_letters = strip->size <= MOST_LETTERS;
    fprintf(stream,
            "<svg id=\"strip\" class=\"strip%s\" viewBox=\"0 0 %d %d\" width=\"%dem\" role=\"img\" aria-label=\"What "
            "each of "
            "the %d ranks does; the list below says the same\">\n<g transform=\"translate(0 .5)\">\n",
            has_letters ? "" : " fine", strip->columns, rows, strip->columns * (has_letters ? 2 : 1), strip->size);
    for (size_t i = strip->kind_count; i > 0; i--) { /* causes come last, on top */
        const struct strip_kind *kind = &strip->kinds[i - 1];
        const bool is_mark = !has_letters && kind->cell.is_cause && kind->ranks.count <= MOST_MARKS;
        fprintf(stream, "<path class=\"%s%s\" d=\"", class_of(kind->cell.letter, kind->cell.is_cause),
                is_mark ? " mark" : "");
        write_cells(stream, strip, kind);
        fputs("\"/>\n", stream);
    }
    fputs("</g>\n", stream);
    if (has_letters) {
        write_grid(stream, strip->columns, rows);
        write_letters(stream, strip);
    }
    fputs("</svg>\n", stream);
}

static const char *describe_kind(const struct strip_kind *kind)
{
    const char *meaning = watch_character_meaning(kind->cell.letter);
    return kind->cell.is_cause ? arena_text("CAUSE, %s", meaning) : meaning;
}

static void write_legend(FILE *stream, const struct page_strip *strip)
{
    fputs("<ul class=\"legend\">\n", stream);
    for (size_t i = 0; i < strip->kind_count; i++) {
        const struct strip_kind *kind = &strip->kinds[i];
        fprintf(stream, "<li><span class=\"key %s\">%c</span> ", class_of(kind->cell.letter, kind->cell.is_cause),
                kind->cell.letter);
        html_write_text(stream, describe_kind(kind));
        fputs(": ", stream);
        html_write_ranks(stream, &kind->ranks);
        fputs("</li>\n", stream);
    }
    fputs("</ul>\n", stream);
}

void html_write_strip(FILE *stream, const struct page_strip *strip)
{
    if (strip->size == 0)
        return;
    fputs("<section aria-labelledby=\"ranks-title\">\n<h2 id=\"ranks-title\">Ranks</h2>\n", stream);
    write_drawing(stream, strip);
    write_legend(stream, strip);
    fputs("<p id=\"chosen\" role=\"status\" hidden><span></span> <button type=\"button\">Show all</button></p>\n"
          "</section>\n",
          stream);
}

void page_write_strip(struct json_stream *data, const struct page_strip *strip)
{
    FILE *runs = arena_open();
    for (int rank = 0, first = 0; rank < strip->size; rank++) {
        const struct strip_cell *cell = &strip->cells[first], *next = &strip->cells[rank + 1];
        if (rank + 1 < strip->size && next->letter == cell->letter && next->is_cause == cell->is_cause)
            continue;
        if (rank > first)
            fprintf(runs, "%d", rank - first + 1);
        fprintf(runs, "%s%c", cell->is_cause ? "!" : "", cell->letter);
        first = rank + 1;
    }
    json_stream_open_object(data, "strip");
    json_stream_integer(data, "size", strip->size);
    json_stream_integer(data, "columns", strip->columns);
    json_stream_any_text(data, "runs", arena_close(runs));
    json_stream_open_object(data, "meanings");
    for (size_t i = 0; i < strip->kind_count; i++)
        json_stream_any_text(data,
                             arena_text("%s%c", strip->kinds[i].cell.is_cause ? "!" : "", strip->kinds[i].cell.letter),
                             describe_kind(&strip->kinds[i]));
    json_stream_close(data);
    json_stream_close(data);
}

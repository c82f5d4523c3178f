/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the lines of hosts from a file or standard input.
 */
#include "job/job.h"

#include "base/base.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { BEGINNING = 8192, PIECE = 1 << 16 };

/* Limits what is not read yet, for all hosts together. */
static const size_t most_bytes = (size_t)1 << 31;

static const char mark[] = "@mpilens ";

bool has_part_lines(const char *path)
{
    char bytes[BEGINNING];
    if (strcmp(path, "-") == 0)
        return true;
    const int file = regular_file_open(path);
    if (file < 0)
        return false;
    const ssize_t count = pread(file, bytes, sizeof bytes, 0);
    close(file);
    return count > 0 && memmem(bytes, (size_t)count, mark, sizeof mark - 1) != NULL;
}

int take_part_lines(const struct dll *dll, FILE *stream, const struct collect_plan *plan, struct part_reader *reader,
                    struct part_job *parts)
{
    struct part_stream lines = {.length = 0};
    char piece[PIECE];
    size_t count;
    while ((count = fread(piece, 1, sizeof piece, stream)) > 0) {
        part_reader_feed(reader, &lines, piece, count);
        part_job_take(parts, dll, plan, reader);
    }
    part_reader_end(reader, &lines);
    part_job_take(parts, dll, plan, reader);
    return ferror(stream) ? -1 : 0;
}

enum exit_status read_part_lines(const struct dll *dll, const char *path, const struct collect_plan *plan,
                                 struct job *ret_job, struct reason *ret_reason)
{
    const bool is_file = strcmp(path, "-") != 0;
    FILE *stream = is_file ? fopen(path, "re") : stdin;
    if (stream == NULL) {
        reason_set(ret_reason, "%s: %s", path, strerror(errno));
        return EXIT_UNREADABLE;
    }
    struct part_reader *reader = part_reader_create(most_bytes);
    struct part_job parts;
    part_job_begin(&parts);
    int result = take_part_lines(dll, stream, plan, reader, &parts);
    if (result != 0)
        reason_set(ret_reason, "%s: %s", path, strerror(errno));
    if (is_file)
        fclose(stream);
    part_job_lose_torn(&parts, reader, 2);
    if (result == 0)
        result = part_job_finish(&parts, dll, plan->depth, NULL, 0, ret_job, ret_reason);
    else
        part_job_clear(&parts);
    part_reader_destroy(reader);
    return result == 0 ? EXIT_GOOD : EXIT_UNREADABLE;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs a program for its answer.
 */
#include "engine/engine.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ANSWER_BYTES = 4 << 20 };

struct answer {
    FILE *stream;
    size_t bytes;
    int status; /* -1: it has not ended */
};

static void keep_line(void *context, size_t command, const char *line)
{
    struct answer *answer = context;
    (void)command;
    answer->bytes += strlen(line) + 1;
    if (answer->bytes <= MOST_ANSWER_BYTES)
        fprintf(answer->stream, "%s\n", line);
}

static void leave_line(void *context, size_t command, const char *line)
{
    (void)context;
    (void)command;
    (void)line;
}

static void keep_status(void *context, size_t command, int status)
{
    struct answer *answer = context;
    (void)command;
    answer->status = status;
}

char *engine_ask(char *const *command, double patience_s)
{
    char *text = NULL;
    size_t bytes = 0;
    struct answer answer = {.stream = open_memstream(&text, &bytes), .status = -1};
    const struct engine_listener listener = {
        .on_output = keep_line, .on_error = leave_line, .on_end = keep_status, .context = &answer};
    const struct engine_command only = {.arguments = (char **)command};
    char **environment = engine_environment(NULL, 0);
    struct engine_run *run;
    struct reason reason;
    if (answer.stream != NULL && engine_run_begin(&only, 1, 1, environment, &listener, &run, &reason) == 0) {
        const double until_s = monotonic_s() + patience_s;
        engine_run_say_no_more(run);
        while (engine_run_wait(run, until_s) && monotonic_s() < until_s)
            continue;
        engine_run_end(run);
    }
    if (answer.stream != NULL)
        fclose(answer.stream);
    if (answer.status == 0 && answer.bytes <= MOST_ANSWER_BYTES)
        return text;
    free(text);
    return NULL;
}

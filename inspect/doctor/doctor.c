/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Common functions of the checks of mpilens doctor.
 */
#include "doctor/doctor_internal.h"

#include "base/base.h"
#include "engine/engine.h"
#include "text/text.h"

#include <stdio.h>
#include <unistd.h>

void doctor_add(struct doctor *doctor, const char *name, enum doctor_state state, const char *text, const char *remedy)
{
    doctor->checks = arena_append(doctor->checks, &doctor->count, sizeof *doctor->checks);
    doctor->checks[doctor->count - 1] =
        (struct doctor_check){.name = name, .state = state, .text = text, .remedy = remedy};
}

const char *doctor_state_name(enum doctor_state state)
{
    static const char *const names[] = {[DOCTOR_GOOD] = "ok", [DOCTOR_LIMITED] = "limited", [DOCTOR_BAD] = "wrong"};
    return names[state];
}

void doctor_write(FILE *stream, const struct doctor *doctor, size_t first)
{
    for (size_t i = first; i < doctor->count; i++) {
        const struct doctor_check *check = &doctor->checks[i];
        print_line(stream, "%-7s  %s: %s", doctor_state_name(check->state), check->name, check->text);
        if (check->remedy != NULL)
            print_line(stream, "         -> %s", check->remedy);
    }
}

struct asking {
    FILE *output;
    bool succeeded;
};

static void take_line(void *context, size_t command, const char *line)
{
    struct asking *asking = context;
    (void)command;
    fprintf(asking->output, "%s\n", line);
}

static void take_end(void *context, size_t command, int status)
{
    struct asking *asking = context;
    (void)command;
    asking->succeeded = status == 0;
}

bool doctor_ask(const char *const *words, double limit_s, const char **ret_output)
{
    struct asking asking = {.output = arena_open()};
    const struct engine_listener listener = {
        .on_output = take_line, .on_error = take_line, .on_end = take_end, .context = &asking};
    const struct engine_command command = {.arguments = (char **)words};
    struct engine_run *run;
    struct reason reason;
    if (engine_run_begin(&command, 1, 1, environ, &listener, &run, &reason) == 0) {
        const double until_s = monotonic_s() + limit_s;
        engine_run_say_no_more(run);
        while (engine_run_wait(run, until_s) && monotonic_s() < until_s)
            ;
        engine_run_end(run);
    } else {
        fprintf(asking.output, "%s\n", reason.text);
    }
    *ret_output = arena_close(asking.output);
    return asking.succeeded;
}

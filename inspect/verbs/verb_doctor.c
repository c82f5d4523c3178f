/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens doctor: checks what mpilens needs on this host.
 */
#include "doctor/doctor.h"
#include "text/text.h"
#include "verbs/verbs_internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char documentation[] =
    "Check what mpilens needs on this host, one line each, with the command that mends what is wrong: reading of "
    "processes, core files, shared memory, runtimes for the MPIs that are installed, gdb, other hosts, and a test job "
    "of "
    "two ranks that is started, hung and read.\v"
    "Lines begin with ok, limited (mpilens works, but something that it could say is missing) or wrong. The hosts of "
    "the only job of this user are asked, too.\n\n"
    "Exit status: 0 nothing is wrong, 1 something is, 2 wrong usage.\n\n"
    "Examples:\n"
    "  mpilens doctor\n"
    "  mpilens doctor --no-job --json";

struct doctor_options {
    bool json;
    bool no_job;
};

/* NOLINTNEXTLINE(readability-non-const-parameter): argp gives the type */
static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct doctor_options *options = state->input;
    switch (key) {
    case 'j':
        options->json = true;
        return 0;
    case 'n':
        options->no_job = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "doctor takes no argument, and not '%s'", argument);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static int print_json(const struct doctor *doctor)
{
    struct json_stream stream = {.file = stdout};
    json_stream_open_document(&stream, "doctor");
    json_stream_open_array(&stream, "checks");
    for (size_t i = 0; i < doctor->count; i++) {
        const struct doctor_check *check = &doctor->checks[i];
        json_stream_open_object(&stream, NULL);
        json_stream_any_text(&stream, "check", check->name);
        json_stream_any_text(&stream, "state", doctor_state_name(check->state));
        json_stream_any_text(&stream, "text", check->text);
        json_stream_text(&stream, "remedy", check->remedy);
        json_stream_close(&stream);
    }
    json_stream_close(&stream);
    json_stream_close(&stream);
    return json_stream_finish(&stream);
}

static enum exit_status examine(const struct doctor_options *options)
{
    static void (*const checks[])(struct doctor *) = {doctor_check_system, doctor_check_installation,
                                                      doctor_check_hosts, doctor_check_job};
    const size_t count = sizeof checks / sizeof *checks - (options->no_job ? 1 : 0);
    struct doctor doctor = {0};
    enum exit_status status = EXIT_GOOD;
    for (size_t i = 0; i < count; i++) {
        const size_t first = doctor.count;
        checks[i](&doctor);
        if (options->json)
            continue;
        doctor_write(stdout, &doctor, first); /* at once: the next may take seconds */
        fflush(stdout);
    }
    for (size_t i = 0; i < doctor.count; i++)
        if (doctor.checks[i].state == DOCTOR_BAD)
            status = EXIT_FINDING;
    if ((options->json && print_json(&doctor) != 0) || finish_output(stdout) != 0) {
        print_line(stderr, "mpilens: standard output: %s", strerror(errno));
        status = EXIT_UNREADABLE;
    }
    return status;
}

enum exit_status verb_doctor(int argument_count, char **arguments)
{
    static const struct argp_option argp_options[] = {
        {"json", 'j', NULL, 0, "Write one JSON document", 0},
        {"no-job", 'n', NULL, 0, "Do not start the test job", 0},
        {0},
    };
    static const struct argp argp = {.options = argp_options, .parser = parse_option, .doc = documentation};
    struct doctor_options options = {0};
    char name[] = "mpilens doctor";
    arguments[0] = name;
    command_line_parse(&argp, argument_count, arguments, 0, &options);
    return examine(&options);
}

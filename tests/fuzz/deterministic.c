/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs the harness where there is no libFuzzer: on inputs of its own, always the same ones, or on files.
 *
 *   fuzz_deterministic [--first NUMBER] [--count COUNT] [--seconds CPU_SECONDS] [--progress FILE]
 *   fuzz_deterministic FILE...         as libFuzzer leaves them
 *
 * --progress: FILE says how far earlier runs over the same numbers have come; this one goes on there and tells of all.
 */
#include "fuzz_dll.h"
#include "progress.h"

#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { INPUT_LIMIT = 160, SECONDS = 60 /* of CPU time, of one input */, INPUTS_BETWEEN_NOTES = 10000 };

struct request {
    uint64_t first;
    uint64_t count;
    uint64_t microseconds; /* of CPU time, 0: no limit */
    const char *progress_path;
};

static char current[64]; /* the input that is run */

static void tell(int signal_number)
{
    const ssize_t written = write(STDERR_FILENO, current, strlen(current));
    signal(signal_number, SIG_DFL);
    raise(written > 0 ? signal_number : SIGKILL);
}

/* splitmix64 (public domain, S. Vigna). */
static uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Few changes mostly: a target that is wrong everywhere is refused at once. Failures of reads and of memory now and
 * then. */
static size_t make_input(uint64_t number, uint8_t *ret_input)
{
    uint64_t state = number * 0x100000001b3 + 1;
    const uint64_t choice = random_next(&state);
    const size_t size = 4 + (choice % 4 == 0 ? choice / 4 % (INPUT_LIMIT - 4) : choice / 4 % 30);
    for (size_t i = 0; i < size; i++)
        ret_input[i] = (uint8_t)random_next(&state);
    if (choice >> 40 & 3)
        ret_input[0] &= (uint8_t)~0x40;
    if (choice >> 42 & 3)
        ret_input[2] = 0;
    if (choice >> 44 & 3)
        ret_input[3] = 0;
    return size;
}

/* 0: none. On a machine that is busy, an input may take any time by the clock. */
static void limit_time(long seconds)
{
    const struct itimerval limit = {.it_value.tv_sec = seconds};
    setitimer(ITIMER_PROF, &limit, NULL);
}

static void run_number(uint64_t number, struct progress *progress)
{
    uint8_t input[INPUT_LIMIT];
    snprintf(current, sizeof current, "input %" PRIu64 "\n", number);
    limit_time(SECONDS);
    const uint64_t begin = cpu_microseconds();
    LLVMFuzzerTestOneInput(input, make_input(number, input));
    progress_add(progress, number, cpu_microseconds() - begin);
}

/* Returns 0, or 1 where it cannot write how far it came. */
static int run_numbers(const struct request *request)
{
    struct progress progress = {.next = request->first};
    struct fuzz_totals noted = {0};
    if (progress_read(request->progress_path, &progress) != 0)
        return 1;
    const uint64_t end = request->first + request->count;
    const uint64_t begin = cpu_microseconds();
    bool goes_on = progress.next < end;
    while (goes_on) {
        run_number(progress.next, &progress);
        goes_on =
            progress.next < end && (request->microseconds == 0 || cpu_microseconds() - begin < request->microseconds);
        if (goes_on && progress.next % INPUTS_BETWEEN_NOTES != 0)
            continue;
        const struct fuzz_totals totals = fuzz_totals();
        progress.copied += totals.copied - noted.copied;
        progress.answers += totals.answers - noted.answers;
        noted = totals;
        if (progress_write(request->progress_path, &progress) != 0)
            return 1;
    }
    limit_time(0);
    progress_print(&progress, end);
    return 0;
}

static int run_file(const char *path)
{
    static uint8_t input[1 << 16];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return 1;
    }
    const size_t size = fread(input, 1, sizeof input, file);
    fclose(file);
    return LLVMFuzzerTestOneInput(input, size);
}

/* Returns false where there is something else. */
static bool get_request(int argument_count, char **arguments, struct request *ret_request)
{
    static const struct option options[] = {
        {"first", required_argument, NULL, 'f'},
        {"count", required_argument, NULL, 'c'},
        {"seconds", required_argument, NULL, 's'},
        {"progress", required_argument, NULL, 'p'},
        {NULL, 0, NULL, 0},
    };
    for (int option; (option = getopt_long(argument_count, arguments, "", options, NULL)) != -1;) {
        if (option == 'f')
            ret_request->first = strtoull(optarg, NULL, 10);
        else if (option == 'c')
            ret_request->count = strtoull(optarg, NULL, 10);
        else if (option == 's')
            ret_request->microseconds = strtoull(optarg, NULL, 10) * 1000000;
        else if (option == 'p')
            ret_request->progress_path = optarg;
        else
            return false;
    }
    return optind == argument_count || optind == 1;
}

int main(int argument_count, char **arguments)
{
    struct request request = {.count = 1000};
    if (!get_request(argument_count, arguments, &request))
        return 2;
    signal(SIGABRT, tell);
    signal(SIGPROF, tell);
    signal(SIGSEGV, tell);
    for (int i = optind; i < argument_count; i++)
        if (run_file(arguments[i]) != 0)
            return 1;
    return optind < argument_count ? 0 : run_numbers(&request);
}

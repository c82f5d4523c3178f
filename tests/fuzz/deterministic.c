/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs the harness where there is no libFuzzer: on inputs of its own, always the same ones, or on files.
 *
 *   fuzz_deterministic COUNT [FIRST]   the inputs FIRST (default 0) to FIRST + COUNT - 1
 *   fuzz_deterministic FILE...         as libFuzzer leaves them
 */
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INPUT_LIMIT = 160, SECONDS = 60 /* of one input */ };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

static int run_file(const char *path)
{
    static uint8_t input[1 << 16];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    const size_t size = fread(input, 1, sizeof(input), file);
    fclose(file);
    return LLVMFuzzerTestOneInput(input, size);
}

int main(int argument_count, char **arguments)
{
    signal(SIGABRT, tell);
    signal(SIGALRM, tell);
    signal(SIGSEGV, tell);
    if (argument_count < 2)
        return 2;
    char *end;
    const uint64_t count = strtoull(arguments[1], &end, 10);
    if (*end != '\0') {
        for (int i = 1; i < argument_count; i++)
            if (run_file(arguments[i]) != 0)
                return 1;
        return 0;
    }
    const uint64_t first = argument_count > 2 ? strtoull(arguments[2], NULL, 10) : 0;
    for (uint64_t number = first; number < first + count; number++) {
        uint8_t input[INPUT_LIMIT];
        snprintf(current, sizeof(current), "input %" PRIu64 "\n", number);
        alarm(SECONDS);
        if (LLVMFuzzerTestOneInput(input, make_input(number, input)) != 0)
            return 1;
    }
    printf("%" PRIu64 " inputs\n", count);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program beside which the runtime is preloaded.
 * It has a symbol that the runtime has.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A short name with other data behind it. */
extern struct program_data {
    char name[32];
    int table[1024];
} program_data __asm__("MPIR_dll_name");

struct program_data program_data = {.name = ""};

static bool expect(bool right, const char *what)
{
    if (!right)
        printf("not so: %s\n", what);
    return right;
}

static bool data_are_untouched(void)
{
    static const struct program_data empty;
    return expect(memcmp(&program_data, &empty, sizeof empty) == 0, "data of the program are its own");
}

int main(void)
{
    return data_are_untouched() ? 0 : 1;
}

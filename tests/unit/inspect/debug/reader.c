/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Says what is known of a process: reader PID ADDRESS VARIABLE...: the functions of a return address, one in a line,
 * then the variables, then where the address is in the program's file and why there is no line.
 */
#include "debug/debug.h"
#include "target/target.h"
#include "variable/variable.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_functions(struct target *target, uint64_t address)
{
    struct site_cache cache = {0};
    const struct site *sites;
    const size_t count = site_find_inlined(&cache, target, address, &sites);
    for (size_t i = 0; i < count; i++)
        printf("%s %s:%d\n", sites[i].function != NULL ? sites[i].function : "?",
               sites[i].file != NULL ? sites[i].file : "?", sites[i].line);
    site_cache_clear(&cache);
}

static void print_place(struct target *target, uint64_t address)
{
    struct site_cache cache = {0};
    const struct site *site = site_find(&cache, target, address);
    char *place = site != NULL ? site_describe_offset(site) : NULL;
    printf("%s\n", place != NULL ? place : "?");
    for (size_t i = 0; i < cache.hint_count; i++)
        printf("%s\n", cache.hints[i]);
    free(place);
    site_cache_clear(&cache);
}

static void print_variable(struct target *target, const char *name)
{
    struct program_variable variable;
    struct reason reason;
    if (program_variable_find(target, name, false, &variable, &reason) == 0)
        printf("%s = %" PRIu64 " %s\n", name, variable.value, variable.place);
    else
        printf("%s: %s\n", name, reason.text);
}

int main(int count, char **arguments)
{
    struct target *target;
    struct reason reason;
    debug_server_take();
    if (count < 3 || target_open_process((pid_t)atol(arguments[1]), &target, &reason) != 0)
        return 2;
    print_functions(target, strtoull(arguments[2], NULL, 16));
    for (int i = 3; i < count; i++)
        print_variable(target, arguments[i]);
    print_place(target, strtoull(arguments[2], NULL, 16));
    target_close(target);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds a variable: in the frames of the main thread's stack, then among all that have an address of their own.
 */

#include "target/target_kinds.h"
#include "variable/variable_internal.h"

#include <stdio.h>

/* A variable that the program has, but not at this place, is not looked for in the system. */
static bool has_ended(const struct variable_search *search)
{
    return search->found_count > 0 || search->is_without_location || search->is_of_another_function;
}

static void search_everywhere(struct variable_search *search, bool is_stopped)
{
    search_stack(search, false, is_stopped);
    if (search->found_count == 0)
        search_static(search, SEARCH_PROGRAM);
    if (search->found_count == 0)
        search_static(search, SEARCH_LIBRARIES);
    if (!has_ended(search))
        search_stack(search, true, is_stopped);
    if (!has_ended(search))
        search_static(search, SEARCH_SYSTEM);
}

int program_variable_find(struct target *target, const char *text, bool is_stopped,
                          struct program_variable *ret_variable, struct reason *ret_reason)
{
    struct program_name name;
    if (target->dwfl == NULL)
        return reason_set(ret_reason,
                          "a snapshot has no variables of the program: give the value of the handle, or ask "
                          "the process or a core file");
    if (program_name_parse(text, &name, ret_reason) != 0)
        return -1;
    struct variable_search search = {.target = target, .name = &name};
    search_everywhere(&search, is_stopped);
    if (search.found_count > 1)
        return reason_set(ret_reason, "there are several variables %s; name the file or function too: FILE::%s (%s)",
                          name.name, name.name, search.others);
    if (search.found_count == 0 && search.is_without_location)
        return reason_set(
            ret_reason,
            "the variable %s was optimized away here or stands where it cannot be read: give its kind and "
            "value, or compile with -O0",
            name.name);
    if (search.found_count == 0 && search.is_of_another_function)
        return reason_set(ret_reason,
                          "there is no variable %s in the functions of the main thread's stack, but in others: they "
                          "have not been called now",
                          name.name);
    if (search.found_count == 0)
        return reason_set(ret_reason,
                          "there is no predefined handle and no variable %s in the stack or among the global ones: is "
                          "the program compiled with -g?",
                          name.name);
    if (program_place_follow(&search.found, &name, ret_reason) != 0 ||
        program_place_read(&search.found, text, ret_variable, ret_reason) != 0)
        return -1;
    snprintf(ret_variable->place, sizeof ret_variable->place, "%s", search.place);
    return 0;
}

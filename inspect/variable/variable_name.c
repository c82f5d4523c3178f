/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parses a variable as the user writes it: *scope::name.member%member->member[1][2](3,4).
 */
#include "variable/variable_internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_letter(char character)
{
    return isalnum((unsigned char)character) || character == '_' || character == '$';
}

/* Copies an identifier; false: there is none, or it is too long. */
static bool take_identifier(const char **text, const char *more, char *ret_name)
{
    size_t length = 0;
    while (is_letter((*text)[length]) || ((*text)[length] != '\0' && strchr(more, (*text)[length]) != NULL))
        length++;
    if (length == 0 || length >= MOST_NAME || isdigit((unsigned char)(*text)[0]))
        return false;
    memcpy(ret_name, *text, length);
    ret_name[length] = '\0';
    *text += length;
    return true;
}

static bool take_indices(const char **text, struct program_step *step)
{
    const char end = **text == '[' ? ']' : ')';
    do {
        char *behind;
        ++*text;
        errno = 0;
        const long long index = strtoll(*text, &behind, 10);
        if (behind == *text || errno != 0 || step->index_count == MOST_INDICES)
            return false;
        step->indices[step->index_count++] = index;
        *text = behind;
    } while (**text == ',');
    return *(*text)++ == end;
}

static bool take_step(const char **text, struct program_step *step)
{
    if (**text == '[' || **text == '(')
        return take_indices(text, step);
    if (strncmp(*text, "->", 2) == 0)
        *text += 2;
    else if (**text == '.' || **text == '%')
        ++*text;
    else
        return false;
    return take_identifier(text, "", step->member);
}

static bool parse(const char *text, struct program_name *name)
{
    for (; *text == '*'; text++)
        name->dereferences++;
    const char *colons = strstr(text, "::");
    if (colons != NULL && (!take_identifier(&text, ".-+", name->scope) || text != colons))
        return false;
    if (colons != NULL)
        text += 2;
    if (!take_identifier(&text, "", name->name))
        return false;
    for (; *text != '\0'; name->step_count++)
        if (name->step_count == MOST_STEPS || !take_step(&text, &name->steps[name->step_count]))
            return false;
    return true;
}

int program_name_parse(const char *text, struct program_name *ret_name, struct reason *ret_reason)
{
    struct program_name name = {0};
    if (!parse(text, &name))
        return reason_set(ret_reason,
                          "'%s' is no name of a variable: write row, requests[2], grid.row, *comm or solver.c::row",
                          text);
    *ret_name = name;
    return 0;
}

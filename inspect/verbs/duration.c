/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parses durations.
 */
#include "verbs/verbs_internal.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A decimal number without a sign or an exponent, which could be a unit. */
static int parse_number(const char **text, double *ret_number)
{
    static const char digits[] = "0123456789";
    const size_t whole = strspn(*text, digits);
    const size_t fraction = (*text)[whole] == '.' ? strspn(*text + whole + 1, digits) : 0;
    const size_t length = whole + (fraction > 0 ? fraction + 1 : 0);
    char copy[32];
    if ((whole == 0 && fraction == 0) || length >= sizeof copy)
        return -1;
    memcpy(copy, *text, length);
    copy[length] = '\0';
    *ret_number = strtod(copy, NULL);
    *text += length;
    return 0;
}

static int parse_unit(const char **text, double *ret_seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}};
    size_t length = 0;
    while (isalpha((unsigned char)(*text)[length]))
        length++;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].name) == length && strncmp(*text, units[i].name, length) == 0) {
            *text += length;
            *ret_seconds = units[i].seconds;
            return 0;
        }
    return -1;
}

int duration_parse(const char *text, double *ret_seconds)
{
    double number, unit_s, seconds = 0;
    if (parse_number(&text, &number) != 0)
        return -1;
    if (*text == '\0') {
        *ret_seconds = number;
        return 0;
    }
    for (;;) {
        if (parse_unit(&text, &unit_s) != 0)
            return -1;
        seconds += number * unit_s;
        if (*text == '\0')
            break;
        if (parse_number(&text, &number) != 0)
            return -1;
    }
    *ret_seconds = seconds;
    return 0;
}

double duration_option(struct argp_state *state, const char *option, const char *text, double least_s, double most_s)
{
    double seconds = 0;
    if (duration_parse(text, &seconds) != 0 || seconds < least_s || seconds > most_s)
        argp_error(state, "--%s takes a duration such as 90, 90s, 1m30s or 2h, not '%s'", option, text);
    return seconds;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether the terminal can be drawn on. Apart from the drawing, since the header has macros for `lines` and `columns`.
 */
#include "top/top.h"

static const char instead[] = "'mpilens watch' shows the same line by line";

#ifdef HAVE_NCURSES

#include <curses.h>
#include <stdlib.h>
#include <term.h>
#include <unistd.h>

static const char *terminal_type(void)
{
    const char *type = getenv("TERM");
    return type != NULL && type[0] != '\0' ? type : NULL;
}

int top_terminal_check(struct reason *ret_reason)
{
    const char *type = terminal_type();
    int error;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return reason_set(ret_reason, "top needs a terminal as standard input and output; %s", instead);
    if (type == NULL)
        return reason_set(ret_reason, "top needs to know the terminal, and TERM is not set; %s", instead);
    if (setupterm(type, STDOUT_FILENO, &error) != 0)
        return reason_set(ret_reason, "the terminal '%s' of TERM is not known on this host; %s", type, instead);
    const bool can_draw = cursor_address != NULL && clear_screen != NULL;
    del_curterm(cur_term);
    return can_draw ? 0 : reason_set(ret_reason, "the terminal '%s' of TERM has no cursor to move; %s", type, instead);
}

#else

int top_terminal_check(struct reason *ret_reason)
{
    return reason_set(
        ret_reason, "this mpilens was built without ncurses, which top needs ('mpilens doctor' says how to get it); %s",
        instead);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lets ^C end a long reading early instead of the command. The second one ends the command.
 */
#include "base/base.h"

#include <signal.h>

static struct sigaction before;
static bool is_possible;
static volatile sig_atomic_t is_asked;

static void ask(int number)
{
    (void)number;
    is_asked = 1;
}

void cut_short_begin(void)
{
    const struct sigaction action = {.sa_handler = ask, .sa_flags = (int)SA_RESETHAND}; /* without SA_RESTART */
    is_asked = 0;
    is_possible =
        sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler == SIG_DFL && sigaction(SIGINT, &action, NULL) == 0;
}

void cut_short_end(void)
{
    if (is_possible)
        sigaction(SIGINT, &before, NULL);
    is_possible = false;
    is_asked = 0;
}

bool cut_short_is_possible(void)
{
    return is_possible && is_asked == 0;
}

bool cut_short_is_asked(void)
{
    return is_asked != 0;
}

bool cut_short_take(void)
{
    const bool was_asked = is_asked != 0;
    if (was_asked)
        cut_short_end();
    return was_asked;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A line on the terminal for those who wait.
 */
#include "verbs/verbs_internal.h"

#include "base/base.h"
#include "text/text.h"

#include <stdio.h>

/* Quick readings show nothing; more lines in a second cannot be read. */
static const double least_s = 1, pause_s = 0.1;

static double began_s, shown_s;

static void show(const char *text)
{
    const double now_s = monotonic_s();
    if (now_s < began_s + least_s || now_s < shown_s + pause_s)
        return;
    fprintf(stderr, "\r\033[K%s%s", text, cut_short_is_possible() ? " (^C: judge what there is)" : "");
    shown_s = now_s;
}

void progress_line_begin(void)
{
    if (!obeys_escapes(stderr))
        return;
    began_s = monotonic_s();
    shown_s = 0;
    progress_listen(show);
}

void progress_line_end(void)
{
    progress_listen(NULL);
    if (shown_s > 0)
        fputs("\r\033[K", stderr);
    shown_s = 0;
}

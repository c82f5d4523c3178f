/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks at children while other threads read their mappings ahead, many times, for ThreadSanitizer.
 */
#include "base/base.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 40, TURNS = 20 };

static void count(void *context, const struct mapping *mapping)
{
    *(size_t *)context += mapping->end > mapping->start;
}

/* The mappings of all. */
static size_t look(const pid_t *children)
{
    size_t mappings = 0;
    struct maps_ahead *ahead = maps_ahead_begin(children, CHILDREN);
    for (size_t i = 0; i < CHILDREN; i++)
        kept_maps_visit(children[i], count, &mappings);
    maps_ahead_end(ahead);
    return mappings;
}

int main(void)
{
    pid_t children[CHILDREN];
    bool is_same = true;
    for (size_t i = 0; i < CHILDREN; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            pause();
            _exit(0);
        }
    }
    const size_t mappings = look(children);
    for (int i = 0; i < TURNS; i++) {
        if (i % 2 == 0)
            kept_maps_forget();
        is_same = look(children) == mappings && is_same;
    }
    for (size_t i = 0; i < CHILDREN; i++) {
        kill(children[i], SIGKILL);
        waitpid(children[i], NULL, 0);
    }
    return is_same && mappings > CHILDREN ? 0 : 1;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A child whose threads stand at known lines, and what is expected of them.
 */
#ifndef TESTS_STACK_CHILD_H
#define TESTS_STACK_CHILD_H

#include "child.h"
#include "stack/stack.h"

enum { SOON_MS = 20000 };

/* The child of the test that runs. */
extern struct child child;
extern struct target *target;
extern struct site_cache sites;

/* Starts the child and opens it; ends it. For test suites. */
void stack_child_start(void);
void stack_child_end(void);

/* Where the threads of the program stand, by how their lines are marked. */
struct expected_thread {
    const char *function;
    bool waits_for_threads;
    enum {
        NO,
        YES,
        EITHER
    } by_name; /* the same without the system call; either: some C libraries jump from one
                  function to another that does not tell */
};
enum { THREADS = 14 };
extern const struct expected_thread expected_threads[THREADS];

/* The line that is marked as the one where the program stands in `function`. */
int line_of(const char *function);
/* The thread that is in `function`; NULL: none. */
const struct thread_stack *find_thread(const struct stacks *stacks, const char *function);
/* Reads the stacks once all threads have come to where they stay; `ret_stacks` may be NULL. */
void read_settled(struct stacks *ret_stacks);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the Fortran statement that called a binding.
 */
#include "thread/thread.h"

#include "loader/loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__thread struct fortran_statements mpilens__fortran_statements;
static __thread struct fortran_watch watch;

struct fortran_statement fortran_take(const void *caller, uint64_t frame)
{
    const struct fortran_statements noted = mpilens__fortran_statements;
    const struct fortran_statement none = {NULL, 0};
    mpilens__fortran_statements = (struct fortran_statements){none, none};
    if (noted.newest.site == NULL || noted.newest.frame <= frame || caller_classify(caller) != CALLER_FORTRAN_BINDING)
        return none;
    bool from_binding = caller_classify(noted.newest.site) == CALLER_FORTRAN_BINDING;
    struct fortran_statement taken =
        from_binding && noted.before.frame > noted.newest.frame ? noted.before : noted.newest;
    if (watch.frame == taken.frame)
        watch.taken = true;
    return taken;
}

void fortran_put_back(struct fortran_statement statement)
{
    mpilens__fortran_statements.newest = statement;
}

struct fortran_watch fortran_watch_begin(struct fortran_statement statement)
{
    const struct fortran_watch before = watch;
    watch = (struct fortran_watch){.frame = statement.frame};
    mpilens__fortran_statements.before = mpilens__fortran_statements.newest;
    mpilens__fortran_statements.newest = statement;
    return before;
}

bool fortran_watch_end(struct fortran_watch before)
{
    bool taken = watch.taken;
    watch = before;
    mpilens__fortran_statements = (struct fortran_statements){{NULL, 0}, {NULL, 0}};
    return taken;
}

void *fortran_find_function(const char *name, const void *site)
{
    void *address = resolve_symbol(name, site);
    if (address == NULL) {
        fprintf(stderr, "mpilens: the program calls %s, which no Fortran binding in this process has\n", name);
        abort();
    }
    return address;
}

#ifndef MPILENS_STATIC /* the static library has no entries */
void *mpilens__fortran_find(uint32_t entry, const void *site)
{
    const char *name = mpilens__fortran_names;
    for (uint32_t i = 0; i < entry; i++)
        name += strlen(name) + 1;
    return fortran_find_function(name, site);
}
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who has called a Fortran binding.
 */
#include "fortran.h"

#include "caller.h"
#include "resolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__thread struct fortran_statements mpilens__fortran_statements;

struct fortran_statement fortran_take(const void *caller, uint64_t frame)
{
    const struct fortran_statements noted = mpilens__fortran_statements;
    const struct fortran_statement none = {NULL, 0};
    mpilens__fortran_statements = (struct fortran_statements){none, none};
    if (!noted.newest.site || noted.newest.frame <= frame || caller_classify(caller) != CALLER_FORTRAN_BINDING)
        return none;
    bool from_binding = caller_classify(noted.newest.site) == CALLER_FORTRAN_BINDING;
    return from_binding && noted.before.frame > noted.newest.frame ? noted.before : noted.newest;
}

void fortran_put_back(struct fortran_statement statement)
{
    mpilens__fortran_statements.newest = statement;
}

void *mpilens__fortran_find(uint32_t entry, const void *site)
{
    const char *name = mpilens__fortran_names;
    for (uint32_t i = 0; i < entry; i++)
        name += strlen(name) + 1;
    void *address = resolve_symbol(name, site);
    if (!address) {
        fprintf(stderr, "mpilens: the program calls %s, which no Fortran binding in this process has\n", name);
        abort();
    }
    return address;
}

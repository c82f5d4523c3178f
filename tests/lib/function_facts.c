/* SPDX-License-Identifier: BSD-3-Clause */
#include "function_facts.h"

#include <stdlib.h>
#include <string.h>

static const struct mpilens_function functions[] = {
#include "function_facts.inc"
};

static int compare(const void *name, const void *function)
{
    return strcmp(name, ((const struct mpilens_function *)function)->name);
}

const struct mpilens_function *function_facts(const char *name)
{
    const struct mpilens_function *found =
        bsearch(name, functions, sizeof functions / sizeof *functions, sizeof *functions, compare);
    return found != NULL ? found : &functions[0];
}

const char *function_facts_small_count(const struct mpilens_function *function)
{
    return functions[function->small_count].name;
}

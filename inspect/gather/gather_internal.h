/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MPILENS_INSPECT_GATHER_GATHER_INTERNAL_H
#define MPILENS_INSPECT_GATHER_GATHER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* By the name of its file. Every host must use its own C library: it belongs to the kernel and configuration there. */
static inline bool is_of_c_library(const char *name)
{
    static const char *const names[] = {"libc.so",  "libm.so",      "libdl.so",   "libpthread.so",
                                        "librt.so", "libresolv.so", "libmvec.so", "ld-"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

#endif

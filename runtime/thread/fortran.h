/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fortran statements as call sites. A Fortran binding calls the C functions, so that the caller of our wrappers is the
 * binding. Entries with the names of the binding's functions (generated, in assembly) come before it: they note who
 * calls, send the next wrapper of this thread the slow way, where the note is taken up, and go on to the binding.
 * Programs in other languages pay nothing for this. Where there are no entries for the processor or the compiler's way
 * to make names, the site is in the binding.
 */
#ifndef MPILENS_RUNTIME_THREAD_FORTRAN_H
#define MPILENS_RUNTIME_THREAD_FORTRAN_H

#include <stdbool.h>
#include <stdint.h>

/* What an entry has noted. Its layout is known to the entries. */
struct fortran_statement {
    const void *site; /* return address; NULL: nothing noted */
    uint64_t frame;   /* the stack pointer at the entry */
};

/* The newest, and the one before it: functions of a binding may go through entries, too. What a function has noted that
 * made no C call stays here until the next comes: the taker checks. */
struct fortran_statements {
    struct fortran_statement newest;
    struct fortran_statement before;
};

extern __thread struct fortran_statements mpilens__fortran_statements
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* The statement that has led to the call of a wrapper, where `caller` and `frame` (its stack pointer) are those of the
 * wrapper and it has been gone to through an entry. A NULL site: none. Nothing is noted any more. */
struct fortran_statement fortran_take(const void *caller, uint64_t frame);

/* The same statement may call another function. */
void fortran_put_back(struct fortran_statement statement);

/* Whether a statement has led to a C function. */
struct fortran_watch {
    uint64_t frame; /* of the statement; 0: none is watched */
    bool taken;
};

/* Notes the statement, as an entry does, and watches it. Returns what was watched before, for fortran_watch_end. */
struct fortran_watch fortran_watch_begin(struct fortran_statement statement);

/* Returns whether the statement was taken. It is not noted any more. */
bool fortran_watch_end(struct fortran_watch before);

/* The binding's function with this name, called from `site`. Aborts with a message where there is none. */
void *fortran_find_function(const char *name, const void *site);

/* For the entries: the binding's function with the entry's number, called from `site`. Likewise. */
void *mpilens__fortran_find(uint32_t entry, const void *site) __attribute__((visibility("hidden")));

/* Names by the entries' numbers, each with its end, one after the other. */
extern const char mpilens__fortran_names[] __attribute__((visibility("hidden")));

#endif

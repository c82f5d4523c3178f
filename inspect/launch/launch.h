/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which MPI a program needs; preloading the runtime.
 */
#ifndef MPILENS_INSPECT_LAUNCH_LAUNCH_H
#define MPILENS_INSPECT_LAUNCH_LAUNCH_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>

/* -- library_cache.c --
 * The cache of the dynamic linker, /etc/ld.so.cache (glibc, format 1.1).
 */

struct library_cache {
    const char *bytes; /* NULL: there is none */
    size_t byte_count;
    size_t start; /* of the part in format 1.1 */
};

struct library_cache library_cache_open(const char *path);
/* The n-th file (from 0) that the cache has under the name; NULL: no more. Valid until the cache is closed. */
const char *library_cache_find(const struct library_cache *cache, const char *name, size_t n);
void library_cache_close(struct library_cache *cache);

/* -- mpi_family.c --
 * MPI implementations by the names of their libraries.
 */

/* Implementations of one binary interface share a runtime: libmpilens-<name>.so. */
struct mpi_family {
    const char *name;  /* as in --mpi */
    const char *title; /* for people */
};

extern const struct mpi_family mpi_families[];
extern const size_t mpi_family_count;

/* Which families something was found of. Zero-initialised: none. */
struct mpi_findings {
    const struct mpi_family *family; /* the last one; NULL: none */
    bool several;
};

/* NULL: nothing was found. */
void mpi_findings_note(struct mpi_findings *findings, const struct mpi_family *family);
/* The only one; NULL: none, or several. */
const struct mpi_family *mpi_findings_result(const struct mpi_findings *findings);

/* By the name of a library as in DT_NEEDED, such as "libmpich.so.12"; NULL: no MPI library. */
const struct mpi_family *mpi_family_of_library(const char *name);
/* By what --mpi says; NULL: none. */
const struct mpi_family *mpi_family_by_name(const char *name);
/* By the launcher that has started this process; NULL: none, or one that starts programs of several. */
const struct mpi_family *mpi_family_of_launcher(void);
/* By the name of a program that starts MPI programs, such as "mpiexec.hydra" or "orterun"; NULL: none of one family. */
const struct mpi_family *mpi_family_of_launcher_program(const char *name);
/* The only one of which the dynamic linker finds a library in its cache, "/etc/ld.so.cache" but in tests; NULL: none,
 * or several. */
const struct mpi_family *mpi_family_only_one(const char *cache_path);

/* -- library_search.c --
 * The libraries that an ELF file needs.
 */

/* The first MPI library among those that the ELF file needs, directly or not, nearest first; NULL: none. */
const struct mpi_family *find_needed_mpi(const char *path);

/* -- program.c --
 * A program that is about to be started: where it is, what kind of file it is and which MPI it needs, found out without
 * running any of it.
 */

struct program {
    const char *path;             /* to be executed */
    const char *binary;           /* the same, or the interpreter of a script; the preload must suit it */
    bool is_elf;                  /* binary is an ELF file; else a shell will read it */
    bool is_static;               /* it has no dynamic linker */
    bool is_privileged;           /* it changes user, group or capabilities */
    int elf_class;                /* ELFCLASS32, ELFCLASS64 */
    int machine;                  /* EM_* */
    const struct mpi_family *mpi; /* NULL: it is not linked with any */
    bool has_mpi_inside;          /* all of one, as with -static-mpi; not known where it is stripped */
    bool never_uses_mpi;          /* nor can it load one, or become or start a program that has one */
};

/* Finds the program as a shell does and looks at it. EXIT_GOOD and a program, or EXIT_NOT_FOUND or
 * EXIT_NOT_EXECUTABLE and a reason. */
enum exit_status program_inspect(const char *name, struct program *ret_program, struct reason *ret_reason);

/* As a shell searches for `name`; the caller frees it. NULL:
 * not found; *ret_exists then says whether something that cannot be executed was. */
char *search_program(const char *name, bool *ret_exists);

/* -- likely_mpi.c --
 * Which MPI a program will probably load.
 */

/* Which MPI a program that is linked with none will probably load, or start programs of: by its mpi4py, by the programs
 * that a script or the arguments (NULL behind the last) name, by the launcher, by what is installed. NULL: nothing
 * tells.
 */
const struct mpi_family *find_likely_mpi(const struct program *program, char *const *arguments);

/* -- preload.c --
 * The runtime that a program is started with: which one, and LD_PRELOAD.
 */

/* Path of the runtime for `family`; NULL: for the MPI that the program probably comes to use, see find_likely_mpi() for
 * `arguments`. The caller frees it; NULL and a reason: not known, or not installed. */
char *preload_choose(const struct mpi_family *family, const struct program *program, char *const *arguments,
                     struct reason *ret_reason);

/* Whether the runtime can be loaded into the program. 0, or -1 and a reason. */
int preload_check(const struct program *program, const char *runtime, struct reason *ret_reason);

/* Puts the runtime in front of LD_PRELOAD of what is started from now on. */
void preload_set(const char *runtime);

/* -- program_imports.c -- Facts about MPI from the symbols of an ELF file.
 */

/* Whether an ELF file defines functions that only an MPI library does. */
bool has_mpi_inside(const char *path);

/* False where a dynamic ELF file that needs no MPI can come by none. */
bool may_come_to_use_mpi(const char *path);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks each mpicc which MPI it is of, as meson.build does: by the macros of its mpi.h.
 */
#include "doctor/doctor_internal.h"

#include "base/base.h"
#include "launch/launch.h"

#include <string.h>

static const double limit_s = 20;

/* Its last macro counts: Open MPI 6 also has the macro of the standard ABI. */
static const struct mpi_family *find_family(const char *macros)
{
    static const struct {
        const char *macro, *family;
    } families[] = {
        {"#define MPI_ABI_VERSION ", "abi"}, {"#define MPICH_VERSION ", "mpich"}, {"#define OPEN_MPI ", "openmpi"}};
    const struct mpi_family *found = NULL;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strstr(macros, families[i].macro) != NULL)
            found = mpi_family_by_name(families[i].family);
    return found;
}

static void add_compiler(struct doctor_compilers *compilers, const char *path)
{
    const char *words[] = {path, "-E", "-dM", "-include", "mpi.h", "-x", "c", "/dev/null", NULL};
    const char *macros;
    const bool works = doctor_ask(words, limit_s, &macros);
    const struct mpi_family *family = works ? find_family(macros) : NULL;
    for (size_t i = 0; i < compilers->count; i++)
        if (compilers->items[i].family == family)
            return;
    compilers->items = arena_append(compilers->items, &compilers->count, sizeof *compilers->items);
    compilers->items[compilers->count - 1] = (struct doctor_compiler){.path = path, .family = family};
}

struct doctor_compilers doctor_find_compilers(void)
{
    static const char *const names[] = {"mpicc", "mpicc.mpich", "mpicc.openmpi", "mpicc_abi"};
    struct doctor_compilers compilers = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool exists;
        const char *path = arena_take(search_program(names[i], &exists));
        if (path != NULL)
            add_compiler(&compilers, path);
    }
    return compilers;
}

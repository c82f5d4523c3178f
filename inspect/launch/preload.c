/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the runtime for a program and preloads it.
 */
#include "launch/launch.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

static char *find_runtime(const struct mpi_family *family, struct reason *ret_reason)
{
    char *library = format_text("libmpilens-%s.so", family->name);
    char *path = installation_find(library, "runtime", ret_reason);
    free(library);
    return path;
}

/* The only one whose runtime is installed; NULL and a reason: none, or several. */
static const struct mpi_family *find_only_installed(const struct program *program, struct reason *ret_reason)
{
    struct mpi_findings installed = {0};
    struct reason ignored;
    for (size_t i = 0; i < mpi_family_count; i++) {
        char *runtime = find_runtime(&mpi_families[i], &ignored);
        if (runtime != NULL)
            mpi_findings_note(&installed, &mpi_families[i]);
        free(runtime);
    }
    if (installed.family == NULL)
        reason_set(ret_reason, "no mpilens runtime is installed");
    else if (installed.several)
        reason_set(ret_reason, "%s is not linked with MPI: name the MPI that it will load with --mpi", program->path);
    return mpi_findings_result(&installed);
}

char *preload_choose(const struct mpi_family *family, const struct program *program, char *const *arguments,
                     struct reason *ret_reason)
{
    if (program->has_mpi_inside) {
        reason_set(ret_reason,
                   "%s has a static MPI library inside, so nothing that is preloaded sees its calls: link it "
                   "dynamically (without -static-mpi), or link libmpilens-*.a into it",
                   program->binary);
        return NULL;
    }
    if (family != NULL && program->mpi != NULL && family != program->mpi) {
        reason_set(ret_reason, "%s is linked with %s, so the runtime for %s would end it: start it without --mpi %s",
                   program->path, program->mpi->title, family->title, family->name);
        return NULL;
    }
    if (family == NULL)
        family = program->mpi;
    if (family == NULL)
        family = find_likely_mpi(program, arguments);
    if (family == NULL)
        family = find_only_installed(program, ret_reason);
    if (family == NULL)
        return NULL;
    struct reason reason;
    char *runtime = find_runtime(family, &reason);
    if (runtime == NULL)
        reason_set(ret_reason, "%s needs the runtime for %s: %s", program->path, family->title, reason.text);
    return runtime;
}

int preload_check(const struct program *program, const char *runtime, struct reason *ret_reason)
{
    struct program library = {0};
    struct reason ignored;
    if (strpbrk(runtime, " :;$") != NULL)
        return reason_set(ret_reason,
                          "%s cannot be preloaded, because LD_PRELOAD takes no space, colon or dollar sign in a path: "
                          "install mpilens elsewhere",
                          runtime);
    if (program->is_elf && program_inspect(runtime, &library, &ignored) == EXIT_GOOD && library.is_elf &&
        (library.elf_class != program->elf_class || library.machine != program->machine))
        return reason_set(ret_reason, "%s is a program for another kind of processor than %s", program->binary,
                          runtime);
    return 0;
}

void preload_set(const char *runtime)
{
    const char *others = getenv("LD_PRELOAD");
    const size_t length = strlen(runtime);
    if (others != NULL && strncmp(others, runtime, length) == 0 && (others[length] == '\0' || others[length] == ':'))
        return; /* run within run */
    char *all = others != NULL && others[0] != '\0' ? format_text("%s:%s", runtime, others) : copy_text(runtime);
    setenv("LD_PRELOAD", all, 1);
    free(all);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes MPI at run time: loaded HOW FILE [LIBRARY]. Rank 1 receives what rank 0, which is not in MPI, never sends. It
 * is linked with no MPI.
 *
 * LIBRARY: the MPI library to which FILE hands over. HOW: local, deep (RTLD_DEEPBIND), apart (dlmopen): FILE is the MPI
 * library; plug-in, deep-plug-in: FILE calls MPI.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *take(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (found == NULL) {
        fprintf(stderr, "%s: %s\n", name, dlerror());
        exit(1);
    }
    return found;
}

static void *load(const char *how, const char *file)
{
    const int deep = strncmp(how, "deep", 4) == 0 ? RTLD_DEEPBIND : 0;
    void *library =
        strcmp(how, "apart") == 0 ? dlmopen(LM_ID_NEWLM, file, RTLD_NOW) : dlopen(file, RTLD_NOW | RTLD_LOCAL | deep);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return library;
}

int main(int argc, char **argv)
{
    int rank, value;
    void *library = load(argv[1], argv[2]);
    if (strstr(argv[1], "plug-in") != NULL) {
        return ((int (*)(void))take(library, "plug_in_run"))();
    }
    ((int (*)(int *, char ***))take(library, "MPI_Init"))(&argc, &argv);
#ifdef OPEN_MPI
    void *constants = argc > 3 ? load("local", argv[3]) : library;
    MPI_Comm world = take(constants, "ompi_mpi_comm_world");
    MPI_Datatype integer = take(constants, "ompi_mpi_int");
#else
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Datatype integer = MPI_INT;
#endif
    ((int (*)(MPI_Comm, int *))take(library, "MPI_Comm_rank"))(world, &rank);
    while (rank == 0) {
        pause();
    }
    int (*receive)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *) = take(library, "MPI_Recv");
    receive(&value, 1, integer, 0, 5, world, MPI_STATUS_IGNORE);
    return 0;
}

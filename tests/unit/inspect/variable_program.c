/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The program whose variables tests find: in registers of nobody, in frames, in files. Answers every byte on its
 * standard input with one on its standard output.
 */
#include <stdint.h>
#include <unistd.h>

typedef int MPI_Comm;
typedef struct opaque_request *MPI_Request;
typedef struct {
    int source, tag, error;
} MPI_Status;
typedef int MPI_Fint;

struct node {
    MPI_Comm comms[2][3];
    struct node *next;
    struct {
        MPI_Comm inner;
    };
};

MPI_Comm global = 0x1000;
static MPI_Comm hidden = 0x1001;
static __thread MPI_Comm of_thread = 0x1002;
static struct node second = {.comms = {{20, 21, 22}, {23, 24, 25}}, .inner = 26};
static struct node first = {.comms = {{10, 11, 12}, {13, 14, 15}}, .next = &second, .inner = 16};
static MPI_Request request = (MPI_Request)(uintptr_t)0x123456789abcu;
static MPI_Status status = {1, 2, 3};
static MPI_Fint integer = -5;
static MPI_Request *nowhere;

#ifdef WITH_LIBRARIES
int use_variables(void);
int use_gomp_of_variables(void);

static int use_libraries(void)
{
    return use_variables() + use_gomp_of_variables();
}
#else
static int use_libraries(void)
{
    return 0;
}
#endif

static int other(void)
{
    static MPI_Comm twice = 1;
    static MPI_Comm doubled = 4;
    return twice++ + doubled++ + hidden + of_thread + first.comms[0][0] + (request != NULL) + status.tag + integer +
           (nowhere == NULL);
}

static int another(void)
{
    static MPI_Comm doubled = 3;
    volatile MPI_Comm of_another = doubled++;
    return of_another;
}

static int wait_here(MPI_Comm *pointer, MPI_Comm shadowed)
{
    static MPI_Comm twice = 2;
    MPI_Comm requests[3] = {0x31, 0x32, -1};
    char byte = 'r';
    do
        if (write(STDOUT_FILENO, &byte, 1) != 1)
            return 1;
    while (read(STDIN_FILENO, &byte, 1) == 1);
    return *pointer + shadowed + twice++ + requests[0];
}

int main(void)
{
    MPI_Comm row = 0x2000, shadowed = 0x2001, global_too = 0x2002;
    return wait_here(&row, 0x3001) + other() + another() + use_libraries() + shadowed + global_too == 0;
}

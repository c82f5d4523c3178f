/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A call with arguments of all sorts: a constant, one that the caller's caller gives, one that the caller needs
 * afterwards, and one that nobody keeps. The called function answers every byte on standard input with one on standard
 * output.
 */
#include <stddef.h>
#include <unistd.h>

int MPI_Recv(void *buffer, int count, int datatype, int peer, int tag, int communicator, void *status);

__attribute__((noinline)) int MPI_Recv(void *buffer, int count, int datatype, int peer, int tag, int communicator,
                                       void *status)
{
    char *byte = buffer;
    *byte = 'r';
    do
        if (write(STDOUT_FILENO, byte, 1) != 1)
            return 1;
    while (read(STDIN_FILENO, byte, 1) == 1);
    return (count ^ datatype ^ peer ^ tag ^ communicator) != 0 && status != NULL;
}

static volatile int seen, tag_of_others = 8, communicator_of_others = 0x44000000;

__attribute__((noinline)) static int exchange(int peer)
{
    char buffer[64];
    const int tag = tag_of_others;
    const int result = MPI_Recv(buffer, 16, 0x4c00080b, peer, tag, communicator_of_others, NULL);
    seen = tag;
    return result + buffer[0];
}

static int (*volatile called)(int peer) = exchange;

int main(void)
{
    seen = called(5);
    return seen == 0;
}

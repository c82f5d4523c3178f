/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A call in code that is not optimized: a count that a register keeps where the compiler heeds that, and a tag that is
 * calculated, by gcc in the second byte of a register. The called function writes a byte when the count is 32, and
 * returns when it has read one. The program then writes another one and waits outside for the end of its input.
 */
#include <stddef.h>
#include <unistd.h>

int MPI_Recv(void *buffer, int count, int datatype, int peer, int tag, int communicator, void *status);

static int talk(char byte)
{
    return write(STDOUT_FILENO, &byte, 1) == 1 && read(STDIN_FILENO, &byte, 1) == 1 ? 0 : 1;
}

int MPI_Recv(void *buffer, int count, int datatype, int peer, int tag, int communicator, void *status)
{
    const int is_used = (datatype ^ peer ^ tag ^ communicator) != 0 && buffer != status;
    return count == 32 ? talk('r') : is_used ? 0 : 1;
}

static int exchange(int peer)
{
    char buffer[64];
    int tag = 8;
    register int count = 16;
    int result = 0;
    do {
        result += MPI_Recv(buffer, count, 0x4c00080b, peer, tag | 0x800, 0x44000000, NULL);
        count += 16;
    } while (count <= 32);
    return result;
}

int main(void)
{
    const int result = exchange(5);
    return result + talk('o');
}

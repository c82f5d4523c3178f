/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stands in functions that the compiler has inlined.
 */
typedef int MPI_Comm;

void stop(void);
void keep(void *pointer);

MPI_Comm global = 0x1000;
static MPI_Comm hidden = 0x1001;

__attribute__((noinline)) void keep(void *pointer)
{
    __asm__ volatile("" : : "r"(pointer) : "memory");
}

static inline __attribute__((always_inline)) void inner(int number)
{
    MPI_Comm requests[3] = {number, number + 1, number + 2};
    keep(requests);
    stop(); /* in inner */
    keep(requests);
}

static inline __attribute__((always_inline)) void middle(int number)
{
    volatile MPI_Comm column = number + 10; /* or clang loses sight of it on arm64 */
    keep((void *)&column);
    inner(number); /* in middle */
    keep((void *)&column);
}

int main(int count, char **arguments)
{
    MPI_Comm row = 0x3000;
    keep(&row);
    keep(&hidden);
    keep(&global);
    keep(arguments);
    middle(0x2000 * count); /* in main */
    keep(&row);
    return 0;
}

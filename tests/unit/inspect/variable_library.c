/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library of the program whose variables tests find, and with SYSTEM one that is named like one of the system's: both
 * have variables that are called as others are.
 */
typedef int MPI_Comm;

int LIBRARY_FUNCTION(void);

static MPI_Comm hidden = LIBRARY_VALUE;
static MPI_Comm of_libraries = LIBRARY_VALUE + 1;

#ifdef SYSTEM
static MPI_Comm of_system = LIBRARY_VALUE + 2;

static int first(void)
{
    static MPI_Comm of_another = 1;
    return of_another++;
}

static int second(void)
{
    static MPI_Comm of_another = 2;
    return of_another++ + of_system++ + first();
}
#else
static int second(void)
{
    return 0;
}
#endif

int LIBRARY_FUNCTION(void)
{
    return hidden++ + of_libraries++ + second();
}

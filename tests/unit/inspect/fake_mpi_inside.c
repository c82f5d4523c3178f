/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that defines functions of MPI: all of a static library, or with the function CALLS of a shared one below
 * them.
 */
int PMPI_Init(void);
#ifdef CALLS
int CALLS(void);
#else
enum { nothing = 0 };
#define CALLS() nothing
#endif

int PMPI_Init(void)
{
    return CALLS();
}

int main(void)
{
    return PMPI_Init();
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The process that the debuggers look at, rank 1 of 4, without any type of this project. Its handles are ints, as in
 * MPICH.
 */
#ifndef TESTS_ABI_TARGET_H
#define TESTS_ABI_TARGET_H

#include <stdbool.h>

/* Handles in C, and as integers of Fortran. */
#define WORLD            0x44000000u
#define SPLIT            0x84000002u /* world ranks 3, 1; two dimensions, an attribute, a window, a hint */
#define INTER            0x84000003u /* "bridge"; world ranks 0, 1 and 2, 3 */
#define GRAPH            0x84000010u
#define FREED_USED       0x84000012u /* freed, but something refers to it */
#define FREED            0x84000013u /* freed, and reused for ... */
#define GONE             0x84000014u
#define REQUEST_NULL     0x2c000000u
#define SELF             0x44000001u
#define DISTRIBUTED      0x84000011u
#define COMM_NULL        0x04000000u
#define ERRHANDLER       0x94000001u
#define ERRHANDLER_FREED 0x94000002u
#define VECTOR           0x8c000001u
#define OP               0x98000001u
#define INFO             0x9c000001u
#define SESSION          0x80000001u
#define WINDOW           0xa0000001u
#define MESSAGE          0xac000001u
#define ERRORS_RETURN    0x54000001u
#define ERRHANDLER_NULL  0x14000000u
#define INT              0x4c000405u
#define SUM              0x58000003u
#define KEYVAL           0xa4400001u
#define GROUP            0x88000001u
#define FILE_HANDLE      0x5555000u

enum { STATUS_SOURCE = 3, STATUS_TAG = 77, STATUS_BYTES = 4096 };

struct target_addresses {
    unsigned long status;
    unsigned long status_ignore;
    unsigned long cxx_comm; /* objects of the C++ bindings */
    unsigned long cxx_status;
    unsigned long cxx_garbage;
};

struct target_addresses target_create(bool big_endian);
void target_destroy(void);

/* MPI is not initialized yet, and then is. */
void target_set_initialized(bool initialized);

/* The thread has called MPI: SPLIT was freed, its handle names a communicator of one rank called "again" now. */
void target_reuse(void);

/* Operations of a debugger on the process. 0: impossible. */
int target_read(unsigned long address, int bytes, void *ret_bytes);
unsigned long target_symbol(const char *name);

#endif

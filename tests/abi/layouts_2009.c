/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Layouts that differ in the generation of 2009.
 */
#define MPIDBG_GENERATION 2009
#include "mpilens/mpidbg.h"

#include <assert.h>
#include <stddef.h>

#define OFFSET(type, member, bytes)                                                                                    \
    static_assert(sizeof(void *) != 8 || offsetof(type, member) == (bytes), #type "." #member)

static_assert(sizeof(void *) != 8 || sizeof(struct mpidbg_attribute_pair_t) == 24, "");
OFFSET(struct mpidbg_attribute_pair_t, keyval_name, 0);
OFFSET(struct mpidbg_attribute_pair_t, value, 8);
OFFSET(struct mpidbg_attribute_pair_t, keyval, 16);

static_assert(MPIDBG_INTERFACE_VERSION == 1, "");
static_assert(MPIDBG_COMM_INFO_HANDLE_C == 0x100 && MPIDBG_COMM_INFO_HANDLE_CXX == 0x200 &&
                  MPIDBG_COMM_INFO_HANDLE_FINT == 0x400 && MPIDBG_COMM_INFO_MAX == 1025,
              "");
static_assert(MPIDBG_ERRH_INFO_C_CALLBACK == 0x10 && MPIDBG_ERRH_INFO_FORTRAN_CALLBACK == 0x20 &&
                  MPIDBG_ERRH_INFO_CXX_CALLBACK == 0x40 && MPIDBG_ERRH_INFO_FREED_HANDLE == 0x80 &&
                  MPIDBG_ERRH_INFO_FREED_OBJECT == 0x100,
              "");
static_assert(MPIDBG_COMM_WORLD == 0 && MPIDBG_COMM_SELF == 1 && MPIDBG_COMM_PARENT == 2 && MPIDBG_COMM_NULL == 3 &&
                  MPIDBG_COMM_MAX == 4,
              "");
static_assert(MPIDBG_ERRHANDLER_ARE_FATAL == 0 && MPIDBG_ERRHANDLER_RETURN == 1 &&
                  MPIDBG_ERRHANDLER_THROW_EXCEPTIONS == 2 && MPIDBG_ERRHANDLER_NULL == 3 && MPIDBG_ERRHANDLER_MAX == 4,
              "");

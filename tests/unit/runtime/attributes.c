/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keyvals and attributes.
 */
#include "attributes.h"

#include "fake_mpi.h"

char values[8];

int copy_always(MPI_Comm communicator, int keyval, void *state, void *in, void *out, int *flag)
{
    (void)communicator, (void)keyval, (void)state, (void)in, (void)out;
    *flag = 1;
    return MPI_SUCCESS;
}

int make_keyval(int handle, MPI_Comm_copy_attr_function *copy_function)
{
    int keyval;
    fake.object = handle;
    MPI_Comm_create_keyval(copy_function, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    return keyval;
}

const struct mpilens_attribute *attribute_of(const void *object, int keyval)
{
    const struct mpilens_attribute *record;
    for (size_t i = 0; (record = shadow_record(MPILENS_TABLE_ATTRIBUTES, MPILENS_OBJECT_LIVE, i)); i++)
        if (record->object == (uint64_t)(uintptr_t)object &&
            ((const struct mpilens_keyval *)(uintptr_t)record->keyval)->handle == (uint32_t)keyval)
            return record;
    return NULL;
}

uint64_t value_of(MPI_Comm communicator, int keyval)
{
    const struct mpilens_attribute *record = attribute_of(shadow_communicator(communicator), keyval);
    return record != NULL ? record->value : 0;
}

void set_attribute(MPI_Comm communicator, int keyval, void *value)
{
    volatile int error = MPI_Comm_set_attr(communicator, keyval, value);
    (void)error;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fake MPI library's answers about datatypes.
 */
#include "fake_mpi.h"

#include <string.h>

int PMPI_Type_size_x(MPI_Datatype datatype, MPI_Count *ret_size)
{
    __atomic_fetch_add(&fake.type_size_calls, 1, __ATOMIC_RELAXED);
    bool built_in = (uint32_t)datatype >> 24 == 0x4c;
    *ret_size = built_in ? ((uint32_t)datatype >> 8) & 0xff : fake.datatype_size;
    return MPI_SUCCESS;
}

/* Derived ones begin 8 bytes before their buffer and end 8 behind the size; their data begins 4 behind. */
int PMPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count *ret_lower_bound, MPI_Count *ret_extent)
{
    bool built_in = (uint32_t)datatype >> 24 == 0x4c;
    *ret_lower_bound = built_in ? 0 : -8;
    *ret_extent = built_in ? ((uint32_t)datatype >> 8) & 0xff : fake.datatype_size + 16;
    return MPI_SUCCESS;
}

int PMPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count *ret_lower_bound, MPI_Count *ret_extent)
{
    bool built_in = (uint32_t)datatype >> 24 == 0x4c;
    *ret_lower_bound = built_in ? 0 : 4;
    *ret_extent = built_in ? ((uint32_t)datatype >> 8) & 0xff : fake.datatype_size;
    return MPI_SUCCESS;
}

static int combiner_of(MPI_Datatype datatype)
{
    bool built_in = (uint32_t)datatype >> 24 == 0x4c;
    return built_in ? MPI_COMBINER_NAMED : fake.combiner ? fake.combiner : MPI_COMBINER_CONTIGUOUS;
}

int PMPI_Type_get_envelope(MPI_Datatype datatype, int *ret_integers, int *ret_addresses, int *ret_datatypes,
                           int *ret_combiner)
{
    *ret_combiner = combiner_of(datatype);
    *ret_integers = fake.contents_integers;
    *ret_addresses = fake.contents_addresses;
    *ret_datatypes = *ret_combiner == MPI_COMBINER_NAMED ? 0 : fake.contents;
    return MPI_SUCCESS;
}

int PMPI_Type_get_envelope_c(MPI_Datatype datatype, MPI_Count *ret_integers, MPI_Count *ret_addresses,
                             MPI_Count *ret_large_counts, MPI_Count *ret_datatypes, int *ret_combiner)
{
    *ret_combiner = combiner_of(datatype);
    *ret_integers = fake.contents_integers;
    *ret_addresses = fake.contents_addresses;
    *ret_large_counts = fake.contents_large;
    *ret_datatypes = *ret_combiner == MPI_COMBINER_NAMED ? 0 : fake.contents;
    return MPI_SUCCESS;
}

void fake_give_contents(const struct fake_call *call)
{
    bool large = strcmp(call->name, "MPI_Type_get_contents_c") == 0;
    const uint64_t *arrays = &call->arguments[large ? 5 : 4];
    int *integers = (int *)(uintptr_t)arrays[0];
    MPI_Aint *addresses = (MPI_Aint *)(uintptr_t)arrays[1];
    MPI_Count *large_counts = large ? (MPI_Count *)(uintptr_t)arrays[2] : NULL;
    MPI_Datatype *datatypes = (MPI_Datatype *)(uintptr_t)arrays[large ? 3 : 2];
    const int64_t *value = fake.contents_values;
    for (int i = 0; i < fake.contents_integers; i++)
        integers[i] = (int)*value++;
    for (int i = 0; i < fake.contents_addresses; i++)
        addresses[i] = *value++;
    for (int i = 0; i < fake.contents_large; i++)
        large_counts[i] = *value++;
    for (int i = 0; fake.contents_datatypes != NULL && i < fake.contents; i++)
        datatypes[i] = fake.contents_datatypes[i];
    fake.contents_given += fake.contents;
}

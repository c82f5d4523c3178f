/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A process that is its own debugger: it asks the DLL (its argument) for the type maps of its datatypes, and lets MPI
 * pack one element of each. MPI takes the bytes in the order of the type map.
 */
#include <mpi.h>

#include "mpilens/extension.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 16, MIDDLE = BUFFER_BYTES / 2 };

static unsigned char buffer[BUFFER_BYTES];
static unsigned char packed[BUFFER_BYTES];
static unsigned char gathered[BUFFER_BYTES];
static int failures;

static mqs_image_info *image_info;
static mqs_process_info *process_info;

static void put_image_info(mqs_image *image, mqs_image_info *info)
{
    (void)image;
    image_info = info;
}

static mqs_image_info *get_image_info(mqs_image *image)
{
    (void)image;
    return image_info;
}

static void put_process_info(mqs_process *process, mqs_process_info *info)
{
    (void)process;
    process_info = info;
}

static mqs_process_info *get_process_info(mqs_process *process)
{
    (void)process;
    return process_info;
}

static int find_symbol(mqs_image *image, char *name, mqs_taddr_t *ret_address)
{
    (void)image;
    void *address = dlsym(RTLD_DEFAULT, name);
    if (ret_address)
        *ret_address = (mqs_taddr_t)address;
    return address ? mqs_ok : mqs_no_information;
}

static mqs_image *get_image(mqs_process *process)
{
    return (mqs_image *)process;
}

static int fetch(mqs_process *process, mqs_taddr_t address, int bytes, void *into)
{
    (void)process;
    memcpy(into, (const void *)address, (size_t)bytes);
    return mqs_ok;
}

static const mqs_basic_callbacks basic = {.mqs_malloc_fp = malloc,
                                          .mqs_free_fp = free,
                                          .mqs_put_image_info_fp = put_image_info,
                                          .mqs_get_image_info_fp = get_image_info,
                                          .mqs_put_process_info_fp = put_process_info,
                                          .mqs_get_process_info_fp = get_process_info};
static const mqs_image_callbacks image_callbacks = {.mqs_find_symbol_fp = find_symbol};
static const mqs_process_callbacks process_callbacks = {.mqs_get_image_fp = get_image, .mqs_fetch_data_fp = fetch};
static mqs_process *const process = (mqs_process *)&process_callbacks;

#define DLL_FUNCTION(name) static __typeof__(&name) dll_##name
DLL_FUNCTION(mqs_setup_basic_callbacks);
DLL_FUNCTION(mqs_setup_image);
DLL_FUNCTION(mqs_setup_process);
DLL_FUNCTION(mqs_process_has_queues);
DLL_FUNCTION(mpilens_find_object);
DLL_FUNCTION(mpilens_setup_type_map_iterator);
DLL_FUNCTION(mpilens_next_type_map_entry);

static void open_dll(const char *path)
{
    void *dll = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!dll) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
#define LOOK_UP(name) *(void **)&dll_##name = dlsym(dll, #name)
    LOOK_UP(mqs_setup_basic_callbacks);
    LOOK_UP(mqs_setup_image);
    LOOK_UP(mqs_setup_process);
    LOOK_UP(mqs_process_has_queues);
    LOOK_UP(mpilens_find_object);
    LOOK_UP(mpilens_setup_type_map_iterator);
    LOOK_UP(mpilens_next_type_map_entry);
    dll_mqs_setup_basic_callbacks(&basic);
    if (dll_mqs_setup_image(get_image(process), &image_callbacks) != mqs_ok ||
        dll_mqs_setup_process(process, &process_callbacks) != mqs_ok ||
        dll_mqs_process_has_queues(process, NULL) != mqs_ok) {
        fprintf(stderr, "The DLL does not know this process.\n");
        exit(1);
    }
}

/* The bytes that the map names, in its order; -1: there is none. */
static long gather(MPI_Datatype datatype)
{
    struct mpilens_object_information object = {.struct_size = sizeof object};
    struct mpilens_type_map_entry entry = {.struct_size = sizeof entry};
    uint64_t value = 0;
    memcpy(&value, &datatype, sizeof datatype); /* an int or a pointer, lowest byte first */
    if (dll_mpilens_find_object(process, MPILENS_OBJECT_DATATYPE, MPILENS_HANDLE_C, value, &object) != mqs_ok ||
        dll_mpilens_setup_type_map_iterator(process) != mqs_ok)
        return -1;
    long count = 0;
    int code;
    while ((code = dll_mpilens_next_type_map_entry(process, &entry)) == mqs_ok)
        for (int64_t again = 0; again < entry.repeat; again++)
            for (int64_t i = 0; i < entry.count; i++) {
                const int64_t at = MIDDLE + entry.displacement + again * entry.repeat_stride + i * entry.stride;
                if (at < 0 || at + entry.basic_size > BUFFER_BYTES || count + entry.basic_size > BUFFER_BYTES)
                    return -1;
                memcpy(gathered + count, buffer + at, (size_t)entry.basic_size);
                count += entry.basic_size;
            }
    return code == mqs_end_of_list ? count : -1;
}

static void check(MPI_Datatype datatype, const char *name)
{
    int position = 0;
    MPI_Type_commit(&datatype);
    MPI_Pack(buffer + MIDDLE, 1, datatype, packed, BUFFER_BYTES, &position, MPI_COMM_SELF);
    const long count = gather(datatype);
    if (count != position || memcmp(gathered, packed, (size_t)position) != 0) {
        printf("%s: %ld bytes by the map, %d by MPI, %s\n", name, count, position,
               count == position ? "not the same" : "so not as many");
        failures++;
    }
}

/* Types that the others are made of. */
static MPI_Datatype make_base(int which)
{
    MPI_Datatype datatype = MPI_INT;
    const int lengths[] = {2, 1, 3};
    const MPI_Aint displacements[] = {0, 16, 26};
    const MPI_Datatype types[] = {MPI_FLOAT, MPI_DOUBLE, MPI_CHAR};
    if (which == 1)
        MPI_Type_create_struct(3, lengths, displacements, types, &datatype);
    else if (which == 2)
        MPI_Type_vector(2, 2, 3, MPI_SHORT, &datatype);
    else if (which == 3)
        MPI_Type_create_resized(MPI_INT, -4, 20, &datatype);
    else if (which == 4)
        MPI_Type_indexed(3, (const int[]){1, 0, 2}, (const int[]){5, 3, 1}, MPI_INT, &datatype);
    return datatype;
}

static void check_all(int which)
{
    const MPI_Datatype base = make_base(which);
    MPI_Datatype datatype;
    printf("base %d\n", which);
    MPI_Type_dup(base, &datatype);
    check(datatype, "dup");
    MPI_Type_contiguous(7, base, &datatype);
    check(datatype, "contiguous");
    MPI_Type_vector(4, 3, 5, base, &datatype);
    check(datatype, "vector");
    MPI_Type_vector(4, 1, -3, base, &datatype);
    check(datatype, "vector, backwards");
    MPI_Type_create_hvector(3, 2, 333, base, &datatype);
    check(datatype, "hvector");
    MPI_Type_indexed(3, (const int[]){3, 1, 2}, (const int[]){7, 0, 12}, base, &datatype);
    check(datatype, "indexed");
    MPI_Type_create_hindexed(2, (const int[]){2, 3}, (const MPI_Aint[]){900, 11}, base, &datatype);
    check(datatype, "hindexed");
    MPI_Type_create_indexed_block(3, 2, (const int[]){9, 1, 4}, base, &datatype);
    check(datatype, "indexed_block");
    MPI_Type_create_hindexed_block(3, 2, (const MPI_Aint[]){9, 401, -404}, base, &datatype);
    check(datatype, "hindexed_block");
    MPI_Type_create_struct(2, (const int[]){2, 4}, (const MPI_Aint[]){8, 300}, (const MPI_Datatype[]){base, MPI_SHORT},
                           &datatype);
    check(datatype, "struct");
    MPI_Type_contiguous(2, datatype, &datatype);
    check(datatype, "contiguous of struct");
    for (int order = 0; order < 2; order++) {
        const int mpi_order = order == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
        MPI_Type_create_subarray(3, (const int[]){4, 5, 6}, (const int[]){2, 3, 1}, (const int[]){1, 2, 5}, mpi_order,
                                 base, &datatype);
        check(datatype, order == 0 ? "subarray, C" : "subarray, Fortran");
        for (int rank = 0; rank < 6; rank++) {
            MPI_Type_create_darray(6, rank, 3, (const int[]){7, 5, 4},
                                   (const int[]){MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE},
                                   (const int[]){2, MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG},
                                   (const int[]){2, 3, 1}, mpi_order, base, &datatype);
            check(datatype, order == 0 ? "darray, C" : "darray, Fortran");
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (size_t i = 0; i < BUFFER_BYTES; i++)
        buffer[i] = (unsigned char)(i * 2654435761u >> 13);
    open_dll(argv[1]);
    for (int which = 0; which < 5; which++)
        check_all(which);
    MPI_Datatype real;
    MPI_Type_create_f90_real(15, 307, &real);
    check(real, "f90_real");
    printf("%d failures\n", failures);
    MPI_Finalize();
    return failures > 0;
}

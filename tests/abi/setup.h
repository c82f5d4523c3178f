/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The common steps of debuggers of every generation: load functions, set up, finish, free. To be included behind the
 * declarations of one generation, which each debugger has of its own.
 */
#ifndef TESTS_ABI_SETUP_H
#define TESTS_ABI_SETUP_H

#include "debugger.h"

#include <string.h>

#define CONTEXT   mqs_image *, mqs_image_info *, mqs_process *, mqs_process_info *
#define ARGUMENTS the_image(), image_info(), the_process(), process_info()

#define LOAD(pointer, name) (*(void **)&(pointer) = symbol(name))

static int (*init_once)(const mqs_basic_callbacks *);
static int (*init_per_image)(mqs_image *, const mqs_image_callbacks *, struct mpidbg_handle_info_t *);
static int (*init_per_process)(mqs_process *, const mqs_process_callbacks *, struct mpidbg_handle_info_t *);
static void (*finalize_per_image)(mqs_image *, mqs_image_info *);
static void (*finalize_per_process)(mqs_process *, mqs_process_info *);

static inline void load_setup(void)
{
    LOAD(init_once, "mpidbg_init_once");
    LOAD(init_per_image, "mpidbg_init_per_image");
    LOAD(init_per_process, "mpidbg_init_per_process");
    LOAD(finalize_per_image, "mpidbg_finalize_per_image");
    LOAD(finalize_per_process, "mpidbg_finalize_per_process");
}

static inline void set_up(void)
{
    struct mpidbg_handle_info_t types;
    memset(&types, 0xff, sizeof types);
    CHECK(init_once(&basic_callbacks) == SUCCESS);
    CHECK(init_per_image(the_image(), &image_callbacks, &types) == SUCCESS);
    for (int i = 0; i < 30; i++) /* MPI_Comm and MPI::Cartcomm are found */
        CHECK((types.types[i] != NULL) == (i == 1 || i == 17));
    CHECK(init_per_process(the_process(), &process_callbacks, &types) == SUCCESS);
}

static inline void finish(void)
{
    finalize_per_process(the_process(), process_info());
    finalize_per_image(the_image(), image_info());
    CHECK(blocks_held() == 0);
    basic_callbacks.put_image_info_fp(the_image(), NULL);
    basic_callbacks.put_process_info_fp(the_process(), NULL);
}

static inline void give_back(void *memory)
{
    if (memory != NULL)
        basic_callbacks.free_fp(memory);
}

#endif

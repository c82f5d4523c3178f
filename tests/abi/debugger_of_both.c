/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A debugger that uses both interfaces on one process: set up and finished in any order, with one table of callbacks or
 * two. Neither disturbs the other.
 */
#include "declarations_2007.h"

#include "setup.h"
#include "target.h"

static int (*request_query)(mqs_image *, mqs_image_info *, mqs_process *, mqs_process_info *, mqs_taddr_t,
                            struct mpidbg_request_info_t **);
static int (*errhandler_query)(mqs_image *, mqs_image_info *, mqs_process *, mqs_process_info *, mqs_taddr_t,
                               struct mpidbg_errhandler_info_t **);
static int (*comm_f2c)(mqs_image *, mqs_image_info *, mqs_process *, mqs_process_info *, mqs_taddr_t, mqs_taddr_t *);

static void (*mqs_basic)(const mqs_basic_callbacks *);
static int (*mqs_image_setup)(mqs_image *, const mqs_image_callbacks *);
static int (*mqs_process_setup)(mqs_process *, const mqs_process_callbacks *);
static int (*mqs_update)(mqs_process *);
static int (*mqs_iterate)(mqs_process *);
static int (*mqs_next)(mqs_process *);
static int (*mqs_get)(mqs_process *, mqs_communicator *);
static int (*mqs_image_destroy)(mqs_image_info *);
static int (*mqs_process_destroy)(mqs_process_info *);

static void load(void)
{
    load_setup();
    LOAD(request_query, "mpidbg_request_query");
    LOAD(errhandler_query, "mpidbg_errhandler_query");
    LOAD(comm_f2c, "mpidbg_comm_f2c");
    LOAD(mqs_basic, "mqs_setup_basic_callbacks");
    LOAD(mqs_image_setup, "mqs_setup_image");
    LOAD(mqs_process_setup, "mqs_setup_process");
    LOAD(mqs_update, "mqs_update_communicator_list");
    LOAD(mqs_iterate, "mqs_setup_communicator_iterator");
    LOAD(mqs_next, "mqs_next_communicator");
    LOAD(mqs_get, "mqs_get_communicator");
    LOAD(mqs_image_destroy, "mqs_destroy_image_info");
    LOAD(mqs_process_destroy, "mqs_destroy_process_info");
}

/* The handles are asked for, and are what they are. */
static void ask(void)
{
    struct mpidbg_request_info_t *request = NULL;
    struct mpidbg_errhandler_info_t *errhandler = NULL;
    mqs_taddr_t comm = 0;
    CHECK(request_query(ARGUMENTS, REQUEST_NULL, &request) == SUCCESS && request->req_c_handle == REQUEST_NULL);
    basic_callbacks.free_fp(request);
    CHECK(errhandler_query(ARGUMENTS, ERRHANDLER, &errhandler) == SUCCESS && errhandler->eh_refcount == 2);
    basic_callbacks.free_fp(errhandler->eh_handles);
    basic_callbacks.free_fp(errhandler);
    CHECK(comm_f2c(ARGUMENTS, SPLIT, &comm) == SUCCESS && comm == SPLIT);
}

static void set_up_without_types(void)
{
    CHECK(init_once(&basic_callbacks) == SUCCESS);
    CHECK(init_per_image(the_image(), &image_callbacks, NULL) == SUCCESS);
    CHECK(init_per_process(the_process(), &process_callbacks, NULL) == SUCCESS);
}

enum { MQS = 1, MPIDBG = 2 };

static void check_together(int first, int first_gone, const mqs_basic_callbacks *callbacks_of_mqs)
{
    mqs_communicator communicator;
    target_create(false);
    for (int i = 0; i < 2; i++) {
        if ((i == 0) == (first == MQS)) {
            mqs_basic(callbacks_of_mqs);
            CHECK(mqs_image_setup(the_image(), &image_callbacks) == 0);
            CHECK(mqs_process_setup(the_process(), &process_callbacks) == 0);
        } else {
            set_up_without_types();
        }
    }
    mqs_process_info *of_mqs = callbacks_of_mqs->get_process_info_fp(the_process());
    mqs_image_info *image_of_mqs = callbacks_of_mqs->get_image_info_fp(the_image());
    CHECK(mqs_update(the_process()) == 0 && mqs_iterate(the_process()) == 0 && mqs_next(the_process()) == 0);
    ask();
    target_reuse();
    ask();
    CHECK(mqs_get(the_process(), &communicator) == 0 && strcmp(communicator.name, "MPI_COMM_SELF") == 0);
    CHECK(mqs_next(the_process()) == 0 && mqs_get(the_process(), &communicator) == 0);
    CHECK(communicator.size == 2); /* as mqs_update_communicator_list has seen it */
    for (int i = 0; i < 2; i++) {
        if ((i == 0) == (first_gone == MQS)) {
            CHECK(mqs_process_destroy(of_mqs) == 0 && mqs_image_destroy(image_of_mqs) == 0);
            if (i == 0)
                ask();
        } else {
            finalize_per_process(the_process(), process_info());
            finalize_per_image(the_image(), image_info());
            if (i == 0)
                CHECK(mqs_update(the_process()) == 0 && mqs_iterate(the_process()) == 0);
        }
    }
    CHECK(blocks_held() == 0);
    /* The places keep what is gone: it must not be taken for good. */
    mqs_taddr_t comm = 0;
    CHECK(comm_f2c(ARGUMENTS, WORLD, &comm) == UNAVAILABLE);
    target_destroy();
}

int main(void)
{
    load();
    for (int order = 0; order < 4; order++) {
        check_together(order & 1 ? MQS : MPIDBG, order & 2 ? MQS : MPIDBG, &basic_callbacks);
        check_together(order & 1 ? MQS : MPIDBG, order & 2 ? MQS : MPIDBG, &other_basic_callbacks);
    }
    printf("%d failures\n", failures);
    return failures > 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How the entry points behave as functions: codes, wrong calls, order of calls, messages.
 */
#include "mpilens/mpidbg.h"
#include "tested_job.h"

#include <criterion/criterion.h>

TestSuite(interface, .init = create_populated_job, .fini = close_job);

Test(interface, says_its_versions)
{
    cr_assert_eq(mqs_version_compatibility(), 2);
    cr_assert_eq(mqs_dll_taddr_width(), (int)sizeof(mqs_taddr_t));
    cr_assert_eq(mpilens_extension_version(), MPILENS_EXTENSION_VERSION);
    cr_assert_not_null(strstr(mqs_version_string(), "mpilens"));
}

Test(interface, has_a_sentence_for_every_code_and_none_twice)
{
    const char *unknown = mqs_dll_error_string(12345);
    cr_assert_not_null(unknown);
    const char *sentences[32];
    size_t count = 0;
    for (int code = mqs_ok; code <= MPILENS_ERROR_BEYOND_BUDGET; code = code == mqs_end_of_list ? 100 : code + 1) {
        const char *sentence = mqs_dll_error_string(code);
        cr_assert_str_neq(sentence, unknown, "code %d", code);
        cr_assert_eq(sentence[strlen(sentence) - 1], '.');
        cr_assert_null(strchr(sentence, '%'), "debuggers use messages as formats");
        for (size_t i = 0; i < count; i++)
            cr_assert_str_neq(sentence, sentences[i]);
        sentences[count++] = sentence;
    }
    cr_assert_eq(count, 3 + MPILENS_ERROR_BEYOND_BUDGET - mqs_first_user_code + 1);
}

Test(interface, needs_the_basic_callbacks_and_all_required_ones)
{
    mqs_process *process = opened.process;
    mqs_image *image = fake_image(&opened.debugger);
    mqs_basic_callbacks basic = opened.debugger.basic;
    basic.mqs_malloc_fp = NULL;
    const mqs_basic_callbacks *const tables[] = {NULL, &basic};
    for (int i = 0; i < 2; i++) {
        mqs_setup_basic_callbacks(tables[i]);
        cr_assert_eq(mqs_setup_image(image, &opened.debugger.image), MPILENS_ERROR_NO_CALLBACKS);
        cr_assert_eq(mqs_image_has_queues(image, NULL), MPILENS_ERROR_NO_CALLBACKS);
        cr_assert_eq(mqs_setup_process(process, &opened.debugger.process), MPILENS_ERROR_NO_CALLBACKS);
        cr_assert_eq(mqs_process_has_queues(process, NULL), MPILENS_ERROR_NO_CALLBACKS);
        cr_assert_eq(mqs_update_communicator_list(process), MPILENS_ERROR_NO_CALLBACKS);
        cr_assert_eq(mqs_setup_communicator_iterator(process), MPILENS_ERROR_NO_CALLBACKS);
        cr_assert_eq(mpilens_setup_thread_iterator(process), MPILENS_ERROR_NO_CALLBACKS);
        cr_assert_eq(mqs_get_global_rank(process), MQS_INVALID_PROCESS);
    }
}

/* Every entry point that takes a process, with outputs that are right. */
static int call_all(mqs_process *process, int wanted)
{
    mqs_communicator communicator;
    mqs_pending_operation operation;
    struct mpilens_operation_information operation_information = {.struct_size = sizeof operation_information};
    struct mpilens_communicator_information communicator_information = {.struct_size = sizeof communicator_information};
    struct mpilens_process_information process_information = {.struct_size = sizeof process_information};
    struct mpilens_clock_information clock = {.struct_size = sizeof clock};
    struct mpilens_thread_information thread = {.struct_size = sizeof thread};
    struct mpilens_collective_information collective = {.struct_size = sizeof collective};
    struct mpilens_collective_class_information class = {.struct_size = sizeof class};
    struct mpilens_channel_information channel = {.struct_size = sizeof channel};
    struct mpilens_message_information message = {.struct_size = sizeof message};
    int numbers[64];
    int64_t amount;
    struct mpilens_collective_mark_information mark = {.struct_size = sizeof mark};
    struct mpilens_freed_object_information freed = {.struct_size = sizeof freed};
    uint64_t serials[4];
    size_t count;
    struct mpilens_failed_call_information failed = {.struct_size = sizeof failed};
    const int codes[] = {
        mqs_process_has_queues(process, NULL),
        mqs_update_communicator_list(process),
        mqs_setup_communicator_iterator(process),
        mqs_get_communicator(process, &communicator),
        mqs_get_comm_group(process, numbers),
        mqs_setup_operation_iterator(process, mqs_pending_sends),
        mqs_next_operation(process, &operation),
        mqs_get_comm_coll_state(process, 0, &numbers[0], &numbers[1]),
        mpilens_get_clock(process, &clock),
        mpilens_get_process(process, &process_information),
        mpilens_get_freed_objects(process, &freed, 1, &count),
        mpilens_setup_thread_iterator(process),
        mpilens_next_thread(process, &thread),
        mpilens_get_waiting(process, serials, 4, &count),
        mpilens_get_failed_calls(process, &failed, 1, &count),
        mpilens_get_communicator(process, &communicator_information),
        mpilens_get_comm_remote_group(process, numbers),
        mpilens_get_collective_class(process, 0, &class),
        mpilens_setup_collective_iterator(process),
        mpilens_next_collective(process, &collective),
        mpilens_get_collective_amounts(process, 0, 0, 1, &amount),
        mpilens_get_collective_marks(process, &mark, 1, &count),
        mpilens_get_operation(process, &operation_information),
        mpilens_setup_completed_iterator(process),
        mpilens_next_completed(process, &operation_information),
        mpilens_setup_channel_iterator(process),
        mpilens_next_channel(process, &channel),
        mpilens_setup_message_iterator(process),
        mpilens_next_message(process, &message),
        mqs_next_communicator(process),
    };
    int others = 0;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (codes[i] != wanted)
            others++;
    return others;
}

Test(interface, needs_a_process_that_was_set_up)
{
    mqs_setup_basic_callbacks(&opened.debugger.basic);
    cr_assert_eq(call_all(opened.process, MPILENS_ERROR_NOT_SET_UP), 0);
    cr_assert_eq(call_all(NULL, MPILENS_ERROR_NOT_SET_UP), 0);
    cr_assert_eq(mqs_image_has_queues(fake_image(&opened.debugger), NULL), MPILENS_ERROR_NOT_SET_UP);
}

Test(interface, needs_an_image_that_was_set_up)
{
    mqs_setup_basic_callbacks(&opened.debugger.basic);
    cr_assert_eq(mqs_setup_process(opened.process, &opened.debugger.process), mqs_ok);
    cr_assert_eq(mqs_process_has_queues(opened.process, NULL), MPILENS_ERROR_NOT_SET_UP);
}

Test(interface, says_why_there_are_no_queues)
{
    const char *not_set_up = mqs_dll_error_string(MPILENS_ERROR_NOT_SET_UP);
    char *message = "untouched";
    mqs_image_has_queues(fake_image(&opened.debugger), &message);
    cr_expect_str_eq(message, mqs_dll_error_string(MPILENS_ERROR_NO_CALLBACKS));
    mqs_setup_basic_callbacks(&opened.debugger.basic);
    mqs_image_has_queues(fake_image(&opened.debugger), &message);
    cr_expect_str_eq(message, not_set_up);
    message = "untouched";
    mqs_process_has_queues(opened.process, &message);
    cr_expect_str_eq(message, not_set_up);
}

Test(interface, keeps_its_callbacks_where_none_are_given)
{
    open_world();
    mqs_setup_basic_callbacks(NULL);
    cr_expect_eq(mqs_process_has_queues(opened.process, NULL), mqs_ok);
    cr_assert_eq(mpidbg_init_once(&opened.debugger.basic), MPIDBG_SUCCESS);
    cr_expect_eq(mpidbg_init_once(NULL), MPIDBG_ERR_NOT_SUPPORTED);
    mqs_basic_callbacks partial = opened.debugger.basic;
    partial.mqs_free_fp = NULL;
    cr_expect_eq(mpidbg_init_once(&partial), MPIDBG_ERR_NOT_SUPPORTED);
    struct mpidbg_handle_info_t types;
    mqs_image *image = fake_image(&opened.debugger);
    cr_expect_eq(mpidbg_init_per_image(image, &opened.debugger.image, &types), MPIDBG_SUCCESS);
    mpidbg_finalize_per_image(image, opened.debugger.basic.mqs_get_image_info_fp(image));
}

Test(interface, refuses_null_outputs_and_impossible_sizes)
{
    open_world();
    mqs_process *process = opened.process;
    cr_assert_eq(mqs_get_communicator(process, NULL), MPILENS_ERROR_BAD_ARGUMENT);
    cr_assert_eq(mqs_get_comm_group(process, NULL), MPILENS_ERROR_BAD_ARGUMENT);
    cr_assert_eq(mqs_next_operation(process, NULL), MPILENS_ERROR_BAD_ARGUMENT);
    cr_assert_eq(mqs_get_comm_coll_state(process, 0, NULL, NULL), MPILENS_ERROR_BAD_ARGUMENT);
    cr_assert_eq(mqs_setup_operation_iterator(process, 3), MPILENS_ERROR_BAD_ARGUMENT);
    cr_assert_eq(mqs_setup_operation_iterator(process, -1), MPILENS_ERROR_BAD_ARGUMENT);
    cr_assert_eq(mpilens_get_waiting(process, NULL, 1, &(size_t){0}), MPILENS_ERROR_BAD_ARGUMENT);
    cr_assert_eq(mpilens_get_process(process, NULL), MPILENS_ERROR_BAD_ARGUMENT);
    cr_assert_eq(mpilens_identify_process(process, NULL), MPILENS_ERROR_BAD_ARGUMENT);
    struct mpilens_process_information information = {.struct_size = 0};
    cr_assert_eq(mpilens_get_process(process, &information), MPILENS_ERROR_BAD_ARGUMENT);
    cr_assert_eq(mqs_setup_image(fake_image(&opened.debugger), NULL), MPILENS_ERROR_BAD_ARGUMENT);
    cr_assert_eq(mqs_setup_process(process, NULL), MPILENS_ERROR_BAD_ARGUMENT);
    cr_assert_eq(mqs_destroy_image_info(NULL), mqs_ok);
    cr_assert_eq(mqs_destroy_process_info(NULL), mqs_ok);
}

Test(interface, lets_every_image_pass_and_every_process_without_runtime_fail)
{
    opened.debugger.no_symbol = true;
    mqs_setup_basic_callbacks(&opened.debugger.basic);
    cr_assert_eq(mqs_setup_image(fake_image(&opened.debugger), &opened.debugger.image), mqs_ok);
    char *message = "untouched";
    cr_assert_eq(mqs_image_has_queues(fake_image(&opened.debugger), &message), mqs_ok);
    cr_assert_null(message);
    cr_assert_eq(mqs_setup_process(opened.process, &opened.debugger.process), mqs_ok);
    cr_assert_eq(mqs_process_has_queues(opened.process, &message), MPILENS_ERROR_RUNTIME_NOT_LOADED);
    cr_assert_str_eq(message, mqs_dll_error_string(MPILENS_ERROR_RUNTIME_NOT_LOADED));
    cr_assert_eq(mqs_get_global_rank(opened.process), MQS_INVALID_PROCESS);
    cr_assert_eq(mqs_update_communicator_list(opened.process), MPILENS_ERROR_RUNTIME_NOT_LOADED);
    cr_assert_eq(mqs_setup_communicator_iterator(opened.process), MPILENS_ERROR_RUNTIME_NOT_LOADED);

    opened.debugger.no_symbol = false; /* the runtime has been mapped meanwhile */
    cr_assert_eq(mqs_process_has_queues(opened.process, &message), mqs_ok);
    cr_assert_null(message);
    cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
    cr_assert_eq(mqs_setup_communicator_iterator(opened.process), mqs_ok);
}

Test(interface, passes_a_process_that_has_not_called_mpi_and_says_so_when_asked_for_queues)
{
    opened.job.target->process.state = MPILENS_PROCESS_UNUSED;
    cr_assert_eq(opened_job_open(&opened), MPILENS_ERROR_NOT_INITIALIZED);
    cr_assert_eq(mqs_process_has_queues(opened.process, NULL), mqs_ok);
    cr_assert_eq(mqs_setup_communicator_iterator(opened.process), MPILENS_ERROR_NOT_INITIALIZED);
    struct mpilens_process_information process = {.struct_size = sizeof process};
    cr_assert_eq(mpilens_get_process(opened.process, &process), mqs_ok);
    cr_assert_eq(process.state, MPILENS_PROCESS_UNUSED);
    opened.job.target->process.state = MPILENS_PROCESS_RUNNING;
    fake_target_publish(opened.job.target);
    cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
    cr_assert_eq(mqs_setup_communicator_iterator(opened.process), mqs_ok);
}

Test(interface, has_an_empty_list_where_there_are_no_communicators)
{
    opened.job.target->tables[MPILENS_TABLE_COMMUNICATORS].chunk_count = 0;
    opened.job.target->tables[MPILENS_TABLE_OPERATIONS].chunk_count = 0;
    open_job();
    cr_assert_eq(mqs_setup_communicator_iterator(opened.process), mqs_end_of_list);
    cr_assert_eq(mqs_next_communicator(opened.process), mqs_end_of_list);
    cr_assert_eq(mqs_get_communicator(opened.process, &(mqs_communicator){.size = 0}), MPILENS_ERROR_NO_CURRENT);
    cr_assert_eq(mqs_setup_operation_iterator(opened.process, mqs_pending_sends), MPILENS_ERROR_NO_CURRENT);
}

Test(interface, starts_anew_with_every_copy)
{
    open_job();
    cr_assert_eq(mqs_get_communicator(opened.process, &(mqs_communicator){.size = 0}), MPILENS_ERROR_NO_CURRENT,
                 "the iterator is not set up");
    cr_assert_eq(mqs_setup_communicator_iterator(opened.process), mqs_ok);
    struct mpilens_operation_information operation = {.struct_size = sizeof operation};
    cr_assert_eq(mpilens_get_operation(opened.process, &operation), MPILENS_ERROR_NO_CURRENT);
    mqs_pending_operation pending;
    cr_assert_eq(mqs_setup_operation_iterator(opened.process, mqs_pending_sends), mqs_ok);
    cr_assert_eq(mqs_next_operation(opened.process, &pending), mqs_ok);
    cr_assert_eq(mpilens_get_operation(opened.process, &operation), mqs_ok);
    cr_assert_eq(mqs_next_communicator(opened.process), mqs_ok);
    cr_assert_eq(mqs_next_operation(opened.process, &pending), mqs_end_of_list, "of the former communicator");
    cr_assert_eq(mpilens_get_operation(opened.process, &operation), MPILENS_ERROR_NO_CURRENT);

    struct mpilens_operation added = send_to(3, 1);
    add_operation(&added);
    fake_target_publish(opened.job.target);
    uint64_t serials[4];
    cr_assert(opened_job_go_to(&opened, "MPI_COMM_WORLD"));
    cr_assert_eq(opened_job_queue(&opened, mqs_pending_sends, serials, 4), 1, "the old copy");
    cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
    cr_assert_eq(mqs_next_communicator(opened.process), mqs_end_of_list);
    cr_assert(opened_job_go_to(&opened, "MPI_COMM_WORLD"));
    cr_assert_eq(opened_job_queue(&opened, mqs_pending_sends, serials, 4), 2);
}

Test(interface, fills_output_structs_no_further_than_the_caller_knows_them)
{
    open_job();
    struct mpilens_process_information process;
    memset(&process, 0x77, sizeof process);
    process.struct_size = offsetof(struct mpilens_process_information, thread_level);
    cr_assert_eq(mpilens_get_process(opened.process, &process), mqs_ok);
    cr_assert_eq(process.struct_size, offsetof(struct mpilens_process_information, thread_level));
    cr_assert_eq(process.pid, 4711);
    cr_assert_eq(process.thread_level, 0x77777777);
    struct {
        struct mpilens_clock_information known;
        uint64_t later;
    } clock;
    memset(&clock, 0x77, sizeof clock);
    clock.known.struct_size = sizeof clock;
    cr_assert_eq(mpilens_get_clock(opened.process, &clock.known), mqs_ok);
    cr_assert_eq(clock.known.recent_monotonic, 0);
    cr_assert_eq(clock.later, UINT64_C(0x7777777777777777));
}

Test(interface, tells_about_the_process_and_its_clock)
{
    struct mpilens_process *root = &opened.job.target->process;
    root->thread_level = 3;
    root->clock = MPILENS_CLOCK_CYCLES;
    root->clock_origin_ticks = 1;
    root->clock_origin_monotonic = 2;
    root->clock_origin_realtime = 3;
    root->clock_recent_ticks = 4;
    root->clock_recent_monotonic = 5;
    root->memory_bytes = 123456;
    root->tables[MPILENS_TABLE_OPERATIONS].untracked = 7;
    root->tables[MPILENS_TABLE_GROUPS].untracked = 2;
    root->tables[MPILENS_TABLE_DATATYPES].untracked = 3;
    struct mpilens_thread thread = {.state = MPILENS_THREAD_ENDED, .index = 9, .untracked = 10};
    fake_target_add(opened.job.target, MPILENS_TABLE_THREADS, &thread);
    open_job();
    struct mpilens_process_information process = {.struct_size = sizeof process};
    cr_assert_eq(mpilens_get_process(opened.process, &process), mqs_ok);
    cr_assert(process.state == MPILENS_PROCESS_RUNNING && process.pid == 4711 && process.thread_level == 3);
    cr_assert(process.world_rank == 1 && process.world_size == 4 && process.layout_minor == MPILENS_LAYOUT_MINOR);
    cr_assert(process.untracked_operations == 17 && process.untracked_objects == 5);
    cr_assert(process.memory_bytes == 123456 && process.torn_records == 0);
    cr_assert_str_eq(process.library_version, "MPICH Version: 4.0.2");
    cr_assert_str_eq(process.runtime_version, "0.1.0");
    cr_assert_str_eq(process.job_identity, "pmix 897581057");
    struct mpilens_clock_information clock = {.struct_size = sizeof clock};
    cr_assert_eq(mpilens_get_clock(opened.process, &clock), mqs_ok);
    cr_assert(clock.clock == MPILENS_CLOCK_CYCLES && clock.origin_ticks == 1 && clock.origin_monotonic == 2);
    cr_assert(clock.origin_realtime == 3 && clock.recent_ticks == 4 && clock.recent_monotonic == 5);
}

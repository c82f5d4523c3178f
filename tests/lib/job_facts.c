/* SPDX-License-Identifier: BSD-3-Clause */
#include "job_facts.h"

#include "function_facts.h"

static const struct mpilens_function *facts_of(const char *name)
{
    return function_facts(name != NULL ? name : "");
}

static void add_to_threads(struct thread *threads, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct mpilens_function *function = facts_of(threads[i].function);
        threads[i].purpose = function->purpose;
        threads[i].completion = function->completion;
        threads[i].collective_class = function->collective_class;
        add_to_threads(threads[i].other_polls, threads[i].other_poll_count);
    }
}

static void add_to_calls(struct collective_call *calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct mpilens_function *function = facts_of(calls[i].function);
        calls[i].purpose = function->purpose;
        calls[i].collective_class = function->collective_class;
        calls[i].data_flow = function->data_flow;
        calls[i].agreement = function->agreement;
        calls[i].small_count = function_facts_small_count(function);
    }
}

static void add_to_operations(struct operation_details_pool *pool, const struct operations *operations)
{
    for (size_t i = 0; i < operations->count; i++) {
        struct operation_details details = *operations->items[i].details;
        details.purpose = facts_of(details.function)->purpose;
        operations->items[i].details = operation_details_share(pool, &details);
    }
}

static void add_to_communicator(struct operation_details_pool *pool, struct communicator *communicator)
{
    add_to_operations(pool, &communicator->sends);
    add_to_operations(pool, &communicator->receives);
    add_to_operations(pool, &communicator->unexpected);
    add_to_operations(pool, &communicator->completed);
    add_to_calls(communicator->recent_collectives, communicator->collective_call_count);
}

void process_add_facts(struct operation_details_pool *pool, struct process *process)
{
    add_to_threads(process->threads, process->thread_count);
    for (size_t i = 0; i < process->communicator_count; i++)
        add_to_communicator(pool, &process->communicators[i]);
    add_to_operations(pool, &(struct operations){process->requests, process->request_count});
    for (size_t i = 0; i < process->object_count; i++)
        add_to_calls(process->objects[i].recent_collectives, process->objects[i].collective_call_count);
}

void job_add_facts(struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        process_add_facts(&job->details, &job->processes[i]);
}

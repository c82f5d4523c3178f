/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks up the places of what a job holds.
 */
#include "model/model.h"

#include "debug/debug.h"
#include "target/target.h"

/* Whether the line of Python tells the user more: the call is made by what passes it on to C, or no line is known. */
static bool prefers_python(const struct site *site)
{
    return site == NULL || site->line == 0 || is_binding_module(site->module);
}

/* Whether the place of the call is in no code that makes it, but in what has called that: in Python, or in the program.
 */
static bool stands_in_caller(const struct thread *thread, uint64_t site_address)
{
    const struct site *site = thread->site;
    return site != NULL && (site == thread->python_site || site->called != NULL) &&
           thread->site_address == site_address;
}

/* Calls from one place within a tick have entered at the same moment; completed operations belong to an earlier call,
 * unless it is the last. */
static bool is_of_current_call(const struct thread *thread, const struct operation *operation)
{
    return operation->posted > thread->entered ||
           (operation->posted == thread->entered &&
            (operation->state != MPILENS_OPERATION_RETIRED || operation->serial == thread->operation_serial));
}

/* The thread whose current call has started the operation, where it stands in what has called that; NULL: none. */
static const struct thread *find_caller(const struct process *process, const struct operation *operation)
{
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        if (stands_in_caller(thread, operation->details->site_address) && is_of_current_call(thread, operation))
            return thread;
    }
    return NULL;
}

static void set_site(struct job *job, struct operation *operation, const struct site *site)
{
    struct operation_details details = *operation->details;
    details.site = site;
    operation->details = operation_details_share(&job->details, &details);
}

static void resolve_operations(struct job *job, const struct process *process, struct operations *operations)
{
    const struct operation *previous = NULL; /* often of the same call */
    for (size_t i = 0; i < operations->count; i++) {
        struct operation *operation = &operations->items[i];
        const struct thread *caller = find_caller(process, operation);
        if (caller != NULL) {
            set_site(job, operation, caller->site);
            continue;
        }
        const uint64_t address = operation->details->site_address;
        const bool same = previous != NULL && previous->details->site_address == address;
        set_site(job, operation, same ? previous->details->site : site_find(&job->sites, process->target, address));
        previous = operation;
    }
}

/* Whether its places are to be looked up. */
static bool has_places(const struct process *process)
{
    return process->target != NULL && !process->is_saved;
}

static void resolve_unexpected(struct job *job, const struct process *receiver, struct operations *operations)
{
    for (size_t i = 0; i < operations->count; i++) {
        struct operation *message = &operations->items[i];
        const uint64_t address = message->details->site_address;
        const struct process *sender = address != 0 ? find_process(job, message->peer_world) : NULL;
        const struct process *caller = sender != NULL ? sender : receiver;
        if (address == 0 || !has_places(caller))
            continue;
        const struct thread *thread = sender != NULL ? find_caller(sender, message) : NULL;
        set_site(job, message, thread != NULL ? thread->site : site_find(&job->sites, caller->target, address));
    }
}

/* Resolves the calls on a communicator, window or file. */
static void resolve_collectives(struct job *job, const struct process *process, struct collective_call *calls,
                                size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct thread *caller = NULL;
        for (size_t j = 0; j < process->thread_count && calls[i].active && caller == NULL; j++)
            if (stands_in_caller(&process->threads[j], calls[i].site_address))
                caller = &process->threads[j];
        calls[i].site = caller != NULL ? caller->site : site_find(&job->sites, process->target, calls[i].site_address);
    }
}

static void resolve_communicator(struct job *job, const struct process *process, struct communicator *communicator)
{
    struct target *target = process->target;
    communicator->site = site_find(&job->sites, target, communicator->site_address);
    resolve_operations(job, process, &communicator->sends);
    resolve_operations(job, process, &communicator->receives);
    for (size_t i = 0; i < communicator->message_count; i++)
        communicator->matched_messages[i].site =
            site_find(&job->sites, target, communicator->matched_messages[i].site_address);
    for (size_t i = 0; i < communicator->mark_count; i++)
        communicator->marks[i].site = site_find(&job->sites, target, communicator->marks[i].site_address);
    resolve_collectives(job, process, communicator->recent_collectives, communicator->collective_call_count);
}

static void resolve_freed_objects(struct job *job, struct process *process)
{
    for (size_t i = 0; i < process->freed_object_count; i++) {
        struct freed_object *object = &process->freed_objects[i];
        object->site = site_find(&job->sites, process->target, object->site_address);
        object->last_site = site_find(&job->sites, process->target, object->last_site_address);
    }
}

void window_resolve_sites(struct window *window, struct site_cache *cache, struct target *target)
{
    window->synchronization_site = site_find(cache, target, window->synchronization_site_address);
    for (size_t i = 0; i < window->lock_count; i++)
        window->locks[i].site = site_find(cache, target, window->locks[i].site_address);
}

static void resolve_objects(struct job *job, struct process *process)
{
    for (size_t i = 0; i < process->request_count; i++)
        set_site(job, &process->requests[i],
                 site_find(&job->sites, process->target, process->requests[i].details->site_address));
    for (size_t i = 0; i < process->object_count; i++) {
        struct object *object = &process->objects[i];
        object->site = site_find(&job->sites, process->target, object->site_address);
        resolve_collectives(job, process, object->recent_collectives, object->collective_call_count);
        if (object->window != NULL)
            window_resolve_sites(object->window, &job->sites, process->target);
        if (object->file != NULL)
            object->file->split_collective_site =
                site_find(&job->sites, process->target, object->file->split_collective_site_address);
    }
}

static void resolve_failed_calls(struct job *job, struct process *process)
{
    for (size_t i = 0; i < process->failed_call_count; i++) {
        struct failed_call *call = &process->failed_calls[i];
        call->site = site_find(&job->sites, process->target, call->site_address);
        call->started_at = site_find(&job->sites, process->target, call->started_at_address);
    }
}

/* When it has shut down, it calls what was asked for that, such as MPI_Finalize: that is no place in the program. */
static bool is_called_by_interpreter(const struct site *site)
{
    return site != NULL && site->line == 0 && is_interpreter_module(site->module);
}

static void resolve_thread(struct job *job, struct target *target, struct thread *thread)
{
    const struct site *python = thread->python_site;
    const struct site *site = NULL;
    if (python != NULL)
        site_find_inlined(&job->sites, target, thread->site_address, &site); /* no hint: there is a line */
    thread->site =
        python != NULL && prefers_python(site) ? python : site_find(&job->sites, target, thread->site_address);
    if (is_called_by_interpreter(thread->site))
        thread->site = NULL;
    for (size_t i = 0; i < thread->other_poll_count; i++)
        resolve_thread(job, target, &thread->other_polls[i]);
}

void job_resolve_sites(struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++) {
        struct process *process = &job->processes[i];
        for (size_t j = 0; has_places(process) && j < process->thread_count; j++)
            resolve_thread(job, process->target, &process->threads[j]);
    }
    for (size_t i = 0; i < job->process_count; i++) {
        struct process *process = &job->processes[i];
        for (size_t j = 0; j < process->communicator_count; j++)
            resolve_unexpected(job, process, &process->communicators[j].unexpected);
        if (!has_places(process))
            continue;
        for (size_t j = 0; j < process->communicator_count; j++)
            resolve_communicator(job, process, &process->communicators[j]);
        resolve_objects(job, process);
        resolve_failed_calls(job, process);
        resolve_freed_objects(job, process);
    }
}

/* Moves the operations that the libraries' calls have started, and these calls. */
static void move_to_callers(struct job *job, struct process *process)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        struct communicator *communicator = &process->communicators[i];
        struct operations *queues[] = {&communicator->sends, &communicator->receives};
        for (size_t queue = 0; queue < sizeof queues / sizeof *queues; queue++)
            for (size_t j = 0; j < queues[queue]->count; j++) {
                const struct thread *caller = find_caller(process, &queues[queue]->items[j]);
                if (caller != NULL)
                    set_site(job, &queues[queue]->items[j], caller->site);
            }
        resolve_collectives(job, process, communicator->recent_collectives, communicator->collective_call_count);
    }
    for (size_t i = 0; i < process->object_count; i++)
        resolve_collectives(job, process, process->objects[i].recent_collectives,
                            process->objects[i].collective_call_count);
}

void job_resolve_library_sites(struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++) {
        struct process *process = &job->processes[i];
        bool is_any = false;
        for (size_t j = 0; has_places(process) && j < process->thread_count; j++) {
            const struct site *site = find_library_site(&job->sites, process, &process->threads[j]);
            is_any = is_any || site != NULL;
            if (site != NULL)
                process->threads[j].site = site;
        }
        if (is_any)
            move_to_callers(job, process);
    }
}

void job_resolve_completed_sites(struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++) {
        struct process *process = &job->processes[i];
        for (size_t j = 0; has_places(process) && j < process->communicator_count; j++)
            resolve_operations(job, process, &process->communicators[j].completed);
    }
}

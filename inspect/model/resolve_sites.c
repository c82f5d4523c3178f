/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks up the places of what a job holds.
 */
#include "model/resolve_sites.h"

#include "target/target.h"

static void resolve_operations(struct job *job, struct target *target, struct operations *operations)
{
    const struct operation *previous = NULL; /* often of the same call */
    for (size_t i = 0; i < operations->count; i++) {
        struct operation *operation = &operations->items[i];
        const bool same = previous != NULL && previous->site_address == operation->site_address;
        operation->site = same ? previous->site : site_find(&job->sites, target, operation->site_address);
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
        const struct process *sender = message->inferred ? find_process(job, message->peer_world) : NULL;
        const struct process *caller = sender != NULL ? sender : receiver;
        if (has_places(caller))
            message->site = site_find(&job->sites, caller->target, message->site_address);
    }
}

static void resolve_communicator(struct job *job, struct target *target, struct communicator *communicator)
{
    communicator->site = site_find(&job->sites, target, communicator->site_address);
    resolve_operations(job, target, &communicator->sends);
    resolve_operations(job, target, &communicator->receives);
    for (size_t i = 0; i < communicator->message_count; i++)
        communicator->messages[i].site = site_find(&job->sites, target, communicator->messages[i].site_address);
    for (size_t i = 0; i < communicator->collective_call_count; i++)
        communicator->collectives[i].site = site_find(&job->sites, target, communicator->collectives[i].site_address);
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
        process->requests[i].site = site_find(&job->sites, process->target, process->requests[i].site_address);
    for (size_t i = 0; i < process->object_count; i++) {
        struct object *object = &process->objects[i];
        object->site = site_find(&job->sites, process->target, object->site_address);
        for (size_t j = 0; j < object->collective_call_count; j++)
            object->collectives[j].site = site_find(&job->sites, process->target, object->collectives[j].site_address);
        if (object->window != NULL)
            window_resolve_sites(object->window, &job->sites, process->target);
    }
}

static void resolve_thread(struct job *job, struct target *target, struct thread *thread)
{
    thread->site = site_find(&job->sites, target, thread->site_address);
    for (size_t i = 0; i < thread->other_poll_count; i++)
        resolve_thread(job, target, &thread->other_polls[i]);
}

void job_resolve_sites(struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++) {
        struct process *process = &job->processes[i];
        for (size_t j = 0; j < process->communicator_count; j++)
            resolve_unexpected(job, process, &process->communicators[j].unexpected);
        if (!has_places(process))
            continue;
        for (size_t j = 0; j < process->thread_count; j++)
            resolve_thread(job, process->target, &process->threads[j]);
        for (size_t j = 0; j < process->communicator_count; j++)
            resolve_communicator(job, process->target, &process->communicators[j]);
        resolve_objects(job, process);
    }
}

void job_resolve_completed_sites(struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++) {
        struct process *process = &job->processes[i];
        for (size_t j = 0; has_places(process) && j < process->communicator_count; j++)
            resolve_operations(job, process->target, &process->communicators[j].completed);
    }
}

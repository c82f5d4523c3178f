/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes processes that stand still.
 */
#include "analysis/stalls/stalls_internal.h"

#include "base/base.h"
#include "kernel/kernel.h"

#include <stdio.h>
#include <string.h>

/* Shares of the watched time in which a thread ran or waited for a processor: spinning threads, and threads that look
 * around now and then. */
static const double spinning_share = 0.3, running_share = 0.01;

const char *describe_hindrance(const struct process *process)
{
    const char *standstill = describe_standstill(process);
    if (standstill != NULL)
        return arena_copy(standstill);
    if (process->kernel == NULL || process->kernel->state != 'D')
        return NULL;
    return process->kernel->kernel_function[0] != '\0'
               ? arena_text("sleeps in the kernel, in %s, and cannot be interrupted", process->kernel->kernel_function)
               : "sleeps in the kernel and cannot be interrupted";
}

static bool is_whole(const struct troubled_socket *socket)
{
    return socket->kind != SOCKET_TCP || strcmp(socket->state, "ESTABLISHED") == 0;
}

/* " over docker0, a bridge of containers"; "": nothing is known of the interface. */
static const char *describe_way(const struct troubled_socket *socket)
{
    if (socket->interface == NULL || socket->interface[0] == '\0')
        return "";
    return arena_text(" over %s%s", socket->interface,
                      interface_is_bridge(socket->interface)
                          ? ", a bridge of containers or virtual machines, which other hosts do not reach"
                          : "");
}

const char *describe_broken_socket(const struct process *process)
{
    for (size_t i = 0; process->kernel != NULL && i < process->kernel->troubled_socket_count; i++) {
        const struct troubled_socket *socket = &process->kernel->troubled_sockets[i];
        if (is_whole(socket))
            continue;
        return arena_text("has a socket in %s with %s%s", socket->state,
                          socket->peer[0] != '\0' ? socket->peer : "nobody", describe_way(socket));
    }
    return NULL;
}

const char *describe_full_socket(const struct process *process)
{
    for (size_t i = 0; process->kernel != NULL && i < process->kernel->troubled_socket_count; i++) {
        const struct troubled_socket *socket = &process->kernel->troubled_sockets[i];
        if (socket->kind == SOCKET_TCP && is_whole(socket) && socket->unsent_bytes > 0)
            return arena_text("has %llu bytes for %s that are not acknowledged",
                              (unsigned long long)socket->unsent_bytes, socket->peer);
    }
    return NULL;
}

static const char *describe_sleep(const struct kernel_facts *facts)
{
    if (facts->system_call[0] == '\0')
        return "sleeps";
    return arena_text("sleeps in %s", facts->system_call);
}

const char *describe_running(const struct process *process)
{
    const struct kernel_facts *facts = process->kernel;
    if (facts == NULL)
        return NULL;
    const double active_s = facts->ran_meanwhile_s + facts->waited_meanwhile_s;
    const double share = facts->watched_s > 0 && facts->run_s >= 0 ? active_s / facts->watched_s : -1;
    if (share > spinning_share || (share < 0 && facts->state == 'R'))
        return "spins";
    if (share > running_share || facts->state == 'R')
        return "runs now and then";
    return describe_sleep(facts);
}

const char *describe_others(const char *running)
{
    static char text[64];
    const size_t verb = strcspn(running, " ");
    snprintf(text, sizeof text, "%.*s%s", (int)(verb > 0 ? verb - 1 : 0), running, running + verb);
    return text;
}

static void write_queues(FILE *stream, const struct troubled_socket *socket)
{
    if (socket->unsent_bytes > 0)
        fprintf(stream, ", %llu bytes not %s", (unsigned long long)socket->unsent_bytes,
                socket->kind == SOCKET_TCP ? "acknowledged" : "read by the other end");
    if (socket->unread_bytes > 0)
        fprintf(stream, ", %llu bytes not read", (unsigned long long)socket->unread_bytes);
    if (socket->retransmissions > 0)
        fprintf(stream, ", sent again %u time%s", socket->retransmissions, socket->retransmissions > 1 ? "s" : "");
}

/* "tcp 10.0.0.1:41234 -> 10.0.0.3:80 ESTABLISHED, 4096 bytes not acknowledged, sent again 7 times". */
static const char *describe_socket(const struct troubled_socket *socket)
{
    FILE *stream = arena_open();
    fprintf(stream, "%s", socket_kind_name(socket->kind));
    if (socket->local[0] != '\0')
        fprintf(stream, " %s", socket->local);
    if (socket->peer[0] != '\0')
        fprintf(stream, " -> %s", socket->peer);
    if (socket->state[0] != '\0')
        fprintf(stream, " %s", socket->state);
    fputs(describe_way(socket), stream);
    write_queues(stream, socket);
    return arena_close(stream);
}

static void add(const struct process *process, const char *text, struct finding *finding)
{
    evidence_add_text(&finding->evidence, process->rank, text);
}

/* For one rank or several: "sleeping in poll" of "sleeps in poll", "stopped by a signal" of "is stopped by a signal".
 * Takes the text. */
static const char *as_state(const char *said)
{
    static const struct {
        const char *verb, *state;
    } verbs[] = {{"is ", ""}, {"sleeps", "sleeping"}, {"spins", "spinning"}, {"runs", "running"}};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        const size_t length = strlen(verbs[i].verb);
        if (strncmp(said, verbs[i].verb, length) != 0)
            continue;
        return arena_text("%s%s", verbs[i].state, said + length);
    }
    return said;
}

static void add_memory(const struct process *process, struct finding *finding)
{
    static const uint64_t mib = UINT64_C(1) << 20;
    const struct kernel_facts *facts = process->kernel;
    if (facts->swapped_bytes >= mib)
        add(process, arena_text("%llu MiB of its memory are in swap", (unsigned long long)(facts->swapped_bytes / mib)),
            finding);
    if (facts->killed > 0)
        add(process,
            arena_text("%llu process%s of its control group %s killed for lack of memory",
                       (unsigned long long)facts->killed, facts->killed > 1 ? "es" : "",
                       facts->killed > 1 ? "were" : "was"),
            finding);
    if (facts->throttled_meanwhile > 0)
        add(process, "its control group has used up its processor time and is throttled", finding);
}

void add_manager_evidence(const struct process *process, struct finding *finding)
{
    const struct kernel_facts *facts = process->kernel;
    if (facts != NULL && facts->manager != NULL && facts->manager[0] != '\0')
        add(process, arena_copy(facts->manager), finding);
}

void add_kernel_evidence(const struct process *process, struct finding *finding)
{
    const struct kernel_facts *facts = process->kernel;
    const char *hindrance = describe_hindrance(process);
    add(process, as_state(hindrance != NULL ? hindrance : describe_running(process)), finding);
    for (size_t i = 0; i < facts->troubled_socket_count; i++)
        add(process, describe_socket(&facts->troubled_sockets[i]), finding);
    if (facts->troubled_sockets_left_out > 0)
        add(process, arena_text("and %llu more such sockets", (unsigned long long)facts->troubled_sockets_left_out),
            finding);
    add_memory(process, finding);
    if (facts->devices[0] != '\0')
        add(process, arena_text("has %s open", facts->devices), finding);
}

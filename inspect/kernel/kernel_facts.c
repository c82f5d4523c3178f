/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks at processes that stand still.
 */
#include "kernel/kernel.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TROUBLED = 8, MOST_DEVICES = 8, MOST_DEVICE_NAME = 48 };

/* Devices by which MPI libraries talk with other processes, and accelerators whose memory they may have to wait for. */
static bool is_told(const char *path)
{
    static const char *const beginnings[] = {"/dev/infiniband/", "/dev/hfi1", "/dev/cxi",    "/dev/kgni",
                                             "/dev/xpmem",       "/dev/knem", "/dev/nvidia", "/dev/gdrdrv",
                                             "/dev/kfd",         "/dev/dri/", "/dev/ipath",  "/dev/vfio/"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(path, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

struct devices {
    char names[MOST_DEVICES][MOST_DEVICE_NAME];
    size_t count;
};

static void take_device(void *context, const struct open_descriptor *descriptor)
{
    struct devices *devices = context;
    if (!is_told(descriptor->path))
        return;
    const char *name = descriptor->path + strlen("/dev/");
    for (size_t i = 0; i < devices->count; i++)
        if (strncmp(devices->names[i], name, MOST_DEVICE_NAME - 1) == 0)
            return;
    if (devices->count < MOST_DEVICES)
        snprintf(devices->names[devices->count++], MOST_DEVICE_NAME, "%s", name);
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(left, right);
}

static const char *read_devices(pid_t pid, struct text_pool *names)
{
    struct devices devices = {.count = 0};
    char text[MOST_DEVICES * (MOST_DEVICE_NAME + 2)] = "";
    open_descriptors_visit("/proc", pid, take_device, &devices);
    qsort(devices.names, devices.count, sizeof *devices.names, compare_names);
    for (size_t i = 0, used = 0; i < devices.count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? ", " : "", devices.names[i]);
    return text_pool_add(names, text);
}

static uint64_t read_swapped_bytes(pid_t pid)
{
    size_t bytes;
    unsigned long long kib = 0;
    char *status = read_process_file("/proc", pid, "status", &bytes);
    const char *line = status != NULL ? strstr(status, "\nVmSwap:") : NULL;
    if (line != NULL && sscanf(line, "\nVmSwap: %llu", &kib) != 1)
        kib = 0;
    free(status);
    return kib * 1024;
}

/* Bytes that calls have requested, and bytes from and to devices, which grow during a call. */
static uint64_t read_file_bytes(pid_t pid)
{
    static const char *const names[] = {"rchar: ", "wchar: ", "\nread_bytes: ", "\nwrite_bytes: "};
    size_t bytes;
    uint64_t sum = 0;
    char *counts = read_process_file("/proc", pid, "io", &bytes);
    for (size_t i = 0; counts != NULL && i < sizeof names / sizeof *names; i++) {
        const char *line = strstr(counts, names[i]);
        sum += line != NULL ? strtoull(line + strlen(names[i]), NULL, 10) : 0;
    }
    free(counts);
    return sum;
}

static struct troubled_socket tell(pid_t pid, const struct open_socket *socket, struct text_pool *names)
{
    char interface[32] = "";
    if (socket->kind == SOCKET_TCP)
        route_find_interface("/proc", pid, socket->peer, interface, sizeof interface);
    return (struct troubled_socket){.kind = socket->kind,
                                    .state = text_pool_add(names, socket_state_name(socket)),
                                    .local = text_pool_add(names, socket->local),
                                    .peer = text_pool_add(names, socket->peer),
                                    .interface = text_pool_add(names, interface),
                                    .unsent_bytes = socket->unsent_bytes,
                                    .unread_bytes = socket->unread_bytes,
                                    .retransmissions = socket->retransmissions,
                                    .silent_s = socket->silent_s};
}

static void add_connection(const struct open_socket *socket, struct kernel_facts *facts)
{
    facts->connections++;
    facts->counts_bytes = facts->counts_bytes && socket->counts_bytes;
    facts->sent_bytes += socket->sent_bytes;
    facts->received_bytes += socket->received_bytes;
    if (socket->silent_s >= 0 && (facts->silent_s < 0 || socket->silent_s < facts->silent_s))
        facts->silent_s = socket->silent_s;
}

/* There may be any number of open sockets: the most troubled one is reported. */
static int compare_troubled(const void *left_socket, const void *right_socket)
{
    const struct open_socket *left = left_socket;
    const struct open_socket *right = right_socket;
    if (left->kind != right->kind)
        return left->kind < right->kind ? -1 : 1;
    if (left->retransmissions != right->retransmissions)
        return left->retransmissions > right->retransmissions ? -1 : 1;
    if (left->unsent_bytes != right->unsent_bytes)
        return left->unsent_bytes > right->unsent_bytes ? -1 : 1;
    return left->inode < right->inode ? -1 : left->inode > right->inode;
}

static void take_sockets(pid_t pid, struct open_sockets *sockets, struct text_pool *names, struct kernel_facts *facts)
{
    if (sockets->count > 1)
        qsort(sockets->items, sockets->count, sizeof *sockets->items, compare_troubled);
    for (size_t i = 0; i < sockets->count; i++) {
        const struct open_socket *socket = &sockets->items[i];
        if (socket->kind == SOCKET_TCP && socket->peer[0] != '\0')
            add_connection(socket, facts);
        if (!socket_is_troubled(socket))
            continue;
        if (facts->troubled_socket_count == MOST_TROUBLED) {
            facts->troubled_sockets_left_out++;
            continue;
        }
        facts->troubled_sockets =
            array_append(facts->troubled_sockets, &facts->troubled_socket_count, sizeof *facts->troubled_sockets);
        facts->troubled_sockets[facts->troubled_socket_count - 1] = tell(pid, socket, names);
    }
}

int kernel_facts_read(pid_t pid, pid_t thread, struct text_pool *names, struct kernel_facts *ret_facts)
{
    struct thread_state state;
    if (!thread_state_read("/proc", pid, thread, &state))
        return -1;
    const struct control_group_state group = control_group_read("/proc", "/sys/fs/cgroup", pid);
    struct kernel_facts facts = {
        .tid = (uint32_t)thread,
        .state = state.state,
        .system_call = text_pool_add(names, state.system_call),
        .kernel_function = text_pool_add(names, state.kernel_function),
        .run_s = state.times.run_s,
        .waited_s = state.times.waited_s,
        .swapped_bytes = read_swapped_bytes(pid),
        .file_bytes = read_file_bytes(pid),
        .frozen = group.is_frozen,
        .throttled_periods = group.throttled_periods,
        .killed = group.killed,
        .devices = read_devices(pid, names),
        .shared_digest = shared_memory_digest(pid),
        .counts_bytes = true,
        .silent_s = -1,
        .at_s = monotonic_s(),
    };
    const struct arena_mark mark = arena_mark();
    struct open_sockets sockets;
    char manager[MOST_MANAGER_TEXT] = "";
    if (open_sockets_read(pid, &sockets) == 0) {
        process_manager_describe("/proc", pid, &sockets, &state, manager);
        take_sockets(pid, &sockets, names, &facts);
    } else {
        facts.counts_bytes = false;
    }
    arena_release(mark);
    facts.manager = text_pool_add(names, manager);
    *ret_facts = facts;
    return 0;
}

static uint64_t growth(uint64_t before, uint64_t later)
{
    return later > before ? later - before : 0;
}

void kernel_facts_compare(const struct kernel_facts *before, struct kernel_facts *later)
{
    /* Others look at processes in this way for a moment, and the kernel makes any of them wait for one. */
    if ((later->state == 't' || later->state == 'D') && before->state != later->state)
        later->state = 'S';
    later->watched_s = before->at_s >= 0 && later->at_s > before->at_s ? later->at_s - before->at_s : 0;
    if (before->tid == later->tid && before->run_s >= 0 && later->run_s > before->run_s)
        later->ran_meanwhile_s = later->run_s - before->run_s;
    if (before->tid == later->tid && before->waited_s >= 0 && later->waited_s > before->waited_s)
        later->waited_meanwhile_s = later->waited_s - before->waited_s;
    later->shares_memory = before->shared_digest != 0 && later->shared_digest != 0;
    later->shared_memory_changed = later->shares_memory && before->shared_digest != later->shared_digest;
    later->throttled_meanwhile = growth(before->throttled_periods, later->throttled_periods);
    later->file_meanwhile = growth(before->file_bytes, later->file_bytes);
    later->counts_bytes = later->counts_bytes && before->counts_bytes;
    later->sent_meanwhile = growth(before->sent_bytes, later->sent_bytes);
    later->received_meanwhile = growth(before->received_bytes, later->received_bytes);
}

void kernel_facts_look_again(pid_t pid, struct kernel_facts *facts)
{
    const uint64_t digest = shared_memory_digest(pid);
    facts->shared_memory_changed = facts->shared_memory_changed || (digest != 0 && digest != facts->shared_digest);
}

void kernel_facts_clear(struct kernel_facts *facts)
{
    free(facts->troubled_sockets);
    *facts = (struct kernel_facts){.silent_s = -1};
}

const char *socket_kind_name(uint32_t kind)
{
    return kind == SOCKET_TCP ? "tcp" : "unix";
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes that sleep and are stopped, connections whose other end does not read, control groups.
 */
#include "child.h"
#include "kernel/kernel.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SOON_MS = 20000 };

/* A connection of this process with itself. */
struct connection {
    int listener, one, other;
    char address[32]; /* of the end that was accepted */
};

static struct connection connect_with_self(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof address;
    struct connection connection = {.listener = socket(AF_INET, SOCK_STREAM, 0),
                                    .one = socket(AF_INET, SOCK_STREAM, 0)};
    cr_assert_eq(bind(connection.listener, (struct sockaddr *)&address, sizeof address), 0);
    cr_assert_eq(listen(connection.listener, 1), 0);
    cr_assert_eq(getsockname(connection.listener, (struct sockaddr *)&address, &bytes), 0);
    cr_assert_eq(connect(connection.one, (struct sockaddr *)&address, sizeof address), 0);
    connection.other = accept(connection.listener, NULL, NULL);
    cr_assert_geq(connection.other, 0);
    snprintf(connection.address, sizeof connection.address, "127.0.0.1:%u", (unsigned)ntohs(address.sin_port));
    return connection;
}

static void disconnect(const struct connection *connection)
{
    close(connection->one);
    close(connection->other);
    close(connection->listener);
}

static void await_input(int descriptor)
{
    struct pollfd input = {.fd = descriptor, .events = POLLIN};
    cr_assert_eq(poll(&input, 1, SOON_MS), 1, "what was sent has come");
}

/* The socket of the end that was accepted. */
static const struct open_socket *find_accepted(const struct open_sockets *sockets, const char *address)
{
    for (size_t i = 0; i < sockets->count; i++)
        if (strcmp(sockets->items[i].local, address) == 0 && sockets->items[i].peer[0] != '\0')
            return &sockets->items[i];
    return NULL;
}

Test(kernel_facts, unread_bytes_and_counts)
{
    struct text_pool names = {0};
    struct kernel_facts before, later;
    struct open_sockets sockets;
    const struct connection connection = connect_with_self();
    cr_assert_eq(kernel_facts_read(getpid(), getpid(), &names, &before), 0);
    cr_expect_eq(before.connections, 2);
    cr_expect_eq(before.troubled_socket_count, 0);
    cr_expect(before.counts_bytes, "Linux 5.6 lets us copy descriptors");
    cr_assert_eq(write(connection.one, "four", 4), 4);
    await_input(connection.other);
    cr_assert_eq(open_sockets_read(getpid(), &sockets), 0);
    const struct open_socket *accepted = find_accepted(&sockets, connection.address);
    cr_assert_not_null(accepted);
    cr_expect_str_eq(socket_state_name(accepted), "ESTABLISHED");
    cr_expect_eq(accepted->unread_bytes, 4);
    cr_expect_eq(accepted->received_bytes, 4);
    cr_expect(accepted->silent_s >= 0 && accepted->silent_s < SOON_MS / 1e3);
    cr_assert_eq(kernel_facts_read(getpid(), getpid(), &names, &later), 0);
    kernel_facts_compare(&before, &later);
    cr_expect_eq(later.received_meanwhile, 4);
    cr_expect_gt(later.watched_s, 0);
    cr_assert_eq(later.troubled_socket_count, 1);
    cr_expect_str_eq(later.troubled_sockets[0].local, connection.address);
    cr_expect_eq(later.troubled_sockets[0].unread_bytes, 4);
    kernel_facts_clear(&before);
    kernel_facts_clear(&later);
    arena_clear(&names.arena);
    disconnect(&connection);
}

struct wanted_entry {
    const char *local;
    struct open_socket found;
    bool is_found;
};

static void take_entry(void *context, const struct open_socket *socket)
{
    struct wanted_entry *wanted = context;
    if (strcmp(socket->local, wanted->local) == 0 && strcmp(socket_state_name(socket), "ESTABLISHED") == 0) {
        wanted->found = *socket;
        wanted->is_found = true;
    }
}

Test(kernel_facts, tables_of_tcp_say_the_same)
{
    struct open_sockets sockets;
    const struct connection connection = connect_with_self();
    cr_assert_eq(write(connection.one, "four", 4), 4);
    await_input(connection.other);
    cr_assert_eq(open_sockets_read(getpid(), &sockets), 0);
    const struct open_socket *copied = find_accepted(&sockets, connection.address);
    struct wanted_entry wanted = {.local = connection.address};
    tcp_table_visit("/proc", getpid(), take_entry, &wanted);
    cr_assert_not_null(copied);
    cr_assert(wanted.is_found);
    cr_expect_str_eq(wanted.found.peer, copied->peer);
    cr_expect_eq(wanted.found.inode, copied->inode);
    cr_expect_eq(wanted.found.unread_bytes, 4);
    cr_expect_not(wanted.found.counts_bytes);
    disconnect(&connection);
}

Test(kernel_facts, closed_by_the_other_end)
{
    struct text_pool names = {0};
    struct kernel_facts facts;
    const struct connection connection = connect_with_self();
    close(connection.one);
    await_input(connection.other);
    cr_assert_eq(kernel_facts_read(getpid(), getpid(), &names, &facts), 0);
    cr_assert_eq(facts.troubled_socket_count, 1);
    cr_expect_str_eq(facts.troubled_sockets[0].state, "CLOSE_WAIT");
    kernel_facts_clear(&facts);
    arena_clear(&names.arena);
    close(connection.other);
    close(connection.listener);
}

Test(kernel_facts, sleeping_and_stopped)
{
    struct text_pool names = {0};
    struct kernel_facts facts;
    struct child child = child_start(TARGET_PROGRAM);
    child_wait_for_state(&child, 'S', SOON_MS);
    cr_assert_eq(kernel_facts_read(child.pid, child.pid, &names, &facts), 0);
    cr_expect_eq(facts.state, 'S');
    cr_expect_str_eq(facts.system_call, "read");
    cr_expect_geq(facts.run_s, 0);
    kernel_facts_clear(&facts);
    kill(child.pid, SIGSTOP);
    child_wait_for_state(&child, 'T', SOON_MS);
    cr_assert_eq(kernel_facts_read(child.pid, child.pid, &names, &facts), 0);
    cr_expect_eq(facts.state, 'T');
    cr_expect_not(facts.frozen);
    kernel_facts_clear(&facts);
    kill(child.pid, SIGCONT);
    child_end(&child);
    cr_expect_eq(kernel_facts_read(child.pid, child.pid, &names, &facts), -1, "it is gone");
    arena_clear(&names.arena);
}

Test(kernel_facts, memory_that_is_shared)
{
    const size_t bytes = (size_t)4 << 20;
    const int file = memfd_create("segment", 0);
    cr_assert_eq(shared_memory_digest(getpid()), 0, "there is none");
    cr_assert_eq(ftruncate(file, (off_t)bytes), 0);
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    cr_assert_neq(memory, MAP_FAILED);
    cr_expect_eq(shared_memory_digest(getpid()), 0, "what nobody has touched stays so");
    memset(memory, 1, bytes);
    const uint64_t digest = shared_memory_digest(getpid());
    cr_expect_neq(digest, 0);
    cr_expect_eq(shared_memory_digest(getpid()), digest);
    memset(memory + bytes / 2, 2, bytes / 4);
    cr_expect_neq(shared_memory_digest(getpid()), digest);
    munmap(memory, bytes);
    close(file);
}

Test(kernel_facts, states_that_pass_by)
{
    struct kernel_facts before = {.state = 'R'}, later = {.state = 'D'};
    kernel_facts_compare(&before, &later);
    cr_expect_eq(later.state, 'S');
    before.state = later.state = 'D';
    kernel_facts_compare(&before, &later);
    cr_expect_eq(later.state, 'D');
    before.state = 'R';
    later.state = 'T';
    kernel_facts_compare(&before, &later);
    cr_expect_eq(later.state, 'T', "until a signal comes");
}

Test(kernel_facts, names_of_system_calls)
{
    cr_expect_str_eq(system_call_name(SYS_futex), "futex");
    cr_expect_null(system_call_name(-1));
    cr_expect_null(system_call_name(100000));
}

/* A directory of its own. */
struct files {
    char root[64];
};

static struct files files_make(void)
{
    struct files files = {"/tmp/mpilens-groups.XXXXXX"};
    cr_assert_not_null(mkdtemp(files.root));
    return files;
}

static void write_file(const struct files *files, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", files->root, name);
    for (char *end = strchr(path + 1, '/'); end != NULL; end = strchr(end + 1, '/')) {
        *end = '\0';
        mkdir(path, 0700);
        *end = '/';
    }
    FILE *file = fopen(path, "we");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

static void files_remove(const struct files *files)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", files->root);
    cr_expect_eq(system(command), 0);
}

Test(kernel_facts, control_groups_of_the_second_version)
{
    const struct files files = files_make();
    write_file(&files, "4711/cgroup", "0::/job/step\n");
    write_file(&files, "job/step/cgroup.events", "populated 1\nfrozen 1\n");
    write_file(&files, "job/step/cpu.stat", "usage_usec 5\nnr_throttled 3\n");
    write_file(&files, "job/cpu.stat", "usage_usec 5\nnr_throttled 17\n");
    write_file(&files, "job/step/memory.events", "oom 2\noom_kill 2\n");
    const struct control_group_state state = control_group_read(files.root, files.root, 4711);
    cr_expect(state.is_frozen);
    cr_expect_eq(state.throttled_periods, 17, "the limit is that of the group above");
    cr_expect_eq(state.killed, 2);
    files_remove(&files);
}

Test(kernel_facts, control_groups_of_the_first_version)
{
    const struct files files = files_make();
    write_file(&files, "4711/cgroup", "6:freezer:/job\n4:cpu,cpuacct:/job\n3:memory:/job\n0::/../other\n");
    write_file(&files, "freezer/job/freezer.state", "FROZEN\n");
    write_file(&files, "cpu,cpuacct/job/cpu.stat", "nr_periods 9\nnr_throttled 4\n");
    write_file(&files, "memory/job/memory.oom_control", "under_oom 0\noom_kill 1\n");
    const struct control_group_state state = control_group_read(files.root, files.root, 4711);
    cr_expect(state.is_frozen);
    cr_expect_eq(state.throttled_periods, 4);
    cr_expect_eq(state.killed, 1);
    write_file(&files, "freezer/job/freezer.state", "THAWED\n");
    cr_expect_not(control_group_read(files.root, files.root, 4711).is_frozen);
    files_remove(&files);
}

static bool is_not_stranger(void *context, pid_t pid)
{
    return pid != *(const pid_t *)context;
}

static void expect_state(const struct files *files, const char *name, const char *expected)
{
    char path[256], text[16] = "";
    snprintf(path, sizeof path, "%s/%s", files->root, name);
    FILE *file = fopen(path, "re");
    cr_assert_not_null(file);
    cr_expect_not_null(fgets(text, sizeof text, file));
    fclose(file);
    cr_expect_str_eq(text, expected, "%s: %s", name, text);
}

Test(kernel_facts, groups_are_thawed_where_nobody_else_is_in_them)
{
    const struct files files = files_make();
    struct reason reason = {.text = ""};
    pid_t stranger = 4713;
    write_file(&files, "4711/cgroup", "6:freezer:/job/step\n0::/\n");
    write_file(&files, "freezer/job/cgroup.procs", "4712\n");
    write_file(&files, "freezer/job/freezer.state", "FROZEN");
    write_file(&files, "freezer/job/freezer.self_freezing", "1\n");
    write_file(&files, "freezer/job/step/cgroup.procs", "4711\n");
    write_file(&files, "freezer/job/step/freezer.state", "FROZEN");
    write_file(&files, "freezer/job/step/freezer.self_freezing", "0\n");
    write_file(&files, "freezer/job/other/cgroup.procs", "4713\n");
    cr_expect_eq(control_group_thaw(files.root, files.root, 4711, is_not_stranger, &stranger, &reason), -1);
    cr_expect_not_null(strstr(reason.text, "frozen with other processes by the control group"), "%s", reason.text);
    expect_state(&files, "freezer/job/freezer.state", "FROZEN");
    stranger = 4714;
    cr_expect_eq(control_group_thaw(files.root, files.root, 4711, is_not_stranger, &stranger, &reason), 0);
    expect_state(&files, "freezer/job/freezer.state", "THAWED");
    expect_state(&files, "freezer/job/step/freezer.state", "FROZEN"); /* which follows the one above */
    files_remove(&files);
}

Test(kernel_facts, processes_of_other_namespaces_keep_a_group_frozen)
{
    const struct files files = files_make();
    struct reason reason = {.text = ""};
    pid_t stranger = -1;
    write_file(&files, "4711/cgroup", "6:freezer:/job\n");
    write_file(&files, "freezer/job/cgroup.procs", "4711\n0\n");
    write_file(&files, "freezer/job/freezer.state", "FROZEN");
    write_file(&files, "freezer/job/freezer.self_freezing", "1\n");
    cr_expect_eq(control_group_thaw(files.root, files.root, 4711, is_not_stranger, &stranger, &reason), -1);
    expect_state(&files, "freezer/job/freezer.state", "FROZEN");
    files_remove(&files);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Routes and PMI servers of a process in a /proc made by hand; wait statuses.
 */
#include "base/base.h"
#include "kernel/kernel.h"

#include <criterion/criterion.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PID = 7 };

static char proc[64];

static void make_proc(void)
{
    char path[96];
    snprintf(proc, sizeof proc, "/tmp/mpilens-network-XXXXXX");
    cr_assert_not_null(mkdtemp(proc));
    snprintf(path, sizeof path, "%s/%d", proc, PID);
    cr_assert_eq(mkdir(path, 0755), 0);
    snprintf(path, sizeof path, "%s/%d/net", proc, PID);
    cr_assert_eq(mkdir(path, 0755), 0);
}

static int remove_entry(const char *path, const struct stat *information, int flag, struct FTW *walk)
{
    (void)information;
    (void)flag;
    (void)walk;
    return remove(path);
}

static void remove_proc(void)
{
    nftw(proc, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

TestSuite(process_network, .init = make_proc, .fini = remove_proc);

static void write_file(const char *name, const char *bytes, size_t count)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%d/%s", proc, PID, name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fwrite(bytes, 1, count, file);
    fclose(file);
}

static void expect_interface(const char *address, const char *wanted)
{
    char interface[32] = "none";
    cr_expect_eq(route_find_interface(proc, PID, address, interface, sizeof interface), strcmp(wanted, "none") != 0);
    cr_expect_str_eq(interface, wanted, "%s", address);
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
Test(process_network, routes)
{
    static const char table[] = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"
                                "docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n"
                                "eth0\t0000000A\t00000000\t0001\t0\t0\t0\t000000FF\t0\t0\t0\n"
                                "ib0\t0000010A\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n"
                                "wrong line\n";
    write_file("net/route", table, sizeof table - 1);
    expect_interface("172.17.0.2:1024", "docker0");
    expect_interface("10.2.0.1:80", "eth0");
    expect_interface("10.0.1.1:80", "eth0");
    expect_interface("10.1.0.1:80", "ib0");
    expect_interface("192.168.0.1:80", "none");
    expect_interface("[::1]:80", "none");
    expect_interface("", "none");
}
#endif

Test(process_network, bridges)
{
    cr_expect(interface_is_bridge("docker0"));
    cr_expect(interface_is_bridge("virbr0"));
    cr_expect_not(interface_is_bridge("eth0"));
    cr_expect_not(interface_is_bridge(""));
}

static void expect_manager(const struct thread_state *thread, const char *wanted)
{
    struct open_socket socket = {.kind = SOCKET_TCP, .peer = "127.0.0.1:41234"};
    const struct open_sockets sockets = {.items = &socket, .count = 1};
    char text[MOST_MANAGER_TEXT];
    process_manager_describe(proc, PID, &sockets, thread, text);
    cr_expect_str_eq(text, wanted);
}

Test(process_network, managers)
{
    const struct thread_state reads = {.descriptor = 5}, sleeps = {.descriptor = -1};
    expect_manager(&sleeps, "");
#define SET(environment) write_file("environ", environment, sizeof(environment))
    SET("PMI_FD=5");
    expect_manager(&reads, "waiting for an answer of the PMI server");
    expect_manager(&sleeps, "started by the PMI server");
    SET("PMI_PORT=n1:9");
    expect_manager(&sleeps, "not connected with the PMI server at n1:9");
    SET("A=b\0PMIX_SERVER_URI2=job.0;tcp4://127.0.0.1:41234");
    expect_manager(&sleeps, "connected with the PMIx server at 127.0.0.1:41234");
    SET("PMIX_SERVER_URI21=job.0;tcp4://127.0.0.1:9");
    expect_manager(&sleeps, "not connected with the PMIx server at 127.0.0.1:9");
}

Test(process_network, wait_status)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(3);
    siginfo_t end;
    cr_assert_eq(waitid(P_PID, (id_t)child, &end, WEXITED | WNOWAIT), 0);
    const int status = process_wait_status("/proc", child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 3, "%d", status);
    cr_expect_eq(process_wait_status("/proc", getpid()), -1, "it has not ended");
    waitpid(child, NULL, 0);
    cr_expect_eq(process_wait_status("/proc", child), -1);
    cr_expect_geq(process_age_s(getpid()), 0);
}

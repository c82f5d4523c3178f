/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Routes and PMI servers of a process in a /proc made by hand; wait statuses.
 */
#include "base/base.h"
#include "kernel/kernel.h"

#include "made_proc.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PID = 7 };

TestSuite(process_network, .init = made_proc_begin, .fini = made_proc_end);

static void expect_interface(const char *address, const char *wanted)
{
    char interface[32] = "none";
    cr_expect_eq(route_find_interface(made_proc, PID, address, interface, sizeof interface),
                 strcmp(wanted, "none") != 0);
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
    made_proc_write(PID, "net/route", table, sizeof table - 1);
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
    process_manager_describe(made_proc, PID, &sockets, thread, text);
    cr_expect_str_eq(text, wanted);
}

Test(process_network, managers)
{
    const struct thread_state reads = {.descriptor = 5}, sleeps = {.descriptor = -1};
    expect_manager(&sleeps, "");
#define SET(environment) made_proc_write(PID, "environ", environment, sizeof(environment))
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

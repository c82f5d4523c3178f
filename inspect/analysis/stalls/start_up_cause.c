/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Recognises what keeps a rank in MPI_Init by its sockets, and by the functions of libraries that it is in.
 */
#include "analysis/stalls/stalls_internal.h"

#include "base/base.h"
#include "kernel/kernel.h"

#include <string.h>

/* That ask a name server, which may not answer, or wait for one that does. */
static const char *find_resolver(const char *inside)
{
    static const char *const functions[] = {"getaddrinfo", "gethostbyname",   "gethostbyaddr",
                                            "getnameinfo", "gethostbyname_r", "gethostbyaddr_r"};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const size_t length = strlen(functions[i]);
        for (const char *at = strstr(inside, functions[i]); at != NULL; at = strstr(at + 1, functions[i]))
            if ((at == inside || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
                return functions[i];
    }
    return NULL;
}

static bool goes_over_bridge(const struct process *process)
{
    for (size_t i = 0; i < process->kernel->troubled_socket_count; i++) {
        const struct troubled_socket *socket = &process->kernel->troubled_sockets[i];
        if (strcmp(socket->state, "SYN_SENT") == 0 && interface_is_bridge(socket->interface))
            return true;
    }
    return false;
}

bool start_up_cause_find(const struct process *process, uint32_t tid, struct start_up_cause *ret_cause)
{
    const struct call_stack *stack = find_call_stack(process, tid);
    const char *resolver = stack != NULL && stack->inside != NULL ? find_resolver(stack->inside) : NULL;
    const char *text = describe_hindrance(process);
    enum start_up_cause_kind kind = START_UP_STANDSTILL;
    if (text == NULL && resolver != NULL) {
        text = arena_text("resolves a name, in %s", resolver);
        kind = START_UP_NAME;
    }
    if (text == NULL) {
        text = describe_broken_socket(process);
        kind = text != NULL && goes_over_bridge(process) ? START_UP_BRIDGE : START_UP_CONNECTION;
    }
    if (text == NULL)
        return false;
    *ret_cause = (struct start_up_cause){.kind = kind, .text = text};
    return true;
}

void start_up_cause_write(FILE *stream, const struct ranks *ranks, const struct start_up_cause *cause)
{
    const char *names = ranks_name(ranks);
    if (ranks->count == 1)
        fprintf(stream, "; %s %s", names, cause->text);
    else
        fprintf(stream, "; %s wait for something else than others: rank %d %s", names, ranks_first(ranks), cause->text);
}

const char *start_up_cause_remedy(enum start_up_cause_kind kind)
{
    switch (kind) {
    case START_UP_BRIDGE:
        return "name the network that joins the hosts: Open MPI '--mca btl_tcp_if_include NET --mca oob_tcp_if_include "
               "NET', MPICH 'mpiexec -iface NET'";
    case START_UP_CONNECTION:
        return "let the firewall pass connections between the hosts at all ports, or name another network for MPI";
    case START_UP_NAME:
        return "make the name servers of /etc/resolv.conf answer, or put the hosts of the job into /etc/hosts";
    default:
        return "let it go on";
    }
}

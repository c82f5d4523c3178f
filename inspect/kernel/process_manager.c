/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads where PMI and PMIx servers are out of the environment of a rank.
 */
#include "kernel/kernel.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_peer(const struct open_sockets *sockets, const char *address)
{
    for (size_t i = 0; i < sockets->count; i++)
        if (sockets->items[i].kind == SOCKET_TCP && strcmp(sockets->items[i].peer, address) == 0)
            return true;
    return false;
}

/* "prterun-4711@0.0;tcp4://127.0.0.1:41234" */
static const char *find_pmix_server(const char *environment, size_t bytes)
{
    static const char *const names[] = {"PMIX_SERVER_URI41", "PMIX_SERVER_URI4", "PMIX_SERVER_URI3",
                                        "PMIX_SERVER_URI21", "PMIX_SERVER_URI2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = find_variable(environment, bytes, names[i]);
        const char *address = value != NULL ? strstr(value, "tcp4://") : NULL;
        if (address != NULL)
            return address + strlen("tcp4://");
    }
    return NULL;
}

static void describe_at(const struct open_sockets *sockets, const char *kind, const char *address,
                        char ret_text[MOST_MANAGER_TEXT])
{
    char name[MOST_SOCKET_NAME];
    snprintf(name, sizeof name, "%s", address);
    snprintf(ret_text, MOST_MANAGER_TEXT, "%s with the %s server at %.90s",
             has_peer(sockets, name) ? "connected" : "not connected", kind, name);
}

void process_manager_describe(const char *proc, pid_t pid, const struct open_sockets *sockets,
                              const struct thread_state *thread, char ret_text[MOST_MANAGER_TEXT])
{
    size_t bytes;
    char *environment = read_process_file(proc, pid, "environ", &bytes);
    ret_text[0] = '\0';
    if (environment == NULL)
        return;
    const char *pmix = find_pmix_server(environment, bytes);
    const char *descriptor = find_variable(environment, bytes, "PMI_FD");
    const char *port = find_variable(environment, bytes, "PMI_PORT");
    if (pmix != NULL)
        describe_at(sockets, "PMIx", pmix, ret_text);
    else if (descriptor != NULL)
        snprintf(ret_text, MOST_MANAGER_TEXT, "%s the PMI server",
                 thread->descriptor >= 0 && thread->descriptor == strtol(descriptor, NULL, 10)
                     ? "waiting for an answer of"
                     : "started by");
    else if (port != NULL)
        describe_at(sockets, "PMI", port, ret_text);
    free(environment);
}

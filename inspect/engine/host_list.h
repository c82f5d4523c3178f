/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of hosts as launchers, schedulers and people write them: "n1,n[08-11],rack[1-2]n[1-4]-ib". What they say comes
 * from processes and environments of others, and ends up in command lines: a name that is not one is refused.
 */
#ifndef MPILENS_INSPECT_ENGINE_HOST_LIST_H
#define MPILENS_INSPECT_ENGINE_HOST_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* A list of more is damaged. */
enum { MOST_HOSTS = 1 << 17, MOST_HOST_NAME_BYTES = 255 };

/* Zero-initialised is empty. */
struct host_list {
    char **names; /* in the order in which they were said */
    size_t count;
};

/* Letters, digits, '.', '-' and '_' (RFC 1123, and what is found all the same), beginning with a letter or digit. */
bool is_host_name(const char *name);

/* 0, or -1: it is no name of a host, or there are too many. One that was added last is not added again. */
int host_list_add(struct host_list *list, const char *name);
/* Adds those of a list with ranges in brackets, as Slurm, pdsh and ClusterShell have them. 0, or -1: it is none; then
 * nothing was added. */
int host_list_parse(struct host_list *list, const char *text);
/* The same of "login,n[3:1-4,7]@0(5)", the value of OMPI_MCA_orte_node_regex (Open MPI 3 and 4, orte/util/regx): the
 * number before the colon says how many digits a name has. */
int host_list_parse_node_regex(struct host_list *list, const char *text);
/* Leaves out what is said twice. */
void host_list_finish(struct host_list *list);

/* Its place; count: it is not in it. Names with and without a domain may mean the same, see is_same_host(). */
size_t host_list_find(const struct host_list *list, const char *name);
/* "n1,n2,n3". The caller frees it. */
char *host_list_join(const struct host_list *list);
/* "n[1-3]", which is short for many, too. The caller frees it. */
char *host_list_fold(const struct host_list *list);
void host_list_clear(struct host_list *list);

#endif

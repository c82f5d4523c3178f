/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The verbs of the command. Each takes its own arguments, the verb first, and returns the exit status.
 */
#ifndef MPILENS_INSPECT_VERBS_VERBS_H
#define MPILENS_INSPECT_VERBS_VERBS_H

#include "base/exit_status.h"

enum exit_status verb_run(int argument_count, char **arguments);
enum exit_status verb_list(int argument_count, char **arguments);
enum exit_status verb_show(int argument_count, char **arguments);
enum exit_status verb_why(int argument_count, char **arguments);
enum exit_status verb_handle(int argument_count, char **arguments);
enum exit_status verb_snapshot(int argument_count, char **arguments);
enum exit_status verb_watch(int argument_count, char **arguments);
enum exit_status verb_leaks(int argument_count, char **arguments);
enum exit_status verb_hosts(int argument_count, char **arguments);
enum exit_status verb_part(int argument_count, char **arguments);
enum exit_status verb_doctor(int argument_count, char **arguments);
enum exit_status verb_explain(int argument_count, char **arguments);
enum exit_status verb_guard(int argument_count, char **arguments); /* or the exit status of the job */

/* For shells and the build: about the other verbs. */
enum exit_status verb_complete(int argument_count, char **arguments);
enum exit_status verb_tables(int argument_count, char **arguments);

#endif

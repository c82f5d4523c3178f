/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How each engine is called. For engine*.c only; `engine->plan` of the table.
 */
#ifndef MPILENS_INSPECT_ENGINE_ENGINE_TABLE_H
#define MPILENS_INSPECT_ENGINE_ENGINE_TABLE_H

#include "engine/engine_command.h"

/* ssh waits so long for a host that does not answer; of so many hosts, all are reached at once. */
enum { CONNECT_SECONDS = 5, MOST_SSH = 64, MOST_CLUSH = 512, MOST_HYDRA = 1000 };
/* What keeps ssh from asking anything, and from waiting for a host that is gone. */
#define SSH_OPTIONS                                                                                                    \
    "-oBatchMode=yes", "-oConnectTimeout=5", "-oServerAliveInterval=5", "-oServerAliveCountMax=2", "-oLogLevel=ERROR"

int plan_slurm(const char *program, const struct engine_task *task, struct engine_plan *plan,
               struct reason *ret_reason);
int plan_ssh(const char *program, const struct engine_task *task, struct engine_plan *plan, struct reason *ret_reason);
int plan_clush(const char *program, const struct engine_task *task, struct engine_plan *plan,
               struct reason *ret_reason);
int plan_pdsh(const char *program, const struct engine_task *task, struct engine_plan *plan, struct reason *ret_reason);
int plan_hydra(const char *program, const struct engine_task *task, struct engine_plan *plan,
               struct reason *ret_reason);
int plan_words(const char *program, const struct engine_task *task, struct engine_plan *plan,
               struct reason *ret_reason);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The environment of an engine. What a launcher leaves in the environment of a rank, or a scheduler in that of a batch
 * script, is meant for programs of that job: a second launcher would take itself for one of them, or ask for what the
 * job has asked for.
 */
#ifndef MPILENS_INSPECT_ENGINE_ENGINE_ENVIRONMENT_H
#define MPILENS_INSPECT_ENGINE_ENGINE_ENVIRONMENT_H

#include <stddef.h>

/* This process's environment without that, with `more` ("NAME=VALUE", `more_count` of them) in the place of variables
 * of the same name. Ends with NULL; the caller frees it with engine_environment_free(). */
char **engine_environment(const char *const *more, size_t more_count);
void engine_environment_free(char **environment);

#endif

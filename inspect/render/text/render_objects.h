/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Objects as a table, or their numbers.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_RENDER_OBJECTS_H
#define MPILENS_INSPECT_RENDER_TEXT_RENDER_OBJECTS_H

#include "render/text/render_options.h"

/* A section of the text of `show`. 0, or -1 when writing failed. */
int render_objects(FILE *stream, const struct job *job, const struct render_options *options);

#endif

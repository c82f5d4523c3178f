/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A process on another host must not outlive who has started it.
 */
#ifndef MPILENS_INSPECT_VERBS_PARENT_WATCH_H
#define MPILENS_INSPECT_VERBS_PARENT_WATCH_H

/* From now on this process ends, without a word and within a second, when its parent has ended. Ranks that it has
 * stopped are resumed by the kernel. */
void end_with_parent(void);

#endif

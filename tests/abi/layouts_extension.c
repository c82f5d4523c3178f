/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every byte of the extension's structs belongs to a member: this file does not compile where the compiler has to pad.
 */
#include "mpilens/message_queue.h"

#pragma GCC diagnostic error "-Wpadded"
#include "mpilens/extension.h"

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names signals.
 */
#include "base/base.h"

#include <string.h>

char *describe_signal(int number)
{
    const char *name = sigabbrev_np(number), *meaning = sigdescr_np(number);
    return name != NULL && meaning != NULL ? format_text("SIG%s (%s)", name, meaning)
                                           : format_text("signal %d", number);
}

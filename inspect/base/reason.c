/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Formats the reason why something could not be done.
 */
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>

int reason_set(struct reason *ret_reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(ret_reason->text, sizeof ret_reason->text, format, arguments);
    va_end(arguments);
    ret_reason->list = NULL;
    return -1;
}

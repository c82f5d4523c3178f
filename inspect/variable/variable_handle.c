/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the handle in a variable of the program.
 */

#include "base/base.h"
#include "variable/variable_internal.h"

int handle_query_variable(struct target *target, bool is_stopped, struct handle_query *query, char **ret_variable,
                          struct reason *ret_reason)
{
    struct program_variable variable;
    if (program_variable_find(target, query->name, is_stopped, &variable, ret_reason) != 0)
        return -1;
    const uint32_t kind = handle_kind_of_type(variable.type);
    if (query->kind == MPILENS_OBJECT_NONE)
        query->kind = kind;
    if (query->kind == MPILENS_OBJECT_NONE)
        return reason_set(ret_reason,
                          "%s is of type %s, which tells no kind of handle: say it, such as 'mpilens handle "
                          "TARGET comm %s'",
                          query->name, variable.type, query->name);
    if (kind != MPILENS_OBJECT_NONE && kind != query->kind)
        return reason_set(ret_reason, "%s is of type %s, which is another kind of handle", query->name, variable.type);
    if (query->kind == MPILENS_OBJECT_STATUS) {
        if (variable.address == 0)
            return reason_set(ret_reason, "%s has no address in memory", query->name);
        query->value = variable.address;
    } else {
        if (variable.bytes != 4 && variable.bytes != 8)
            return reason_set(ret_reason, "%s is of type %s, which is not a handle", query->name, variable.type);
        query->value = variable.value;
    }
    if (variable.is_fortran)
        query->language = MPILENS_HANDLE_FORTRAN;
    *ret_variable =
        format_text("%s (%s%s%s)", query->name, variable.type, variable.place[0] != '\0' ? ", " : "", variable.place);
    query->name = NULL;
    return 0;
}

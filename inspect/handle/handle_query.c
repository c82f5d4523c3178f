/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parses a handle as the user writes it: its kind and its value.
 */
#include "handle/handle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    uint32_t kind;
} kinds[] = {
    {"comm", MPILENS_OBJECT_COMMUNICATOR},
    {"communicator", MPILENS_OBJECT_COMMUNICATOR},
    {"mpi_comm", MPILENS_OBJECT_COMMUNICATOR},
    {"datatype", MPILENS_OBJECT_DATATYPE},
    {"type", MPILENS_OBJECT_DATATYPE},
    {"mpi_datatype", MPILENS_OBJECT_DATATYPE},
    {"request", MPILENS_OBJECT_REQUEST},
    {"mpi_request", MPILENS_OBJECT_REQUEST},
    {"win", MPILENS_OBJECT_WINDOW},
    {"window", MPILENS_OBJECT_WINDOW},
    {"mpi_win", MPILENS_OBJECT_WINDOW},
    {"file", MPILENS_OBJECT_FILE},
    {"mpi_file", MPILENS_OBJECT_FILE},
    {"group", MPILENS_OBJECT_GROUP},
    {"mpi_group", MPILENS_OBJECT_GROUP},
    {"op", MPILENS_OBJECT_OP},
    {"mpi_op", MPILENS_OBJECT_OP},
    {"info", MPILENS_OBJECT_INFO},
    {"mpi_info", MPILENS_OBJECT_INFO},
    {"errhandler", MPILENS_OBJECT_ERRHANDLER},
    {"mpi_errhandler", MPILENS_OBJECT_ERRHANDLER},
    {"session", MPILENS_OBJECT_SESSION},
    {"mpi_session", MPILENS_OBJECT_SESSION},
    {"message", MPILENS_OBJECT_MESSAGE},
    {"mpi_message", MPILENS_OBJECT_MESSAGE},
    {"keyval", MPILENS_OBJECT_KEYVAL},
    {"status", MPILENS_OBJECT_STATUS},
    {"mpi_status", MPILENS_OBJECT_STATUS},
};

bool handle_parse_kind(const char *text, uint32_t *ret_kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcasecmp(text, kinds[i].name) == 0) {
            *ret_kind = kinds[i].kind;
            return true;
        }
    return false;
}

const char *handle_kind_names(void)
{
    return "comm, datatype, request, win, file, group, op, info, errhandler, session, message, keyval, status";
}

bool handle_parse_value(const char *text, uint64_t *ret_value)
{
    const bool negative = text[0] == '-';
    const char *digits = negative ? text + 1 : text;
    const bool hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    if (hexadecimal)
        digits += 2;
    if (digits[strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789")] != '\0' || digits[0] == '\0')
        return false;
    errno = 0;
    const unsigned long long value = strtoull(digits, NULL, hexadecimal ? 16 : 10);
    if (errno != 0 || (negative && value > (unsigned long long)INT64_MAX + 1))
        return false;
    *ret_value = negative ? 0 - value : value;
    return true;
}

int handle_parse_query(char *const words[], size_t count, const char *target, struct handle_query *query,
                       struct reason *ret_reason)
{
    const bool has_kind = count == 2;
    if (has_kind && !handle_parse_kind(words[0], &query->kind))
        return reason_set(ret_reason, "there is no kind '%s'; there are %s", words[0], handle_kind_names());
    const char *last = words[count - 1];
    if (handle_parse_value(last, &query->value)) {
        if (!has_kind)
            return reason_set(ret_reason, "name the kind of %s: 'mpilens handle %s%sKIND %s'; there are %s", last,
                              target != NULL ? target : "", target != NULL ? " " : "", last, handle_kind_names());
        return 0;
    }
    if (last[0] == '\0' || strchr("0123456789-", last[0]) != NULL)
        return reason_set(ret_reason, "'%s' is neither a number of 64 bits nor a name", last);
    query->name = last;
    return 0;
}

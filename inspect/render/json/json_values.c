/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes values of JSON documents.
 */
#include "render/json/json_values.h"

#include "text/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

json_t *json_text(const char *text)
{
    return text != NULL && text[0] != '\0' ? json_any_text(text) : json_null();
}

json_t *json_any_text(const char *text)
{
    json_t *value = json_string(text);
    if (value != NULL)
        return value;
    char *valid = valid_text(text);
    value = json_string(valid);
    free(valid);
    return value;
}

json_t *json_address(uint64_t address)
{
    char text[24];
    snprintf(text, sizeof text, "0x%" PRIx64, address);
    return address != 0 ? json_string(text) : json_null();
}

json_t *json_number(int64_t number)
{
    return number >= 0 ? json_integer(number) : json_null();
}

json_t *json_identifier(uint64_t number)
{
    return number != 0 ? json_integer((json_int_t)number) : json_null();
}

json_t *json_unique_id(uint64_t id)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, id);
    return id != 0 ? json_string(text) : json_null();
}

json_t *json_tag(bool wild, int32_t tag)
{
    return wild ? json_null() : json_integer(tag);
}

json_t *json_seconds(double seconds)
{
    return seconds >= 0 ? json_real(round(seconds * 1e6) / 1e6) : json_null();
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes or keeps members.
 */
#include "render/json/render_json_internal.h"

#include "render/json/json_values.h"

#include <math.h>
#include <string.h>

enum { MOST_DIGITS = 32, MICROSECONDS = 1000000 };

/* Whether the text stands between quotes as it is; others are the library's. */
static bool is_plain(const char *text)
{
    for (; *text != '\0'; text++)
        if (*text < ' ' || *text > '~' || *text == '"' || *text == '\\')
            return false;
    return true;
}

void json_member_value(const struct json_members *members, const char *name, json_t *value)
{
    if (members->stream != NULL)
        json_stream_add(members->stream, name, value);
    else
        json_object_set_new(members->object, name, value);
}

void json_member_null(const struct json_members *members, const char *name)
{
    if (members->stream != NULL)
        json_stream_add_written(members->stream, name, "null", strlen("null"));
    else
        json_object_set_new(members->object, name, json_null());
}

void json_member_boolean(const struct json_members *members, const char *name, bool value)
{
    if (members->stream != NULL)
        json_stream_add_written(members->stream, name, value ? "true" : "false", strlen(value ? "true" : "false"));
    else
        json_object_set_new(members->object, name, json_boolean(value));
}

/* In decimal digits, right-aligned before `end`. Returns the first. */
static char *write_digits(uint64_t number, char *end)
{
    do {
        *--end = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return end;
}

void json_member_integer(const struct json_members *members, const char *name, int64_t number)
{
    char text[MOST_DIGITS];
    if (members->stream == NULL) {
        json_object_set_new(members->object, name, json_integer(number));
        return;
    }
    char *first = write_digits(number < 0 ? -(uint64_t)number : (uint64_t)number, text + sizeof text);
    if (number < 0)
        *--first = '-';
    json_stream_add_written(members->stream, name, first, (size_t)(text + sizeof text - first));
}

void json_member_number(const struct json_members *members, const char *name, int64_t number)
{
    if (number >= 0)
        json_member_integer(members, name, number);
    else
        json_member_null(members, name);
}

void json_member_identifier(const struct json_members *members, const char *name, uint64_t number)
{
    if (number != 0)
        json_member_integer(members, name, (int64_t)number);
    else
        json_member_null(members, name);
}

void json_member_text(const struct json_members *members, const char *name, const char *text)
{
    if (text == NULL || text[0] == '\0')
        json_member_null(members, name);
    else if (members->stream != NULL && is_plain(text))
        json_stream_add_plain_text(members->stream, name, text, strlen(text));
    else
        json_member_value(members, name, json_text(text));
}

void json_member_address(const struct json_members *members, const char *name, uint64_t address)
{
    static const char digits[] = "0123456789abcdef";
    char text[MOST_DIGITS], *end = text + sizeof text, *first = end;
    for (uint64_t rest = address; rest > 0; rest >>= 4)
        *--first = digits[rest & 0xf];
    *--first = 'x';
    *--first = '0';
    if (address == 0)
        json_member_null(members, name);
    else if (members->stream != NULL)
        json_stream_add_plain_text(members->stream, name, first, (size_t)(end - first));
    else
        json_object_set_new(members->object, name, json_address(address));
}

void json_member_unique_id(const struct json_members *members, const char *name, uint64_t id)
{
    char text[MOST_DIGITS], *end = text + sizeof text;
    char *first = write_digits(id, end);
    if (id == 0)
        json_member_null(members, name);
    else if (members->stream != NULL)
        json_stream_add_plain_text(members->stream, name, first, (size_t)(end - first));
    else
        json_object_set_new(members->object, name, json_unique_id(id));
}

/* To a microsecond; as the library, with a point at least. */
void json_member_seconds(const struct json_members *members, const char *name, double seconds)
{
    static const double most_s = 1e12;
    char text[2 * MOST_DIGITS], *end = text + sizeof text;
    if (!(seconds >= 0) || seconds > most_s || members->stream == NULL) {
        json_member_value(members, name, json_seconds(seconds));
        return;
    }
    const uint64_t microseconds = (uint64_t)llround(seconds * 1e6);
    char *fraction = write_digits(microseconds % MICROSECONDS + MICROSECONDS, end);
    *fraction = '.'; /* in the place of the 1 */
    char *first = write_digits(microseconds / MICROSECONDS, fraction);
    while (end[-1] == '0' && end[-2] != '.')
        end--;
    json_stream_add_written(members->stream, name, first, (size_t)(end - first));
}

struct json_members json_member_open(const struct json_members *members, const char *name)
{
    if (members->stream != NULL) {
        json_stream_open_object(members->stream, name);
        return *members;
    }
    json_t *inner = json_object();
    json_object_set_new(members->object, name, inner);
    return (struct json_members){.object = inner};
}

void json_member_close(const struct json_members *inner)
{
    if (inner->stream != NULL)
        json_stream_close(inner->stream);
}

void json_member_tag(const struct json_members *members, const char *name, bool wild, int32_t tag)
{
    if (wild)
        json_member_null(members, name);
    else
        json_member_integer(members, name, tag);
}

static void write_peer(const struct json_members *members, int32_t local, int32_t world)
{
    json_member_number(members, "local", local);
    json_member_number(members, "world", world);
}

void json_member_peer(const struct json_members *members, const char *name, int32_t local, int32_t world)
{
    const struct json_members peer = json_member_open(members, name);
    write_peer(&peer, local, world);
    json_member_close(&peer);
}

static void write_site(const struct json_members *members, const struct site *site, uint64_t address)
{
    static const struct site unknown = {0};
    const struct site *known = site != NULL ? site : &unknown;
    json_member_address(members, "address", address);
    json_member_text(members, "module", known->module);
    json_member_address(members, "offset", known->offset);
    json_member_text(members, "function", known->function);
    json_member_text(members, "file", known->file);
    json_member_identifier(members, "line", known->line > 0 ? (uint64_t)known->line : 0);
    json_member_text(members, "path", known->path);
    if (known->called != NULL)
        json_member_text(members, "called", known->called);
}

void json_member_site(const struct json_members *members, const char *name, const struct site *site, uint64_t address)
{
    if (address == 0) {
        json_member_null(members, name);
        return;
    }
    const struct json_members place = json_member_open(members, name);
    write_site(&place, site, address);
    json_member_close(&place);
}

json_t *json_site(const struct site *site, uint64_t address)
{
    if (address == 0)
        return json_null();
    json_t *object = json_object();
    write_site(&(struct json_members){.object = object}, site, address);
    return object;
}

json_t *json_peer(int32_t local, int32_t world)
{
    json_t *object = json_object();
    write_peer(&(struct json_members){.object = object}, local, world);
    return object;
}

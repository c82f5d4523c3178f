/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members of an object: written directly and kept in memory, they are equal.
 */
#include "render/json/render_json_internal.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>

static void add_numbers(const struct json_members *members)
{
    json_member_null(members, "null");
    json_member_boolean(members, "true", true);
    json_member_boolean(members, "false", false);
    json_member_integer(members, "none", 0);
    json_member_integer(members, "least", INT64_MIN);
    json_member_integer(members, "most", INT64_MAX);
    json_member_number(members, "number", 1000000);
    json_member_number(members, "not known", -1);
    json_member_identifier(members, "identifier", 7);
    json_member_identifier(members, "no identifier", 0);
    json_member_address(members, "address", 0x7ffe0123456789abu);
    json_member_address(members, "no address", 0);
    json_member_unique_id(members, "id", UINT64_MAX);
    json_member_unique_id(members, "no id", 0);
    json_member_tag(members, "tag", false, -5);
    json_member_tag(members, "any tag", true, 1);
}

static void add_seconds(const struct json_members *members)
{
    static const double seconds[] = {0, 0.000001, 0.1, 1, 10, 59.999999, 1.0000005, 123456.5, 86400, 5e-7, -1, 1e300};
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++)
        json_member_seconds(members, names[i], seconds[i]);
}

static void add_all(const struct json_members *members)
{
    static const struct site site = {.module = "/usr/lib/a.so", .function = "f", .line = 3, .offset = 16};
    add_numbers(members);
    const struct json_members inner = json_member_open(members, "seconds");
    add_seconds(&inner);
    json_member_close(&inner);
    json_member_text(members, "plain", "MPI_Send");
    json_member_text(members, "quoted", "a \"b\" \\ c");
    json_member_text(members, "lines", "one\ntwo\x1b[31m\x7f");
    json_member_text(members, "letters", "M\xc3\xbcller");
    json_member_text(members, "broken", "M\xfcller");
    json_member_text(members, "empty", "");
    json_member_text(members, "no text", NULL);
    json_member_peer(members, "peer", 2, -1);
    json_member_site(members, "site", &site, 4711);
    json_member_site(members, "site without lines", NULL, 4711);
    json_member_site(members, "no site", &site, 0);
    json_member_value(members, "value", json_pack("[i, {s:s}]", 1, "a", "b"));
}

Test(json_members, written_and_kept_are_the_same)
{
    char *text = NULL;
    size_t bytes = 0;
    struct json_stream stream = {.file = open_memstream(&text, &bytes)};
    json_t *kept = json_object();
    json_error_t error;
    cr_assert_not_null(stream.file);
    json_stream_open_object(&stream, NULL);
    add_all(&(struct json_members){.stream = &stream});
    json_stream_close(&stream);
    cr_expect_eq(json_stream_finish(&stream), 0);
    fclose(stream.file);
    add_all(&(struct json_members){.object = kept});
    json_t *written = json_loads(text, 0, &error);
    cr_assert_not_null(written, "line %d: %s", error.line, error.text);
    const char *name;
    json_t *value;
    json_object_foreach(kept, name, value) cr_expect(json_equal(json_object_get(written, name), value), "%s", name);
    cr_expect_eq(json_object_size(written), json_object_size(kept));
    json_decref(written);
    json_decref(kept);
    free(text);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names that are replaced in texts, elements and documents, and what stays.
 */
#include "base/base.h"
#include "text/text.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <string.h>

static struct redaction *redaction;

static void begin(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    redaction = redaction_create();
}

static void end(void)
{
    redaction_destroy(redaction);
}

TestSuite(redaction, .init = begin, .fini = end);

static void expect(enum redacted_form form, const char *text, const char *expected)
{
    const char *redacted = redaction_apply(redaction, form, text);
    cr_expect_str_eq(redacted, expected, "%s", redacted);
}

Test(redaction, hosts_and_users)
{
    redaction_add(redaction, REDACTED_HOST, "n1");
    redaction_add(redaction, REDACTED_HOST, "n1.example.org");
    redaction_add(redaction, REDACTED_HOST, "node-22");
    redaction_add(redaction, REDACTED_USER, "jane");
    expect(REDACTED_TEXT, "jane@n1.example.org, n1:4711 and node-22; n1",
           "user-1@host-2, host-1:4711 and host-3; host-1");
    expect(REDACTED_TEXT, "mpilens-heat-n1-2026.mpilens", "mpilens-heat-host-1-2026.mpilens");
    expect(REDACTED_TEXT, "n11, an1, n1_x, janet, node-220", "n11, an1, n1_x, janet, node-220");
}

Test(redaction, paths)
{
    expect(REDACTED_TEXT, "/home/jane/heat/solve.c:41 < /home/jane/heat/main.c:2, /scratch/x/in.nc.",
           "path-1/solve.c:41 < path-1/main.c:2, path-2/in.nc.");
    expect(REDACTED_TEXT, "in ../src/cg.c, src/io/w.f90 and './app'", "in path-3/cg.c, path-4/w.f90 and './app'");
    expect(REDACTED_TEXT, "/home/john", "path-5");
    expect(REDACTED_TEXT, "/usr/lib/libmpi.so.12, /proc/4711/mem, /etc/hosts; /usr/local/jane/x",
           "/usr/lib/libmpi.so.12, /proc/4711/mem, /etc/hosts; path-6/x");
    expect(REDACTED_TEXT, "3 GB/s, and/or, 1 / 2, I/O, MPI_Recv(1 x MPI_INT <- 0)",
           "3 GB/s, and/or, 1 / 2, I/O, MPI_Recv(1 x MPI_INT <- 0)");
}

Test(redaction, paths_with_blanks)
{
    redaction_add(redaction, REDACTED_PATH, "/home/jane/My work");
    redaction_add(redaction, REDACTED_ARGUMENT, "alpha.in");
    expect(REDACTED_TEXT, "in /home/jane/My work/app (pid 1), /scratch/x/y.", "in path-1/app (pid 1), path-2/y.");
    expect(REDACTED_JSON, "{\"path\": \"/home/jane/my other/x.c\", \"next\": \"/home/jane/app alpha.in\"}",
           "{\"path\": \"path-3/x.c\", \"next\": \"path-4/app arg-1\"}");
}

/* As texts, documents and pages write them, and from a directory above them. */
Test(redaction, paths_with_odd_characters)
{
    redaction_add(redaction, REDACTED_PATH, "/home/jane/J\xc3\xbcrgen's \"odd\" (v1) & co/a\nb\\c");
    expect(REDACTED_TEXT, "at /home/jane/J\xc3\xbcrgen's \"odd\" (v1) & co/a\\nb\\c/x y.c:2", "at path-1/x y.c:2");
    expect(REDACTED_TEXT, "odd, J\xc3\xbcrgen's \"odd\" (v1) & co/a\nb\\c/x.c:2", "odd, path-1/x.c:2");
    expect(REDACTED_JSON, "\"at /home/jane/J\xc3\xbcrgen's \\\"odd\\\" (v1) & co/a\\nb\\\\c/x.c\"",
           "\"at path-1/x.c\"");
    expect(REDACTED_JSON, "\"at jane/J\xc3\xbcrgen's \\\"odd\\\" (v1) \\u0026 co/a\\\\nb\\\\c/x.c\"",
           "\"at path-1/x.c\"");
    expect(REDACTED_HTML, "<i>/home/jane/J\xc3\xbcrgen&#39;s &quot;odd&quot; (v1) &amp; co/a\\nb\\c/x.c</i>",
           "<i>path-1/x.c</i>");
    expect(REDACTED_JSON, "[\"/home/jane/a \\\"b\\\"/c/x.c\", \"/scratch/a/x y\\n/home/jane/z.c\"]",
           "[\"path-2/x.c\", \"path-3/x y\\npath-4/z.c\"]");
    expect(REDACTED_TEXT, "a 'v1' & co, b/c, (v1) or /( x", "a 'v1' & co, b/c, (v1) or /( x");
}

/* Directories that look as if they were the form. */
Test(redaction, paths_with_characters_of_the_form)
{
    redaction_add(redaction, REDACTED_PATH, "/home/jane/\"");
    redaction_add(redaction, REDACTED_PATH, "/home/jane/v<b>");
    expect(REDACTED_TEXT, "/home/jane/\"/x.c, /home/jane/v<b>/x.c", "path-1/x.c, path-2/x.c");
    expect(REDACTED_JSON, "[\"/home/jane/\\\"/x.c\", \"/scratch/a/x.c\"]", "[\"path-1/x.c\", \"path-3/x.c\"]");
    expect(REDACTED_HTML, "/home/jane/v&lt;b&gt;/x.c, v<b>/scratch/a/x.c</b>", "path-2/x.c, v<b>path-3/x.c</b>");
    expect(REDACTED_XML, "<a file=\"/home/jane/v&lt;b&gt;/x.c\"/>, <a file=\"/scratch/a/x.c\"></a>",
           "<a file=\"path-2/x.c\"/>, <a file=\"path-3/x.c\"></a>");
}

Test(redaction, behind_escapes)
{
    redaction_add(redaction, REDACTED_HOST, "n1");
    expect(REDACTED_JSON, "\"a\\n/home/jane/x.c\\tn1 \\u001bn1 \\\\n1\"",
           "\"a\\npath-1/x.c\\thost-1 \\u001bhost-1 \\\\host-1\"");
    expect(REDACTED_TEXT, "\\x1bn1\\nn1", "\\x1bhost-1\\nhost-1");
}

Test(redaction, name_in_a_path)
{
    redaction_add(redaction, REDACTED_USER, "jane");
    expect(REDACTED_TEXT, "/data/runs/jane/jane-7.nc", "path-1/user-1-7.nc");
}

Test(redaction, addresses)
{
    expect(REDACTED_TEXT, "10.0.0.7:4711 -> [fe80::1]:80, 127.0.0.1, ranks [0-3,7], 4.0.2",
           "address-1:4711 -> [address-2]:80, 127.0.0.1, ranks [0-3,7], 4.0.2");
    expect(REDACTED_TEXT, "https://debug.example.org/x", "https://host-1/x");
}

Test(redaction, arguments)
{
    cr_expect_str_eq(redaction_add(redaction, REDACTED_ARGUMENT, "--input=harbour.nc"), "arg-1");
    cr_expect_str_eq(redaction_add(redaction, REDACTED_ARGUMENT, "-n"), "arg-2");
    cr_expect_str_eq(redaction_add(redaction, REDACTED_ARGUMENT, "17"), "arg-3");
    expect(REDACTED_TEXT, "waits to open harbour.nc, tag 17 -n", "waits to open arg-1, tag 17 -n");
}

/* Names that are also words of the form. */
Test(redaction, form_stays)
{
    redaction_add(redaction, REDACTED_HOST, "rank");
    expect(REDACTED_HTML, "<p class=\"rank\">on rank</p><br/>/home/jane/a/b.c",
           "<p class=\"rank\">on host-1</p><br/>path-1/b.c");
    expect(REDACTED_XML, "<rank on=\"rank\">/home/jane/a/b.c</rank>", "<rank on=\"host-1\">path-1/b.c</rank>");
    expect(REDACTED_JSON, "{\"rank\": 3, \"host\": \"rank\", \"path\": \"/home/jane/a/b.c\"}",
           "{\"rank\": 3, \"host\": \"host-1\", \"path\": \"path-1/b.c\"}");
}

Test(redaction, none)
{
    const char *text = "/home/jane";
    cr_expect_eq(redaction_apply(NULL, REDACTED_TEXT, text), text);
    redaction_destroy(NULL);
}

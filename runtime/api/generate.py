#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the wrappers of one MPI from the table of semantics, the templates and the prototypes of its mpi.h.

generate.py --table functions.tsv --not-wrapped not_wrapped.tsv --templates templates/*.txt --header PREPROCESSED_MPI_H
            --removed removed_functions.h --exported NAMES --output-header functions.h --output-globals predefined_globals.h
            --output-source wrappers.c --output-summary functions.txt [--strict]

The summary says which functions the library exports and what becomes of each. One that neither of the two tables knows is a warning, with
--strict an error.

A function that neither mpi.h nor removed_functions.h declares, or that the library does not export, is left out; a type or a number of
parameters that does not fit the table is an error.

Templates: what a wrapper's body does, one section "%% name CALL_CLASS (record)" per kind of function, or "%% name CALL_CLASS = other" where
it is that of another one. @...@ is filled in:

  @real@                  the call of the real function, or of another tool's, with the caller's arguments
  @function@              the function's number
  @mode@                  the table's mode in upper case
  @arguments@             struct operation_arguments that the table names
  @begin@                 operation_begin with them (@begin_send@, @begin_recv@: of a half; @begin_message@: of a matched message)
  @collective_arguments@  struct collective_arguments likewise      @class@  collective class
  @key@                   what members of a communicator agree on
  @any role@              the parameter with that role
  @role|text@             the parameter with that role, or the text where the function has none

"borrows" and "takes" say where the record `operation` comes from that the wrapper's quick look has found, with `entry`, before the body
begins: the recorder, or the free list. "finds": it may find that the request is a simple send or receive; then it does without the body.
"ends": the body takes the thread out of the call itself.
"""
import argparse
import fnmatch
import re
import sys

PROTOTYPE = re.compile(r"\b(int)\s+(MPIX?_\w+)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)", re.S)

# Data symbols whose addresses are the predefined handles of some MPIs.
GLOBAL = re.compile(r"\bextern\s+struct\s+\w+_predefined_\w+\s+(\w+)\s*;")

PREDEFINED_DATATYPES = """
CHAR SHORT INT LONG LONG_LONG_INT LONG_LONG SIGNED_CHAR UNSIGNED_CHAR UNSIGNED_SHORT UNSIGNED UNSIGNED_LONG UNSIGNED_LONG_LONG FLOAT DOUBLE
LONG_DOUBLE WCHAR C_BOOL INT8_T INT16_T INT32_T INT64_T UINT8_T UINT16_T UINT32_T UINT64_T AINT COUNT OFFSET C_COMPLEX
C_FLOAT_COMPLEX C_DOUBLE_COMPLEX C_LONG_DOUBLE_COMPLEX BYTE PACKED CXX_BOOL CXX_FLOAT_COMPLEX CXX_DOUBLE_COMPLEX
CXX_LONG_DOUBLE_COMPLEX INTEGER REAL DOUBLE_PRECISION COMPLEX DOUBLE_COMPLEX LOGICAL CHARACTER INTEGER1 INTEGER2 INTEGER4 INTEGER8
INTEGER16 REAL2 REAL4 REAL8 REAL16 COMPLEX4 COMPLEX8 COMPLEX16 COMPLEX32 LOGICAL1 LOGICAL2 LOGICAL4 LOGICAL8 LOGICAL16 FLOAT_INT DOUBLE_INT
LONG_INT SHORT_INT 2INT LONG_DOUBLE_INT 2REAL 2DOUBLE_PRECISION 2INTEGER 2COMPLEX 2DOUBLE_COMPLEX
""".split()

# Predefined handles by kind of object: the type, the null handle, and those that some mpi.h have, by name without MPI_.
PREDEFINED = {
    "datatype": ("MPI_Datatype", "MPI_DATATYPE_NULL", PREDEFINED_DATATYPES),
    "op": ("MPI_Op", "MPI_OP_NULL", "MAX MIN SUM PROD LAND BAND LOR BOR LXOR BXOR MINLOC MAXLOC REPLACE NO_OP".split()),
    "errhandler": ("MPI_Errhandler", "MPI_ERRHANDLER_NULL", "ERRORS_ARE_FATAL ERRORS_RETURN ERRORS_ABORT".split()),
}

# What calls a body when the thread needs a closer look.
SLOW_WAY = """static COLD int slow_{name}({first}const void *caller, uint64_t frame)
{{
    struct slow_way way = {{.caller = caller, .frame = frame}};
    struct thread *thread = thread_enter_slowly(&way);
    if (!thread)
        return mpilens__real.{name}({arguments});
    int error = body_{name}(thread, (uint64_t)(uintptr_t)way.caller{passed});
    thread_leave(thread, &way);
    return error;
}}
"""

# What is called instead of the library's function where another tool has one.
FORWARD = """static COLD int forward_{name}({parameters})
{{
    return (thread_is_past_tools() ? mpilens__real.{name} : tools.{name})({arguments});
}}

"""

# The body, what calls it when the thread or the arguments need a closer look, and the function itself.
PLAIN_WRAPPER = """
INLINE int body_{name}(struct thread *thread, uint64_t site{more})
{{
{body}    return error;
}}

""" + SLOW_WAY + """
EXPORT int {name}({parameters})
{{
    struct thread *thread = mpilens__thread;
    if (unlikely(thread->published.function != 0))
        return slow_{name}({given}__builtin_return_address(0), STACK_POINTER());
    return body_{name}(thread, (uint64_t)(uintptr_t)__builtin_return_address(0){passed});
}}

PMPI_ENTRY({name}, ({parameters}))
"""

OPERATION_WRAPPER = """
INLINE int body_{name}(struct thread *thread, const struct operation_cache_entry *entry, struct mpilens_operation *operation,
                       uint64_t site{more})
{{
{body}    return error;
}}

static COLD int slow_{name}({first}const void *caller, uint64_t frame)
{{
    struct slow_way way = {{.caller = caller, .frame = frame}};
    struct thread *thread = thread_enter_slowly(&way);
    if (!thread)
        return mpilens__real.{name}({arguments});
    int error;
    const struct operation_cache_entry *entry = operation_cache_place(thread, {place});
    if (!operation_cache_hit(entry, {place}))
        entry = operation_cache_fill(thread, {place});
{refill}    error = body_{name}(thread, entry, {record}, (uint64_t)(uintptr_t)way.caller{passed});
    thread_leave(thread, &way);
    return error;
}}

EXPORT int {name}({parameters})
{{
    struct thread *thread = mpilens__thread;
    const struct operation_cache_entry *entry = operation_cache_place(thread, {place});
    if (unlikely(thread->published.function != 0 || !operation_cache_hit(entry, {place}){none_free}))
        return slow_{name}({given}__builtin_return_address(0), STACK_POINTER());
    return body_{name}(thread, entry, {record}, 0{passed});
}}

PMPI_ENTRY({name}, ({parameters}))
"""

# Of what this thread has started, the end of a wait is simple: the quick ways through, one for sends and one for receives.
WAIT_WRAPPER = """
static __attribute__((noinline)) int body_{name}(struct thread *thread, uint64_t site{more})
{{
{body}    return error;
}}

static __attribute__((noinline)) int receive_{name}(struct thread *thread, struct mpilens_operation *operation, uint64_t site{more})
{{
    if ({status} == MPI_STATUS_IGNORE)
        {status} = &thread->scratch.status;
    completion_describe(thread, FUNCTION_{name}, site, operation);
    int error = mpilens__next.{name}({arguments});
    completion_end_receive(thread, operation, {request}, {status}, error);
    call_end(thread);
    return error;
}}

""" + SLOW_WAY + """
EXPORT int {name}({parameters})
{{
    struct thread *thread = mpilens__thread;
    if (unlikely(thread->published.function != 0 || !{request}))
        return slow_{name}({given}__builtin_return_address(0), STACK_POINTER());
    uint64_t site = (uint64_t)(uintptr_t)__builtin_return_address(0);
    struct mpilens_operation *operation = request_table_find_own(&thread->requests, HANDLE_VALUE(*{request}));
    if (!operation || (operation->flags & COMPLETION_NOT_SIMPLE))
        return body_{name}(thread, site{passed});
    if (operation->flags & MPILENS_OPERATION_RECEIVE)
        return receive_{name}(thread, operation, site{passed});
    completion_describe(thread, FUNCTION_{name}, site, operation);
    int error = mpilens__next.{name}({arguments});
    completion_end_send(thread, operation, {request}, error);
    call_end(thread);
    return error;
}}

PMPI_ENTRY({name}, ({parameters}))
"""

TAKE_IN_GENERAL = """    if (!thread->free_operations && !operation_take_slowly(thread)) {{
        call_begin_other(thread, FUNCTION_{name}, (uint64_t)(uintptr_t)way.caller, NULL);
        error = mpilens__next.{name}({arguments});
        call_end(thread);
        thread_leave(thread, &way);
        return error;
    }}
"""


class TableError(Exception):
    """The table and mpi.h do not fit."""


class Prototype:
    """One function as mpi.h declares it."""

    def __init__(self, name, parameters):
        self.name = name
        self.types = []
        if parameters.strip() in ("", "void"):
            return
        for position, parameter in enumerate(split_parameters(parameters)):
            self.types.append(parameter_type(parameter, position))

    def declaration(self, names):
        return ", ".join(t.replace("@", n) for t, n in zip(self.types, names)) or "void"


def split_parameters(text):
    depth, start = 0, 0
    for i, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            yield text[start:i]
            start = i + 1
    yield text[start:]


def parameter_type(parameter, position):
    """The parameter's declaration with @ where its name belongs."""
    text = re.sub(r"__attribute__\s*\(\(.*?\)\)", "", " ".join(parameter.split())).strip()
    match = re.fullmatch(r"(.*?)\(\s*\*\s*(\w*)\s*\)\s*\((.*)\)", text)
    if match:
        return f"{match[1]}(*@)({match[3]})"
    array = ""
    while text.endswith("]"):
        text, _, dimension = text.rpartition("[")
        array = "[" + dimension + array
        text = text.strip()
    match = re.fullmatch(r"(.*[\s*])(\w+)", text)
    keywords = {"int", "void", "char", "const", "long", "MPI_Comm", "MPI_Request"}
    if match and match[2] not in keywords and match[1].strip() not in ("const", "unsigned", "struct"):
        text = match[1].strip()
    base = f"{text} @"
    if array:
        first_end = array.index("]") + 1
        base = f"{text} (*@){array[first_end:]}" if array[first_end:] else f"{text} *@"
    return base


def read_header(path):
    text = open(path, encoding="utf-8", errors="replace").read()
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    return re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", text)


def read_prototypes(text):
    return {m[2]: Prototype(m[2], m[3]) for m in PROTOTYPE.finditer(text)}


def read_table(path):
    rows = []
    for line in open(path, encoding="utf-8"):
        if line.startswith("#") or not line.strip():
            continue
        name, template, mode, roles = (line.rstrip("\n").split("\t") + [""])[:4]
        rows.append((name, template, mode, roles.split()))
    return rows


def read_templates(paths):
    sections = {}
    for path in paths:
        read_template_file(path, sections)
    for section in sections.values():
        if section.same:
            section.record, section.lines = sections[section.same].record, sections[section.same].lines
    return sections


def read_template_file(path, sections):
    name = None
    for line in open(path, encoding="utf-8"):
        if line.startswith("%%"):
            name, call_class, record, same = re.fullmatch(r"%%\s*(\w+)\s+([A-Z_]+)\s*(?:\((\w+)\))?\s*(?:=\s*(\w+))?\s*",
                                                          line).groups()
            if name in sections:
                raise TableError(f"{path}: a second template {name}")
            sections[name] = Template(call_class, record, same)
        elif name:
            sections[name].lines.append(line)


class Template:
    """One section of the templates: its lines, the class of its calls, and where the record of its operation comes from ("borrows",
    "takes", "finds", "ends" or None)."""

    def __init__(self, call_class, record, same):
        self.call_class, self.record, self.same = call_class, record, same
        self.lines = []

    def text(self):
        return "".join(self.lines).strip("\n") + "\n"


class Wrapper:
    """One function that is wrapped or called: its number, prototype and roles."""

    def __init__(self, name, template, call_class, mode, roles, prototype):
        self.name, self.template, self.call_class, self.mode = name, template, call_class, mode
        self.prototype = prototype
        self.names = [f"argument_{i + 1}" for i in range(len(prototype.types))]
        if template != "-" and len(roles) != len(prototype.types):
            raise TableError(f"{name}: the table has {len(roles)} roles, mpi.h {len(prototype.types)} parameters")
        self.roles = {}
        for role, argument in zip(roles, self.names):
            self.roles[role.rstrip("?")] = argument
        self.in_place_unused = any(role.endswith("?") for role in roles)

    def flags(self, half=""):
        flags = []
        if (self.template.startswith("send") or self.template == "partitioned_send") and half != "recv_":
            flags.append("SEND")
        else:
            flags.append("RECEIVE")
        if self.template in ("send", "receive", "sendrecv", "sendrecv_replace", "mrecv"):
            flags.append("BLOCKING")
        if self.call_class == "PERSISTENT_INIT":
            flags.append("PAIRED")
        if self.template in ("mrecv", "imrecv"):
            flags.append("FROM_MESSAGE")
        if self.mode not in ("-", ""):
            flags.append(self.mode.upper())
        return " | ".join(f"MPILENS_OPERATION_{flag}" for flag in flags)

    def operation_flags(self):
        """Of the operations that it starts; "0": none."""
        if self.call_class in ("POINT_TO_POINT", "PERSISTENT_INIT"):
            return self.flags()
        if self.call_class == "COLLECTIVE_START":
            return "MPILENS_OPERATION_COLLECTIVE"
        if "request" in self.roles and self.mode in ("one_sided", "file", "communicator", "generalized", "buffer"):
            return f"MPILENS_OPERATION_{self.mode.upper()}"
        return "0"

    def has_collective_class(self):
        return self.call_class in ("COLLECTIVE", "COLLECTIVE_START")

    def role(self, name, half=""):
        return self.roles.get(half + name) or self.roles[name]

    def begin(self, half=""):
        return f"operation_begin(thread, {self.arguments(half)})"

    def arguments(self, half=""):
        return (f"(struct operation_arguments){{.site = site, "
                f".buffer = (uint64_t)(uintptr_t){self.role('buffer', half)}, .count = {self.element_count(half)}, "
                f".datatype = {self.role('datatype', half)}, "
                f".communicator = {self.role('communicator', half)}, .peer = {self.role('peer', half)}, "
                f".tag = {self.role('tag', half)}, .function = FUNCTION_{self.name}, .flags = {self.flags(half)}, "
                f".state = MPILENS_OPERATION_{'PERSISTENT' if self.call_class == 'PERSISTENT_INIT' else 'PENDING'}}}")

    def element_count(self, half=""):
        """Of the whole message."""
        partitions = f"(uint64_t){self.roles['partition_count']} * " if "partition_count" in self.roles else ""
        return f"{partitions}(uint64_t){self.role('count', half)}"

    def begin_message(self):
        return (f"operation_begin(thread, (struct operation_arguments){{.site = site, "
                f".buffer = (uint64_t)(uintptr_t){self.roles['buffer']}, .count = (uint64_t){self.roles['count']}, "
                f".datatype = {self.roles['datatype']}, .communicator = message_communicator(&message), "
                f".peer = message.state ? message.source : MPI_PROC_NULL, .tag = message.state ? message.tag : MPI_ANY_TAG, "
                f".function = FUNCTION_{self.name}, .flags = {self.flags()}, .state = MPILENS_OPERATION_PENDING}})")

    def collective_class(self):
        return f"MPILENS_COLLECTIVE_{self.mode.upper()}"

    def collective_arguments(self):
        buffer = self.roles.get("buffer")
        fields = [".site = site", f".function = FUNCTION_{self.name}", f".collective_class = {self.collective_class()}",
                  f".communicator = HANDLE_VALUE({self.roles['communicator']})"]
        given = f"{buffer} != MPI_IN_PLACE" if self.in_place_unused else "true"
        if buffer:
            fields.append(f".buffer = (uint64_t)(uintptr_t){buffer}")
        count = self.roles.get("count")
        if count and given != "true":
            count = f"{given} ? (int64_t){count} : -1"
        fields.append(f".count = {count or -1}")
        if "datatype" in self.roles:
            fields.append(f".datatype = HANDLE_VALUE({self.roles['datatype']})")
            fields.append(f".has_datatype = {given}")
        if "op" in self.roles:
            fields.append(f".op = HANDLE_VALUE({self.roles['op']})")
        if "root" in self.roles:
            fields.append(f".root = {self.roles['root']}")
            fields.append(".has_root = true")
        return "(struct collective_arguments){" + ", ".join(fields) + "}"

    def key(self):
        if "key_number" in self.roles:
            return f"hash_mix(FUNCTION_{self.name}, (uint64_t)(uint32_t){self.roles['key_number']})"
        if "key_text" in self.roles:
            return f"communicator_text_key({self.roles['key_text']})"
        return f"FUNCTION_{self.name}"

    def substitute(self, match):
        name = match[1]
        if name == "real":
            return f"mpilens__next.{self.name}({', '.join(self.names)})"
        if name == "function":
            return f"FUNCTION_{self.name}"
        if name == "mode":
            return self.mode.upper()
        if match[2]:
            return self.roles.get(name, match[2][1:])
        special = {"begin": self.begin, "arguments": self.arguments, "begin_send": lambda: self.begin("send_"), "begin_recv": lambda: self.begin("recv_"),
                   "begin_message": self.begin_message, "collective_arguments": self.collective_arguments, "class": self.collective_class,
                   "key": self.key}
        if name in special:
            return special[name]()
        if name not in self.roles:
            raise TableError(f"{self.name}: template {self.template} needs the role {name}")
        return self.roles[name]

    def source(self, templates):
        template = templates[self.template]
        body = re.sub(r"@(\w+)(\|\w+)?@", self.substitute, template.text())
        if template.record != "ends":
            body += "    call_end(thread);\n"
        values = {"name": self.name, "body": body, "parameters": self.prototype.declaration(self.names),
                  "more": "".join(f", {t.replace('@', n)}" for t, n in zip(self.prototype.types, self.names)),
                  "passed": "".join(f", {n}" for n in self.names),
                  "first": "".join(f"{t.replace('@', n)}, " for t, n in zip(self.prototype.types, self.names)),
                  "given": "".join(f"{n}, " for n in self.names), "arguments": ", ".join(self.names)}
        if template.record in (None, "ends"):
            return PLAIN_WRAPPER.format(**values)
        if template.record == "finds":
            return WAIT_WRAPPER.format(request=self.roles["request"], status=self.roles["status"], **values)
        values["place"] = ", ".join(self.roles[r] for r in ("communicator", "datatype", "peer"))
        takes = template.record == "takes"
        values["record"] = "operation_take(thread)" if takes else "operation_borrow(thread)"
        values["none_free"] = " || !thread->free_operations" if takes else ""
        values["refill"] = TAKE_IN_GENERAL.format(**values) if takes else ""
        return OPERATION_WRAPPER.format(**values)


def collect(table, prototypes, templates, exported):
    """The wrappers of what `prototypes` has and the library exports (`exported` None: everything)."""
    wrappers = []
    named = {row[0] for row in table}
    for name, template, mode, roles in table:
        if template != "-" and template not in templates:
            raise TableError(f"{name}: no template {template}")
        call_class = templates[template].call_class if template != "-" else "OTHER"
        for variant in (name, name + "_c"):
            if variant not in prototypes or (variant != name and variant in named) or (exported is not None and not exported & {variant, "P" + variant}):
                continue
            wrappers.append(Wrapper(variant, template, call_class, mode, roles, prototypes[variant]))
    return wrappers


def write_header(wrappers, removed, out):
    out.write("/* Generated from the table of MPI functions: numbers and the real functions. */\n"
              "#ifndef MPILENS_RUNTIME_GENERATED_FUNCTIONS_H\n#define MPILENS_RUNTIME_GENERATED_FUNCTIONS_H\n\n"
              '#include "mpi_traits.h"\n\n#include <stddef.h>\n#include <stdint.h>\n\n'
              "/* Where mpi.h has a message for whoever uses a removed function. */\n")
    for name in removed:
        out.write(f"#undef {name}\n")
    out.write("\n/* HAS_x: the MPI library has the function x. */\nenum mpilens__function_number {\n    FUNCTION_NONE,\n")
    for wrapper in wrappers:
        out.write(f"    FUNCTION_{wrapper.name},\n#define HAS_{wrapper.name} 1\n")
    out.write("    FUNCTION_COUNT\n};\n\n/* What functions there are. */\nstruct mpilens__real {\n")
    for wrapper in wrappers:
        out.write(f"    int (*{wrapper.name})({wrapper.prototype.declaration([''] * len(wrapper.names))});\n")
    out.write("};\n\n/* The functions of the MPI library itself. Never NULL. */\n"
              "extern struct mpilens__real mpilens__real __attribute__((visibility(\"hidden\")));\n\n"
              "/* What wrappers call: the same, but where another tool comes after this one its turn is next. */\n"
              "extern struct mpilens__real mpilens__next __attribute__((visibility(\"hidden\")));\n\n"
              "/* Where each of them stands, by number; and where those of other tools stand, which are NULL where they have none. */\n"
              "extern void *const mpilens__real_pointers[FUNCTION_COUNT] __attribute__((visibility(\"hidden\")));\n"
              "extern void *const mpilens__next_pointers[FUNCTION_COUNT] __attribute__((visibility(\"hidden\")));\n"
              "extern void *const mpilens__tool_pointers[FUNCTION_COUNT] __attribute__((visibility(\"hidden\")));\n\n"
              "/* What stands for another tool's function: calls that, or the library's where the call was for the library. NULL: not\n"
              " * wrapped. */\n"
              "extern void (*const mpilens__forwards[FUNCTION_COUNT])(void) __attribute__((visibility(\"hidden\")));\n\n"
              "/* A data symbol of the MPI library and where its address is to be stored; ends with a NULL symbol. */\n"
              "struct predefined_global {\n    const char *symbol;\n    void **address;\n};\n\n"
              "extern const struct predefined_global mpilens__predefined_globals[] __attribute__((visibility(\"hidden\")));\n\n"
              + "".join(f"struct predefined_{kind} {{\n    {type_} handle;\n    const char *name;\n}};\n\n"
                        f"size_t predefined_{kind}_count(void);\nstruct predefined_{kind} predefined_{kind}_get(size_t index);\n\n"
                        for kind, (type_, _, _) in PREDEFINED.items()) +
              "/* Says which function the MPI library lacks, and aborts. */\n"
              "_Noreturn void resolve_missing(uint32_t function);\n\n#endif\n")


def write_globals(global_names, out):
    out.write("/* Generated from mpi.h: where the objects are whose addresses are predefined handles. None where these are numbers. */\n"
              "#ifndef MPILENS_RUNTIME_PREDEFINED_GLOBALS_H\n#define MPILENS_RUNTIME_PREDEFINED_GLOBALS_H\n\n")
    for name in global_names:
        out.write(f"extern void *mpilens__address_of_{name} __attribute__((visibility(\"hidden\")));\n")
    out.write("\n#endif\n")


def write_source(wrappers, templates, global_names, out):
    out.write("/* Generated from the table of MPI functions, its templates and mpi.h: the wrappers. */\n"
              '#include "wrapper.h"\n\n')
    for name in global_names:
        out.write(f"void *mpilens__address_of_{name};\n")
    out.write("\nconst struct predefined_global mpilens__predefined_globals[] = {\n")
    for name in global_names:
        out.write(f"    {{\"{name}\", &mpilens__address_of_{name}}},\n")
    out.write("    {NULL, NULL},\n};\n\n")
    for wrapper in wrappers:
        parameters = wrapper.prototype.declaration(wrapper.names)
        unused = "".join(f"    (void){n};\n" for n in wrapper.names)
        out.write(f"#ifdef MPILENS_STATIC\nint P{wrapper.name}({parameters});\n#define REAL_{wrapper.name} P{wrapper.name}\n#else\n"
                  f"static int missing_{wrapper.name}({parameters})\n{{\n{unused}    resolve_missing(FUNCTION_{wrapper.name});\n}}\n"
                  f"#define REAL_{wrapper.name} missing_{wrapper.name}\n#endif\n\n")
    for table in ("real", "next"):
        out.write(f"struct mpilens__real mpilens__{table} = {{\n")
        for wrapper in wrappers:
            out.write(f"    .{wrapper.name} = REAL_{wrapper.name},\n")
        out.write("};\n\n")
    out.write("static struct mpilens__real tools;\n\n")
    for table, owner in (("real", "mpilens__real"), ("next", "mpilens__next"), ("tool", "tools")):
        out.write(f"void *const mpilens__{table}_pointers[FUNCTION_COUNT] = {{\n")
        for wrapper in wrappers:
            out.write(f"    [FUNCTION_{wrapper.name}] = &{owner}.{wrapper.name},\n")
        out.write("};\n\n")
    wrapped = [wrapper for wrapper in wrappers if wrapper.template != "-"]
    for wrapper in wrapped:
        out.write(FORWARD.format(name=wrapper.name, parameters=wrapper.prototype.declaration(wrapper.names), arguments=", ".join(wrapper.names)))
    out.write("void (*const mpilens__forwards[FUNCTION_COUNT])(void) = {\n")
    for wrapper in wrapped:
        out.write(f"    [FUNCTION_{wrapper.name}] = (void (*)(void))forward_{wrapper.name},\n")
    out.write("};\n\nconst struct mpilens_function mpilens__functions[FUNCTION_COUNT] = {\n")
    for wrapper in wrappers:
        collective = wrapper.collective_class() if wrapper.has_collective_class() else "-1"
        flags = wrapper.operation_flags()
        out.write(f"    [FUNCTION_{wrapper.name}] = {{.name = \"{wrapper.name}\", .call_class = MPILENS_CALL_"
                  f"{wrapper.call_class}, .flags = {flags}, .collective_class = {collective}}},\n")
    out.write("};\n\n")
    for kind, (_, null, names) in PREDEFINED.items():
        write_predefined(kind, null, names, out)
    for wrapper in wrappers:
        if wrapper.template != "-":
            out.write(wrapper.source(templates))


def write_predefined(kind, null, names, out):
    out.write(f"size_t predefined_{kind}_count(void)\n{{\n    size_t count = 0;\n")
    for name in names:
        out.write(f"#ifdef MPI_{name}\n    count++;\n#endif\n")
    out.write(f"    return count;\n}}\n\nstruct predefined_{kind} predefined_{kind}_get(size_t index)\n{{\n")
    for name in names:
        out.write(f"#ifdef MPI_{name}\n    if (index-- == 0)\n        return (struct predefined_{kind}){{MPI_{name}, \"MPI_{name}\"}};\n#endif\n")
    out.write(f"    return (struct predefined_{kind}){{{null}, \"\"}};\n}}\n\n")


def read_exported(path):
    """The functions that a library exports, PMPI_ names among them, one a line."""
    return {line.split()[0] for line in open(path, encoding="utf-8") if line.strip()}


def read_reasons(path):
    """Names and patterns of what is deliberately not wrapped, with the reason."""
    rows = [line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8") if line.strip() and not line.startswith("#")]
    for row in rows:
        if len(row) != 2 or not row[1]:
            raise TableError(f"{path}: a name, a tab and a reason are needed: {row[0]}")
    return rows


def reason_of(name, reasons):
    for pattern, reason in reasons:
        if fnmatch.fnmatchcase(name, pattern) or (name.endswith("_c") and fnmatch.fnmatchcase(name[:-2], pattern)):
            return reason
    return None


def summarize(exported, wrappers, table, reasons):
    """The lines of the summary, and the names that no table knows."""
    named = {row[0] for row in table}
    wrapped = {w.name for w in wrappers if w.template != "-"}
    lines, unknown, on_purpose = [], [], 0
    for name in sorted({re.sub(r"^P", "", name) for name in exported}):
        reason = reason_of(name, reasons) or ("mpi.h does not declare it" if name in named else None)
        if name in wrapped:
            lines.append(f"{name}\twrapped")
        elif reason:
            lines.append(f"{name}\tnot wrapped: {reason}")
            on_purpose += 1
        else:
            lines.append(f"{name}\tunknown")
            unknown.append(name)
    lines.append(f"{len(lines)} functions exported: {len(wrapped)} wrapped, {on_purpose} not wrapped on purpose, {len(unknown)} unknown")
    return lines, unknown


def write_summary(lines, unknown, strict, out):
    out.write("".join(line + "\n" for line in lines))
    for name in unknown:
        print(f"generate.py: the library exports {name}, which is neither in functions.tsv nor in not_wrapped.tsv", file=sys.stderr)
    if unknown and strict:
        raise TableError(lines[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    for option in ("table", "header", "removed", "exported", "output-header", "output-globals", "output-source", "not-wrapped", "output-summary"):
        parser.add_argument("--" + option, required=True)
    parser.add_argument("--templates", required=True, nargs="+")
    parser.add_argument("--strict", action="store_true")
    options = parser.parse_args()
    try:
        templates = read_templates(options.templates)
        header = read_header(options.header)
        prototypes = read_prototypes(header)
        removed = {name: p for name, p in read_prototypes(read_header(options.removed)).items() if name not in prototypes}
        exported = read_exported(options.exported)
        table = read_table(options.table)
        wrappers = collect(table, {**removed, **prototypes}, templates, exported)
        lines, unknown = summarize(exported, wrappers, table, read_reasons(options.not_wrapped))
        with open(options.output_summary, "w", encoding="utf-8") as out:
            write_summary(lines, unknown, options.strict, out)
        global_names = sorted(set(GLOBAL.findall(header)))
        with open(options.output_header, "w", encoding="utf-8") as out:
            write_header(wrappers, sorted(removed), out)
        with open(options.output_globals, "w", encoding="utf-8") as out:
            write_globals(global_names, out)
        with open(options.output_source, "w", encoding="utf-8") as out:
            write_source(wrappers, templates, global_names, out)
    except TableError as error:
        sys.exit(f"generate.py: {error}")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: BSD-3-Clause
"""Writes what the gdb scripts know of the public headers, as a module of Python.

Arguments: `structures` (structs and functions, for ctypes) or `contract` (numbers and words), and the headers.
"""
import re
import sys

CTYPES = {
    "char": "ctypes.c_char",
    "int": "ctypes.c_int",
    "size_t": "ctypes.c_size_t",
    "int32_t": "ctypes.c_int32",
    "uint32_t": "ctypes.c_uint32",
    "int64_t": "ctypes.c_int64",
    "uint64_t": "ctypes.c_uint64",
    "mqs_taddr_t": "ctypes.c_ulong",
    "mqs_tword_t": "ctypes.c_long",
}

STRUCTURES = '''# SPDX-License-Identifier: BSD-3-Clause
"""The structs of message_queue.h and extension.h as ctypes has them. Generated from these headers.

Those of extension.h begin with struct_size, by which each side knows how much the other one understands.
"""
import ctypes


def new(structure):
    """An empty one for the DLL to fill."""
    result = structure()
    if hasattr(result, 'struct_size'):
        result.struct_size = ctypes.sizeof(structure)
    return result
'''

CONTRACT = '''# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of message_queue.h, extension.h, object_kind.h and layout.h, and what they are called. Generated from these headers,
errors.def and words.def."""
'''


def without_comments(path):
    """The text of a header, each of its macros in one line."""
    with open(path, encoding="utf-8") as file:
        return re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S).replace("\\\n", " ")


# structures


def field(declaration):
    base, name, dimensions = re.fullmatch(r"(\w+) (\w+)((?:\[\d+\])*)", declaration).groups()
    kind = CTYPES[base]
    for length in reversed(re.findall(r"\d+", dimensions)):
        kind = f"{kind} * {length}"
    return f"('{name}', {kind})"


def structures(text):
    """(name, [field]) of the structs that hold no functions."""
    for tag, body, name in re.findall(r"struct (\w+)? ?\{([^{}]*)\}\s*(\w*);", text):
        if "(" not in body and "callbacks" not in name + tag and (name or tag).startswith(("mqs_", "mpilens_")):
            yield name or tag, [field(" ".join(one.split())) for one in body.split(";") if one.strip()]


def argument(parameter):
    if "*" in parameter:
        return "ctypes.c_void_p"
    kind = re.match(r"enum|\w+", parameter)[0]
    return "ctypes.c_int" if kind == "enum" else CTYPES[kind]


def functions(text):
    """(name, [argument]) of the functions of a process, without that."""
    for name, parameters in re.findall(r"^\w[\w *]*?\b(m\w+)\(mqs_process \*((?:,[^()]*)?)\);", text, flags=re.M):
        yield name, [argument(one.strip()) for one in parameters.split(",")[1:]]


def write_structures(text):
    print(STRUCTURES)
    for name, fields in structures(text):
        lines = ",\n        ".join(fields)
        print(
            f"\nclass {name}(ctypes.Structure):  # pylint: disable=invalid-name\n    _fields_ = [\n        {lines}]\n"
        )
    print("\n# What follows the mqs_process.\nARGUMENTS = {")
    for name, arguments in functions(text):
        print(f"    '{name}': [{', '.join(arguments)}],")
    print("}")


# contract


def value(expression, known):
    """The value of a constant expression; None: it is none."""
    plain = re.sub(r"\b(0x[0-9a-fA-F]+|\d+)[uU]\b", r"\1", expression)
    if not re.fullmatch(r"[\w\s|()+-]+", plain):
        return None
    try:
        return eval(plain, {"__builtins__": {}}, dict(known))  # pylint: disable=eval-used
    except (NameError, SyntaxError):
        return None


def numbers(text):
    """{name: number} of enumerations, plain macros and codes."""
    found = {}
    for body in re.findall(r"enum(?: \w+)? \{([^{}#]*)\}", text):
        following = 0
        for one in filter(None, (part.strip() for part in body.split(","))):
            name, _equals, expression = (part.strip() for part in one.partition("="))
            number = value(expression, found) if expression else following
            if number is None:
                break  # of characters
            found[name] = number
            following = number + 1
    for name, expression in re.findall(r"^#define (M\w+)[ \t]+(\S.*)$", text, flags=re.M):
        number = value(expression, found)
        if isinstance(number, int):
            found[name] = number
    for name, number in re.findall(r"\bCODE\((\w+), (\d+),", text):
        found[name] = int(number)
    return found


def words(text, known):
    """{list: [(number, word, phrase)]} of words.def; a text is None where there is none."""
    found = {}
    for name, body in re.findall(r"^#define MPILENS_(\w+)_WORDS\(WORD\)(.*)$", text, flags=re.M):
        rows = re.findall(r'WORD\((\w+), ("[^"]*"|NULL), ("[^"]*"|NULL)\)', body)
        if not rows:
            raise ValueError(f"{name}: no words")
        found[name.lower()] = [
            (known[constant], *(None if one == "NULL" else one[1:-1] for one in texts)) for constant, *texts in rows
        ]
    return found


def write_contract(text):
    known = numbers(text)
    print(CONTRACT)
    for name, number in known.items():
        print(f"{name} = {number}")
    for variable, column in (("WORDS", 1), ("PHRASES", 2)):
        print(f"\n{variable} = {{")
        for name, rows in words(text, known).items():
            print(f"    '{name}': {{")
            for row in rows:
                print(f"        {row[0]}: {row[column]!r},")
            print("    },")
        print("}")


def main():
    what, *headers = sys.argv[1:]
    text = "\n".join(without_comments(one) for one in headers)
    {"structures": write_structures, "contract": write_contract}[what](text)


if __name__ == "__main__":
    main()

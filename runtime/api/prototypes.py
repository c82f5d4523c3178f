# SPDX-License-Identifier: BSD-3-Clause
"""Declarations in an MPI's header: the prototypes of its functions, and the data symbols that are predefined handles."""
import re

PROTOTYPE = re.compile(r"\bint\s+(MPIX?_\w+)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)", re.S)

# Data symbols whose addresses are the predefined handles of some MPIs.
GLOBAL = re.compile(r"\bextern\s+(?:struct\s+\w+_predefined_\w+|int\s*\*\s*const)\s+(\w+)\s*;")


class Prototype:
    """One function as mpi.h declares it."""

    def __init__(self, name, parameters):
        self.name = name
        self.types = []
        if parameters.strip() in ("", "void"):
            return
        self.types = [parameter_type(parameter) for parameter in split_parameters(parameters)]

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


def parameter_type(parameter):
    """The parameter's declaration with @ where its name belongs."""
    text = " ".join(parameter.split())
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
    """The text of a preprocessed header, without line markers and attributes."""
    text = open(path, encoding="utf-8", errors="replace").read()
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    return re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", text)


def read_prototypes(text):
    return {m[1]: Prototype(m[1], m[2]) for m in PROTOTYPE.finditer(text)}


def global_names(text):
    """Names of the data symbols whose addresses are predefined handles, or that have such addresses."""
    return sorted(set(GLOBAL.findall(text)))

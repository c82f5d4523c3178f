# SPDX-License-Identifier: BSD-3-Clause
"""The DLL exports the functions and variables of its headers, each with a version, and nothing else, and needs nothing but libc, and no
allocator of it.

Arguments: nm, readelf, the DLL, its headers.
"""
import re
import subprocess
import sys

ALLOCATORS = {
    "malloc",
    "calloc",
    "realloc",
    "free",
    "strdup",
    "strndup",
    "asprintf",
    "qsort",
    "fopen",
    "getline",
    "aligned_alloc",
    "posix_memalign",
    "mmap",
}
# Declared for debuggers, defined by the runtime.
IN_THE_PROCESS = {"mpidbg_dll_locations"}
VERSION = re.compile(r"MPILENS_\d+")
SANITIZER = re.compile(r"__(asan|ubsan|tsan|sanitizer|sancov|odr_asan|gcov)|_gcov_")
LINKER = {"_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable", "__cxa_finalize", "__gmon_start__"}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def symbols(nm, library, which):
    names = {line.split()[-1].split("@")[0] for line in output(nm, "-D", which, library).splitlines()}
    return {name for name in names if not VERSION.fullmatch(name)}


def declared(headers):
    names = set()
    for header in headers:
        with open(header, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
        names |= set(re.findall(r"^(?!static inline)[a-z][\w ]*[ *](m(?:qs|pilens|pid|pidbg)_\w+)\(", text, flags=re.M))
        names |= set(re.findall(r"^extern [\w ]*[ *](mpidbg_\w+)(?:\[\w+\])?;", text, flags=re.M))
    return names - IN_THE_PROCESS


def main():
    nm, readelf, library, *headers = sys.argv[1:]
    problems = []
    wanted = declared(headers)
    exported = {name for name in symbols(nm, library, "--defined-only") if not SANITIZER.search(name)}
    if len(wanted) < 35:
        problems.append(f"only {len(wanted)} declarations found in the headers")
    if wanted - exported:
        problems.append(f"declared and not exported: {sorted(wanted - exported)}")
    if exported - wanted:
        problems.append(f"exported and not declared: {sorted(exported - wanted)}")
    undefined = symbols(nm, library, "--undefined-only")
    sanitized = any(SANITIZER.search(name) for name in undefined)
    if undefined & ALLOCATORS:
        problems.append(f"allocates by itself: {sorted(undefined & ALLOCATORS)}")
    dynamic = output(readelf, "-d", library)
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", dynamic))
    if not sanitized and needed - {"libc.so.6"}:
        problems.append(f"needs {sorted(needed)}")
    versioned = set(re.findall(r" (m\w+)@@MPILENS_\d+$", output(nm, "-D", "--defined-only", library), flags=re.M))
    if exported - versioned:
        problems.append(f"without a version: {sorted(exported - versioned)}")
    if "SONAME" not in dynamic or "libmpilens_dll.so.1]" not in dynamic:
        problems.append("has no number in its SONAME")
    if "BIND_NOW" not in dynamic and "NOW" not in dynamic:
        problems.append("is not linked with -z now")
    print(
        f"{len(exported)} functions and variables exported, {sorted(undefined - LINKER)} used, {sorted(needed)} needed"
    )
    for problem in problems:
        print("FAIL:", problem)
    return 1 if problems else 0


sys.exit(main())

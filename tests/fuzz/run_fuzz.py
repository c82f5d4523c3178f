# SPDX-License-Identifier: BSD-3-Clause
"""Builds the harness with clang and libFuzzer and runs it for some seconds; skips where there is no such clang.

Arguments: source root, build directory, seconds, generated header of function_facts.c.
"""
import glob
import os
import shutil
import subprocess
import sys

SKIP = 77


OF_COMMAND = ("job_facts.c", "opened_dll.c", "synthetic_job.c")  # the rest of the library is for the DLL


def build(clang, root, generated, program):
    sources = sorted(
        glob.glob(f"{root}/dll/*/*.c")
        + [path for path in glob.glob(f"{root}/tests/lib/*.c") if not path.endswith(OF_COMMAND)]
    )
    command = [
        clang,
        "-std=c11",
        "-g",
        "-O1",
        "-fsanitize=fuzzer,address,undefined",
        "-fno-sanitize-recover=all",
        '-DMPILENS_VERSION="fuzz"',
        f"-I{root}/include",
        f"-I{root}/dll",
        f"-I{root}/tests/lib",
        f"-I{os.path.dirname(generated)}",
        *(f"{root}/tests/fuzz/{name}.c" for name in ("fuzz_dll", "corruption", "image")),
        *sources,
        "-o",
        program,
    ]
    return subprocess.run(command, check=False).returncode == 0


def has_fuzzer(clang, directory):
    source = os.path.join(directory, "empty.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(
            "#include <stddef.h>\n#include <stdint.h>\n"
            "int LLVMFuzzerTestOneInput(const uint8_t *d, size_t s) { (void)d; (void)s; return 0; }\n"
        )
    command = [clang, "-fsanitize=fuzzer,address,undefined", source, "-o", os.path.join(directory, "empty")]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


def main():
    root, build_directory, seconds, generated = sys.argv[1:]
    directory = os.path.join(build_directory, "fuzz")
    corpus = os.path.join(directory, "corpus")
    os.makedirs(corpus, exist_ok=True)
    clang = shutil.which("clang")
    if not clang or not has_fuzzer(clang, directory):
        print("SKIP: clang with libFuzzer (libclang-rt-dev) is not installed")
        return SKIP
    program = os.path.join(directory, "fuzz_dll")
    if not build(clang, root, generated, program):
        return 1
    return subprocess.run(
        [
            program,
            f"-max_total_time={seconds}",
            "-timeout=20",
            "-max_len=160",
            "-len_control=0",
            "-seed=1",
            "-print_final_stats=1",
            f"-artifact_prefix={directory}/",
            corpus,
        ],
        check=False,
    ).returncode


sys.exit(main())

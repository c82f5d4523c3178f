# SPDX-License-Identifier: BSD-3-Clause
"""The conformance kit as installed, built with pkg-config as its README says: it finds nothing wrong with the reference host, and says of each
broken one what is broken."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIP = 77
RANGE_CHECK = "return mqs_no_information;\n    memcpy"
# A change in the reference host, and the complaint that it must cause.
BROKEN = [
    (RANGE_CHECK, "return mqs_ok;\n    memcpy", "says that it has read all bytes where one cannot be read"),
    ("memory + offset,", "memory + offset / 2,", "gives other bytes than the process has"),
    ('strcmp(name, "mpilens_process") != 0', "name == NULL", "finds a symbol that does not exist"),
    ("= image->target->symbol", "= image->target->symbol + 1", "does not find mpilens_process where it is"),
    (
        "return process->info;",
        "return process != NULL ? NULL : process->info;",
        "mqs_get_process_info_fp does not give what was put",
    ),
    (
        "return image->info;",
        "return image != NULL ? NULL : image->info;",
        "mqs_get_image_info_fp does not give what was put",
    ),
]


def main():
    build = sys.argv[1]
    if shutil.which("pkg-config") is None or shutil.which("cc") is None:
        print("SKIPPED: pkg-config or cc is not installed")
        return SKIP
    with tempfile.TemporaryDirectory(prefix="mpilens-kit-") as root:
        subprocess.run(
            ["meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", root],
            check=True,
            stdin=subprocess.DEVNULL,
        )
        (kit,) = glob.glob(f"{root}/**/examples/kit", recursive=True)
        (description,) = glob.glob(f"{root}/**/pkgconfig/mpilens.pc", recursive=True)
        (library,) = glob.glob(f"{root}/**/libmpilens_dll.so.1", recursive=True)
        environment = dict(
            os.environ,
            PKG_CONFIG_PATH=os.path.dirname(description),
            PKG_CONFIG_SYSROOT_DIR=root,
            LD_LIBRARY_PATH=os.path.dirname(library),
        )
        with open(f"{kit}/README.md", encoding="utf-8") as file:
            commands = re.search(r"((?:    .*\n)+)", file.read())[1].replace("cc -std", "cc -Wall -Wextra -Werror -std")

        def check():
            return subprocess.run(
                ["sh", "-e", "-c", commands],
                cwd=kit,
                env=environment,
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )

        wrong = []
        result = check()
        if result.returncode != 0 or result.stdout != "4 targets, 0 problems\n":
            wrong.append(f"reference host: {result}")
        with open(f"{kit}/reference_host.c", encoding="utf-8") as file:
            reference = file.read()
        for part, broken, said in BROKEN:
            if reference.count(part) != 1:
                wrong.append(f"{part}: not in the reference host")
                continue
            with open(f"{kit}/reference_host.c", "w", encoding="utf-8") as file:
                file.write(reference.replace(part, broken))
            result = check()
            if result.returncode != 1 or said not in result.stdout:
                wrong.append(f"{broken}: expected {said}: {result}")
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main())

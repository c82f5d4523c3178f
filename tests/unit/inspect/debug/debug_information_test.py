# SPDX-License-Identifier: BSD-3-Clause
"""Programs of several compilers, optimized or not, with their debug information in several places: each must be read as its source is."""
import argparse
import concurrent.futures
import contextlib
import ctypes
import functools
import gzip
import http.server
import itertools
import lzma
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading

SECONDS = 60
LEVELS = ("-O0", "-O2", "-O2 -flto")
FORMS = ("-g", "-gsplit-dwarf", "debuglink")
IS_FULL = os.environ.get("MPILENS_TEST_LENGTH", "full") == "full"

# By language: source, the functions from the innermost on ("WHERE name" stands in the source as "in WHERE"), and variables.
LAMBDA = "app::(anonymous namespace)::Exchanger<int>::exchange::{lambda}"
PROGRAMS = {
    "c": (
        "program.c",
        ["inner inner", "middle middle", "main main"],
        {"requests[1]": 8193, "column": 8202, "row": 12288, "inner::requests[2]": 8194, "global": 4096, "hidden": 4097},
    ),
    "c++": ("program.cc", [f"receive {LAMBDA}"], {"column": 8202, "row": 8192}),
    "fortran": (
        "program.f90",
        ["exchange exchange_module::exchange"],
        {"column(2)": 8192, "Exchange::COLUMN(3)": 8192, "requests(1)": 8192, "row": 4096},
    ),
}


class Failed(Exception):
    pass


class Skipped(Exception):
    pass


def run(*command, directory):
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode != 0:
        raise Failed(f'{" ".join(command)}: {done.stderr}')
    return done.stdout


def find_line(path, where):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if re.search(rf"(/\*|//|!) in {where}\b", line):
                return number
    raise ValueError(where)


class Program:
    """One of the programs, built in a directory of its own."""

    def __init__(self, arguments, directory, compiler, language, options):
        self.arguments = arguments
        self.directory = directory
        self.source, self.functions, self.variables = PROGRAMS[language]
        self.options = options.split()
        self.compiler = compiler
        self.c_compiler = arguments.c_of[compiler]
        self.path = os.path.join(directory, "program")

    def build(self):
        linker = ["-fuse-ld=lld"] if "clang" in self.c_compiler and "-flto" in self.options else []
        source = os.path.join(self.arguments.sources, self.source)
        run(
            self.c_compiler,
            *self.options,
            "-c",
            os.path.join(self.arguments.sources, "stop.c"),
            directory=self.directory,
        )
        run(self.compiler, *self.options, "-c", source, "-o", "program.o", directory=self.directory)
        run(self.compiler, *self.options, *linker, "program.o", "stop.o", "-o", "program", directory=self.directory)

    def strip(self):
        run("objcopy", "--only-keep-debug", "program", "program.debug", directory=self.directory)
        run("strip", "program", directory=self.directory)
        run("objcopy", "--add-gnu-debuglink=program.debug", "program", directory=self.directory)

    def read(self, *variables, change=lambda: None, environment=None):
        """Lines that the reader says of the program, which stands in stop(); `change` happens while it does."""
        process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            address = process.stdout.readline().strip()
            change()
            done = subprocess.run(
                [self.arguments.reader, str(process.pid), address, *variables],
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
                env=dict(os.environ, **(environment or {})),
            )
        finally:
            process.stdin.close()
            process.wait(SECONDS)
            process.stdout.close()
        if done.returncode != 0:
            raise Failed(f"the reader: {done.returncode} {done.stderr}")
        return done.stdout.splitlines()

    def check_hint(self, hint, function="? ?:0"):
        said = self.read()
        if said[0] != function or said[-1] != hint or len(said) != 3:
            raise Failed(f"expected {function} and {hint}, not {said}")
        return said

    def expected_functions(self):
        path = os.path.join(self.arguments.sources, self.source)
        return [
            f"{name} {self.source}:{find_line(path, where)}"
            for where, _, name in (function.partition(" ") for function in self.functions)
        ]

    def check(self, **how):
        lines = self.read(*self.variables, **how)
        functions = self.expected_functions()
        wrong = [f"{functions}, not {lines}"] if lines[: len(functions)] != functions else []
        for name, value in self.variables.items():
            if not any(line.startswith(f"{name} = {value} ") for line in lines):
                wrong.append(f"{name} = {value}, not {[line for line in lines if line.startswith(name)]}")
        if wrong:
            raise Failed("expected " + "; ".join(wrong))
        return lines

    def check_offset(self, lines, file):
        """The place stands behind the functions and variables; addr2line takes it. Of LTO it knows lines, but no files."""
        place = next((line for line in lines if line.startswith("program+0x")), None)
        if place is None:
            raise Failed(f"no offset in {lines}")
        done = subprocess.run(
            ["addr2line", "-e", file, place.partition("+")[2]],
            cwd=self.directory,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        wanted = self.expected_functions()[0].rpartition(":")[2]
        if done.stdout.split(" (")[0].strip().rpartition(":")[2] != wanted:
            raise Failed(f"{place} is in line {wanted}, not {done.stdout} {done.stderr}")


def make_fifo(path):
    """It never gets a writer: opening it as usual waits for ever."""
    os.remove(path)
    os.mkfifo(path)


@contextlib.contextmanager
def c_program(arguments, options):
    with tempfile.TemporaryDirectory(prefix="mpilens-debug-") as directory:
        program = Program(arguments, directory, "gcc", "c", options)
        program.build()
        yield program


def check_part_of_function(arguments):
    """The compiler has made a function of what stands in a parallel region."""
    with tempfile.TemporaryDirectory(prefix="mpilens-debug-") as directory:
        program = Program(arguments, directory, "gcc", "c", "-g -fopenmp")
        program.source, program.functions, program.variables = "parallel.c", ["parallel main._omp_fn.0"], {}
        program.build()
        program.check()


def check_first_line(arguments):
    if shutil.which("gfortran") is None:
        raise Skipped("there is no gfortran")
    with tempfile.TemporaryDirectory(prefix="mpilens-debug-") as directory:
        program = Program(arguments, directory, "gfortran", "fortran", "-g")
        program.source = "first_line.f90"
        program.build()
        program.check_hint(
            "the compiler has given calls in program the line where their procedure begins: they are shown without a line",
            function="halo ?:0",
        )


def check_rebuilt(arguments):
    def rebuild():
        os.remove(program.path)
        shutil.copy("/bin/true", program.path)

    with c_program(arguments, "-O2 -g") as program:
        program.check(change=rebuild)


def check_deleted(arguments):
    with c_program(arguments, "-O2 -g") as program:
        program.check(change=lambda: os.remove(program.path))


def check_fifo_of_split(arguments):
    with c_program(arguments, "-O2 -g -gsplit-dwarf") as program:
        line = f"main {program.expected_functions()[0].split()[1]}"
        said = program.read("row", change=lambda: make_fifo(os.path.join(program.directory, "program.dwo")))
        if said[0] != line or "no variable row" not in said[1]:
            raise Failed(f"expected {line}, not {said}")


def check_fifo_of_link(arguments):
    with c_program(arguments, "-O2 -g") as program:
        program.strip()
        make_fifo(os.path.join(program.directory, "program.debug"))
        path = os.path.join(program.directory, "program.debug")
        program.check_hint(
            f"{path} is no regular file, and is not opened: put program.debug, with the debug information of program, there"
        )


def check_other_link(arguments):
    with c_program(arguments, "-O2 -g -Wl,--build-id") as program:
        program.strip()
        path = os.path.join(program.directory, "program.debug")
        shutil.copy("/bin/true", path)
        program.check_hint(
            f"{path} is of another build: put program.debug, with the debug information of program, there"
        )


def check_damaged_section(arguments):
    """The compressed bytes are no such any more."""
    with c_program(arguments, "-O2 -g -gz") as program:
        sections = run("readelf", "-SW", "program", directory=program.directory)
        offset = int(re.search(r" \.debug_info +PROGBITS +\w+ (\w+)", sections)[1], 16)
        with open(program.path, "r+b") as file:
            file.seek(offset + 24 + 2)  # behind the header and what zlib begins with
            file.write(b"\xff" * 16)
        program.check_hint("the debug information of program is damaged: build it again", function="main ?:0")


def check_compressed_sections(arguments):
    """Read again and again, before and after libdw has unpacked them."""
    for form in ("-gz", "-gz=zlib-gnu"):
        with c_program(arguments, f"-O2 -g {form}") as program:
            program.check()


def add_symbols(program, packed):
    """As linkers of Fedora do: packed in a section of the stripped program."""
    with open(os.path.join(program.directory, "symbols.xz"), "wb") as file:
        file.write(packed)
    run("strip", "program", directory=program.directory)
    run("objcopy", "--add-section", ".gnu_debugdata=symbols.xz", "program", directory=program.directory)


def check_packed_symbols(arguments):
    with c_program(arguments, "-O2") as program:
        with open(program.path, "rb") as file:
            add_symbols(program, lzma.compress(file.read()))
        program.check_hint("compile program with -g, and do not strip it", function="main ?:0")


def check_dense_symbols(arguments):
    """Symbols that are large themselves, or in a section that claims to be 4 GiB once it is unpacked, or packed as libdw alone knows."""
    with c_program(arguments, "-O2") as program:
        with open(program.path, "rb") as file:
            symbols = file.read()
        for packed in (
            lzma.compress(bytes(1 << 25)),
            lzma.compress(claim_section(symbols, ".comment", 1 << 32)),
            gzip.compress(symbols),
            lzma.compress(symbols)[:-1],
        ):
            with open(program.path, "wb") as file:
                file.write(symbols)
            add_symbols(program, packed)
            program.check_hint(
                "the debug information of program is damaged, too large or packed more densely than compilers do, and is not read"
            )


def claim_section(elf, name, size):
    """The file with one section that claims to be compressed, of this many bytes."""
    elf = bytearray(elf)
    (headers,) = struct.unpack_from("<Q", elf, 40)
    entry, count, names = struct.unpack_from("<HHH", elf, 58)
    (texts,) = struct.unpack_from("<Q", elf, headers + names * entry + 24)
    for at in range(headers, headers + count * entry, entry):
        (text,) = struct.unpack_from("<I", elf, at)
        if elf[texts + text : elf.index(b"\0", texts + text)].decode() == name:
            (offset,) = struct.unpack_from("<Q", elf, at + 24)
            struct.pack_into("<Q", elf, at + 8, 0x800)  # SHF_COMPRESSED
            struct.pack_into("<IIQQ", elf, offset, 1, 0, size, 1)
            return bytes(elf)
    raise Failed(f"no section {name}")


def check_packed_link(arguments):
    """The link's target is packed as a whole; no build id tells that it is another file."""
    with c_program(arguments, "-O2 -g -Wl,--build-id=none") as program:
        run("objcopy", "--only-keep-debug", "program", "unpacked", directory=program.directory)
        run("gzip", "-k", "unpacked", directory=program.directory)
        os.rename(
            os.path.join(program.directory, "unpacked.gz"), path := os.path.join(program.directory, "program.debug")
        )
        run("strip", "program", directory=program.directory)
        run("objcopy", "--add-gnu-debuglink=program.debug", "program", directory=program.directory)
        program.check_hint(
            f"{path} is damaged, too large or packed more densely than compilers do, and is not read: "
            "put program.debug, with the debug information of program, there"
        )


class FileHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def check_server(arguments):
    build_id = "0123456789abcdef" * 2 + "01234567"
    try:
        ctypes.CDLL("libdebuginfod.so.1")
    except OSError:
        raise Skipped("there is no libdebuginfod") from None
    with c_program(arguments, f"-O2 -g -Wl,--build-id=0x{build_id}") as program:
        program.strip()
        files = os.path.join(program.directory, "files", "buildid", build_id)
        os.makedirs(files)
        os.rename(os.path.join(program.directory, "program.debug"), os.path.join(files, "debuginfo"))
        handler = functools.partial(FileHandler, directory=os.path.join(program.directory, "files"))
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                program.check(environment=debuginfod_environment(program, server.server_address[1]))
            finally:
                server.shutdown()
                thread.join()


def debuginfod_environment(program, port):
    return {
        "DEBUGINFOD_URLS": f"http://127.0.0.1:{port}",
        "DEBUGINFOD_CACHE_PATH": os.path.join(program.directory, "cache"),
    }


def check_silent_server(arguments):
    with c_program(arguments, "-O2 -g -Wl,--build-id") as program, socket.create_server(("127.0.0.1", 0)) as server:
        program.strip()
        os.remove(os.path.join(program.directory, "program.debug"))
        said = program.read(environment=debuginfod_environment(program, server.getsockname()[1]))
        if said[0] != "? ?:0":
            raise Failed(f"expected nothing, not {said}")


def check_cell(arguments, compiler, language, level, form):
    with tempfile.TemporaryDirectory(prefix="mpilens-debug-") as directory:
        program = Program(
            arguments, directory, compiler, language, f"{level} -g" + (f" {form}" if form[0] == "-" else "")
        )
        program.build()
        if form == "debuglink":
            program.strip()
        lines = program.check()
        if form != "-gsplit-dwarf":  # addr2line of Binutils 2.40 finds no lines there
            program.check_offset(lines, "program.debug" if form == "debuglink" else "program")


def check_stripped(arguments, options):
    with c_program(arguments, f"-O2 -g {options}") as program:
        shutil.copy(program.path, os.path.join(program.directory, "unstripped"))
        run("strip", "program", directory=program.directory)
        program.check_offset(program.check_hint("compile program with -g, and do not strip it"), "unstripped")


def check_position_independent(arguments):
    check_stripped(arguments, "-fPIE -pie")


def check_fixed_position(arguments):
    check_stripped(arguments, "-fno-pie -no-pie")


def check_partly_compiled_with_debug_information(arguments):
    with c_program(arguments, "-O2 -g") as program:
        run(
            "gcc",
            "-O2",
            "-c",
            os.path.join(arguments.sources, program.source),
            "-o",
            "program.o",
            directory=program.directory,
        )
        run("gcc", "program.o", "stop.o", "-o", "program", directory=program.directory)
        program.check_hint("not all of program was compiled with -g", "main ?:0")


CHECKS = (
    check_position_independent,
    check_fixed_position,
    check_partly_compiled_with_debug_information,
    check_part_of_function,
    check_first_line,
    check_rebuilt,
    check_deleted,
    check_fifo_of_split,
    check_fifo_of_link,
    check_other_link,
    check_damaged_section,
    check_compressed_sections,
    check_packed_symbols,
    check_dense_symbols,
    check_packed_link,
    check_server,
    check_silent_server,
)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reader", required=True, type=os.path.abspath)
    parser.add_argument("--sources", required=True, type=os.path.abspath)
    arguments = parser.parse_args()
    compilers = [
        ("gcc", "c", "gcc"),
        ("clang", "c", "clang"),
        ("g++", "c++", "gcc"),
        ("clang++", "c++", "clang"),
        ("gfortran", "fortran", "gcc"),
        ("flang", "fortran", "clang"),
        ("flang-new", "fortran", "clang"),
    ]
    compilers = [(name, language, c) for name, language, c in compilers if shutil.which(name) and shutil.which(c)]
    arguments.c_of = {name: c for name, _, c in compilers}
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        tasks = {check.__name__: pool.submit(check, arguments) for check in CHECKS}
        for name, language, c_compiler in compilers:
            for level, form in itertools.product(LEVELS, FORMS) if IS_FULL else zip(LEVELS, FORMS):
                if "flto" in level and c_compiler == "clang" and not shutil.which("ld.lld"):
                    print(f"{name} {level}: skipped, there is no ld.lld")
                    continue
                if "flto" in level and c_compiler == "gcc" and form == "-gsplit-dwarf":
                    print(
                        f"{name} {level} {form}: skipped, there is nothing to read: gcc disables the one for the other"
                    )
                    continue
                tasks[f"{name} {level} {form}"] = pool.submit(check_cell, arguments, name, language, level, form)
        for name, task in tasks.items():
            try:
                task.result()
                print(f"{name}: right")
            except Skipped as skipped:
                print(f"{name}: skipped, {skipped}")
            except (Failed, subprocess.TimeoutExpired) as failure:
                failures += 1
                print(f"{name}: {failure}")
    return 1 if failures > 0 or not tasks else 0


if __name__ == "__main__":
    sys.exit(main())

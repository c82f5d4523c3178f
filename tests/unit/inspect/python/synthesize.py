# SPDX-License-Identifier: BSD-3-Clause
"""synthesize.py PROGRAM: an image of the memory of CPython 3.14, as a recording, of waiting.py or failing.py.

The structs are those of the headers of CPython 3.14 (pycore_debug_offsets.h, pycore_interpframe_structs.h, cpython/code.h,
cpython/pystate.h, cpython/unicodeobject.h, pycore_dict.h); instructions and tables of lines are made up. Nobody has compared it
with a process."""
import struct
import sys

PID = 4711
memory = {}
next_address = 0x7F0000001000


def place(content):
    """Puts bytes somewhere, with a gap behind; returns where."""
    global next_address
    address = next_address
    memory[address] = bytes(content)
    next_address += (len(content) + 0x3F) & ~0xF
    return address


def record(size, **members):
    """`members`: aN=VALUE of 8 bytes, iN=VALUE of 4, bN=VALUE of 1, at offset N."""
    content = bytearray(size)
    for name, value in members.items():
        form = {"a": "<Q", "i": "<i", "b": "<B"}[name[0]]
        struct.pack_into(form, content, int(name[1:]), value)
    return content


def name_of(text):
    return place(text.encode() + b"\0" * 140)


def make_type(name, flags):
    return place(record(416, a24=name_of(name), a168=flags))


TEXT, BYTES, TUPLE = make_type("str", 1 << 28), make_type("bytes", 1 << 27), make_type("tuple", 1 << 26)
INTEGER, DICTIONARY, CODE = make_type("int", 1 << 24), make_type("dict", 1 << 29), make_type("code", 0)


def text(value):
    kind = 1 if max(map(ord, value)) < 256 else 2 if max(map(ord, value)) < 65536 else 4
    is_ascii = value.isascii()
    header = record(40, a8=TEXT, a16=len(value), i32=kind << 2 | 1 << 5 | is_ascii << 6)
    characters = b"".join(ord(one).to_bytes(kind, "little") for one in value)
    return place(header + (b"" if is_ascii else bytes(16)) + characters)


def make_bytes(value):
    return place(record(32, a8=BYTES, a16=len(value)) + value)


def number(value):
    return place(record(28, a8=INTEGER, a16=8 | (0 if value > 0 else 2), i24=abs(value)))


def make_tuple(*items):
    return place(record(32, a8=TUPLE, a16=len(items)) + struct.pack(f"<{len(items)}Q", *items))


def signed(value):
    value = value << 1 if value >= 0 else -value << 1 | 1
    content = bytearray()
    while value >= 0x40:
        content.append(value & 0x3F | 0x40)
        value >>= 6
    content.append(value)
    return bytes(content)


def code(path, name, first_line, steps):
    """`steps`: lines of the pairs of instructions one after the other."""
    table, line = bytearray(), first_line
    for step in steps:
        table += bytes([0x80 | 13 << 3 | 1]) + signed(step - line)
        line = step
    instructions = 208
    content = record(
        instructions + 8 * len(steps),
        a8=CODE,
        i68=first_line,
        a112=text(path),
        a120=text(name),
        a136=make_bytes(bytes(table)),
    )
    address = place(content)
    return address, lambda step: address + instructions + 4 * step


OFFSETS = dict(previous=8, code=0, instruction=56, owner=74)


def frame(executable, instruction, previous, owner=0, mark=1):
    return place(record(96, a0=executable | mark, a8=previous, a56=instruction, b74=owner))


def frame_object(of):
    return place(record(64, a24=of))


def traceback(at, line, following):
    return place(record(40, a16=following, a24=at, i32=0, i36=line))


def exception(type_name, arguments, trace):
    return place(record(80, a8=make_type(type_name, 1 << 30), a24=make_tuple(*arguments), a40=trace))


def dictionary(**items):
    """Of texts."""
    entries = b"".join(struct.pack("<QQ", text(key), value) for key, value in items.items())
    keys = record(32, b8=3, b9=3, b10=1, a24=len(items)) + bytes(8) + entries
    return place(record(48, a8=DICTIONARY, a32=place(keys)))


def debug_offsets():
    words = [int.from_bytes(b"xdebugpy", "little"), 0x030E00F0, 0, 500_000, 800, 824]
    words += [300_000, 7400, 7392, 7480, 7488, 9000, 7700, 7784, 7792, 7300, 7900, 0, 7950, 7940, 8000, 0]
    words += [760, 0, 8, 16, 72, 152, 160, 240, 32]
    words += [96, 8, 0, 56, 80, 74, 64, 0]
    words += [216, 112, 120, 128, 136, 68, 52, 96, 104, 208, 0]
    words += [16, 8, 416, 24, 88, 168, 40, 32, 16, 40, 24, 16, 200, 24, 40, 32, 48, 32, 40, 24, 16]
    words += [32, 16, 24, 33, 16, 32, 64, 32, 16, 40]
    assert len(words) == 81
    return words


def process(thread, system):
    interpreter = place(record(7800, a7392=0, a7480=thread, a7784=system))
    runtime = struct.pack("<81Q", *debug_offsets()) + bytes(1000 - 81 * 8)
    runtime = bytearray(runtime)
    struct.pack_into("<Q", runtime, 824, interpreter)
    return place(runtime)


def thread_state(current, handled):
    item = place(struct.pack("<QQ", 0, 0))
    item = place(struct.pack("<QQ", handled, item))
    return place(record(760, a72=current, a120=item, a152=1, a160=PID))


def waiting():
    path = "waiting.py"
    module, module_at = code(path, "<module>", 1, [2, 39, 40])
    solve, solve_at = code(path, "solve", 34, [35, 36])
    exchange, exchange_at = code(path, "exchange", 21, [22, 23, 24, 23, 26, 27])
    find, find_at = code(path, "find", 16, [17, 18])
    wait, wait_at = code(path, "wait", 10, [11, 12, 13])
    entry = frame(0, 0, 0, owner=3, mark=0)
    outer = frame(module, module_at(2), entry)
    outer = frame(solve, solve_at(1), outer)
    outer = frame(exchange, exchange_at(5), outer)
    raised = frame(find, find_at(1), 0, owner=2)
    trace = traceback(frame_object(raised), 18, 0)
    trace = traceback(frame_object(outer), 23, trace)
    no_cell = exception("NoCell", [text("no cell \u00fc\u4e2d\U0001f600"), number(1)], trace)
    return process(thread_state(frame(wait, wait_at(2), outer), no_cell), dictionary(path=text("x")))


def failing():
    path = "failing.py"
    clean_up, clean_up_at = code(path, "clean_up", 6, [8, 9, 10])
    exchange, exchange_at = code(path, "exchange", 13, [14])
    raised = frame(exchange, exchange_at(0), 0, owner=2)
    error = exception("KeyError", [text("north")], traceback(frame_object(raised), 14, 0))
    entry = frame(0, 0, 0, owner=3, mark=0)
    return process(
        thread_state(frame(clean_up, clean_up_at(2), entry), 0), dictionary(path=text("x"), last_value=error)
    )


runtime_address = {"waiting": waiting, "failing": failing}[sys.argv[1]]()
print("process", PID)
print("symbol _PyRuntime", f"{runtime_address:x}")
for start, bytes_there in sorted(memory.items()):
    print("memory", f"{start:x}", bytes_there.hex())

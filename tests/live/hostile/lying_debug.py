# SPDX-License-Identifier: BSD-3-Clause
"""Gives a program debug information that lies: copies it, with other bytes for one of its sections. Usage: lying_debug.py LIE FROM TO"""
import lzma
import shutil
import struct
import subprocess
import sys
import zlib

COMPRESSED = 0x800  # SHF_COMPRESSED
ZLIB = 1  # ELFCOMPRESS_ZLIB
BLOCK = 1 << 20


def zeros(count):
    """`count` times as many zeros as a block has, as zlib writes them, and their number."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    again = packer.compress(bytes(BLOCK)) + packer.flush(zlib.Z_FULL_FLUSH)
    adler = count * BLOCK % 65521 << 16 | 1
    return b"\x78\x9c" + again * count + packer.flush() + struct.pack(">I", adler), count * BLOCK


def claims():
    return ".debug_info", b"\x78\x9c" + bytes(100), 1 << 32


def unpacks():
    return (".debug_info", *zeros(4096))


def lines():
    """A line program of 2^24 rows, not packed: every byte adds one."""
    opcodes, standard = 13, bytes([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
    count = 16
    header = struct.pack("<BBbBB", 1, 1, -5, 14, opcodes) + standard + b"\0" + b"liar.c\0\0\0\0" + b"\0"
    body = struct.pack("<HI", 3, len(header)) + header
    return ".debug_line", struct.pack("<I", len(body) + count * BLOCK) + body + b"\x01" * (count * BLOCK), None


def number(value):
    """As xz writes it: seven bits in each byte, the last ones first."""
    return bytes([value]) if value < 0x80 else bytes([value & 0x7F | 0x80]) + number(value >> 7)


def symbols(source, target):
    """.gnu_debugdata in a stripped file, which unpacks to 4 GiB: xz with one block again and again."""
    block_bytes, count = 1 << 24, 256
    one = lzma.compress(bytes(block_bytes), check=lzma.CHECK_CRC32)
    header, footer = one[:12], one[-12:]
    index_bytes = (struct.unpack_from("<I", footer, 4)[0] + 1) * 4
    block = one[12 : -12 - index_bytes]
    _, at = one[-12 - index_bytes + 1], -12 - index_bytes + 2
    unpadded = shift = 0
    while True:
        unpadded |= (one[at] & 0x7F) << shift
        shift += 7
        at += 1
        if one[at - 1] < 0x80:
            break
    index = b"\0" + number(count) + (number(unpadded) + number(block_bytes)) * count
    index += bytes(-len(index) % 4)
    index += struct.pack("<I", zlib.crc32(index))
    sizes = struct.pack("<I", len(index) // 4 - 1) + footer[8:10]
    packed = target + ".xz"
    with open(packed, "wb") as file:
        file.write(header + block * count + index + struct.pack("<I", zlib.crc32(sizes)) + sizes + b"YZ")
    line = ["objcopy", "--strip-all", "--add-section", f".gnu_debugdata={packed}", source, target]
    return subprocess.run(line, check=False).returncode


def main():
    lie, source, target = sys.argv[1:]
    if lie == "symbols":
        return symbols(source, target)
    section, packed, unpacked = {"claims": claims, "unpacks": unpacks, "lines": lines}[lie]()
    shutil.copy(source, target)
    with open(target, "r+b") as file:
        elf = bytearray(file.read())
        (headers,) = struct.unpack_from("<Q", elf, 40)
        entry, count, names = struct.unpack_from("<HHH", elf, 58)
        (texts,) = struct.unpack_from("<Q", elf, headers + names * entry + 24)
        for at in range(headers, headers + count * entry, entry):
            (name,) = struct.unpack_from("<I", elf, at)
            if elf[texts + name : elf.index(b"\0", texts + name)].decode() == section:
                content = packed
                if unpacked is not None:
                    (flags,) = struct.unpack_from("<Q", elf, at + 8)
                    struct.pack_into("<Q", elf, at + 8, flags | COMPRESSED)
                    content = struct.pack("<IIQQ", ZLIB, 0, unpacked, 1) + packed
                struct.pack_into("<QQ", elf, at + 24, (len(elf) + 7) & ~7, len(content))
                file.seek(0, 2)
                file.write(bytes(-len(elf) % 8) + content)
                file.seek(0)
                file.write(elf)
                return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())

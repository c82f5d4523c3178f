# SPDX-License-Identifier: BSD-3-Clause
"""Pictures in PNG format, as pixels."""
import struct
import zlib


def unfilter(kind, line, above, size):
    """One line of a PNG file, as its bytes were: section 9 of the standard."""
    for i in range(len(line)):
        left = line[i - size] if i >= size else 0
        up = above[i]
        corner = above[i - size] if i >= size else 0
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        elif kind == 4:
            estimate = left + up - corner
            guess = min((left, up, corner), key=lambda byte: abs(estimate - byte))
        else:
            guess = 0
        line[i] = (line[i] + guess) & 255
    return line


def read_picture(data):
    """Rows of pixels (red, green, blue)."""
    assert data[:8] == b'\x89PNG\r\n\x1a\n', 'this is no PNG picture'
    place, packed = 8, b''
    while place < len(data):
        length, kind = struct.unpack_from('>I4s', data, place)
        content = data[place + 8:place + 8 + length]
        if kind == b'IHDR':
            width, height, depth, color = struct.unpack_from('>IIBB', content)
            assert depth == 8 and color in (2, 6), f'depth {depth}, color {color}'
            size = 3 if color == 2 else 4
        elif kind == b'IDAT':
            packed += content
        place += 12 + length
    raw = zlib.decompress(packed)
    rows, above = [], bytearray(width * size)
    for y in range(height):
        start = y * (width * size + 1)
        above = unfilter(raw[start], bytearray(raw[start + 1:start + 1 + width * size]), above, size)
        rows.append([tuple(above[x:x + 3]) for x in range(0, width * size, size)])
    return rows

# SPDX-License-Identifier: Zlib
"""Reads PNGs of 8 bits a channel, with Python's standard library alone: to RGBA, rows from the top."""
import struct
import zlib


def chunks(data):
    assert data[:8] == b'\x89PNG\r\n\x1a\n', 'no PNG'
    at = 8
    while at < len(data):
        size, kind = struct.unpack_from('>I4s', data, at)
        yield kind, data[at + 8:at + 8 + size]
        at += size + 12


def paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def unfilter(kind, row, above, step):
    if kind == 1:
        for i in range(step, len(row)):
            row[i] = row[i] + row[i - step] & 255
    elif kind == 2:
        row = bytearray((a + b) & 255 for a, b in zip(row, above))
    elif kind == 3:
        for i in range(len(row)):
            row[i] = row[i] + ((row[i - step] if i >= step else 0) + above[i] >> 1) & 255
    elif kind == 4:
        for i in range(len(row)):
            row[i] = row[i] + (paeth(row[i - step], above[i], above[i - step]) if i >= step else above[i]) & 255
    return row


def read(path):
    """(width, height, RGBA)"""
    with open(path, 'rb') as file:
        parts = list(chunks(file.read()))
    width, height, depth, color, _, _, interlace = struct.unpack('>IIBBBBB', parts[0][1])
    step = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    assert depth == 8 and interlace == 0, path
    raw = zlib.decompress(b''.join(body for kind, body in parts if kind == b'IDAT'))
    palette = next((body for kind, body in parts if kind == b'PLTE'), b'')
    clear = next((body for kind, body in parts if kind == b'tRNS'), b'')
    colors = [palette[3 * i:3 * i + 3] + (clear[i:i + 1] or b'\xff') for i in range(len(palette) // 3)]
    rows, above, at = [], bytearray(width * step), 0
    for _ in range(height):
        above = unfilter(raw[at], bytearray(raw[at + 1:at + 1 + width * step]), above, step)
        at += 1 + width * step
        rows.append(bytes(above))
    pixels = b''.join(rows)
    if color == 6:
        return width, height, pixels
    if color == 3:
        return width, height, b''.join(colors[i] for i in pixels)
    out = bytearray(b'\xff' * (width * height * 4))
    for k in range(3):
        out[k::4] = pixels[min(k, step - 1) if color == 2 else 0::step]
    if color == 4:
        out[3::4] = pixels[1::2]
    return width, height, bytes(out)

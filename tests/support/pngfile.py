#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Reads PNG and APNG (8 bits, RGB or RGBA) with nothing but zlib, so that what teemap writes is judged by other means.

usage: pngfile.py FILE WxH              exit status 1 unless the picture has this size
       pngfile.py FILE X Y RRGGBBAA     ... unless this pixel has this color
       pngfile.py FILE raw [N]          writes the RGBA of the picture, or of the n-th frame as it is shown
"""
import struct
import sys
import zlib


def chunks(data):
    """(name, body) of each chunk; the check sums must be right and the file must end with IEND."""
    assert data[:8] == b'\x89PNG\r\n\x1a\n'
    at, name = 8, b''
    while at < len(data):
        size, name = struct.unpack_from('>I4s', data, at)
        body = data[at + 8:at + 8 + size]
        assert struct.unpack_from('>I', data, at + 8 + size)[0] == zlib.crc32(name + body), name
        yield name, body
        at += size + 12
    assert name == b'IEND' and at == len(data)


def paeth(left, above, corner):
    guess = left + above - corner
    far = abs(guess - left), abs(guess - above), abs(guess - corner)
    return left if far[0] <= far[1] and far[0] <= far[2] else above if far[1] <= far[2] else corner


def unfilter(kind, row, above, pixel):
    row = bytearray(row)
    if kind == 1:
        for i in range(pixel, len(row)):
            row[i] = row[i] + row[i - pixel] & 255
    elif kind == 2:
        row = bytearray((a + b) & 255 for a, b in zip(row, above))
    elif kind == 3:
        for i in range(len(row)):
            row[i] = row[i] + ((row[i - pixel] if i >= pixel else 0) + above[i]) // 2 & 255
    elif kind == 4:
        for i in range(len(row)):
            guess = paeth(row[i - pixel], above[i], above[i - pixel]) if i >= pixel else above[i]
            row[i] = row[i] + guess & 255
    return row


def unpack(packed, width, height, pixel):
    """RGBA of a stream."""
    rows, size = zlib.decompress(packed), width * pixel
    assert len(rows) == height * (size + 1)
    above, out = bytearray(size), bytearray()
    for y in range(height):
        at = y * (size + 1)
        above = unfilter(rows[at], rows[at + 1:at + 1 + size], above, pixel)
        out += above
    if pixel == 3:
        rgba = bytearray(b'\xff' * (width * height * 4))
        rgba[0::4], rgba[1::4], rgba[2::4] = out[0::3], out[1::3], out[2::3]
        out = rgba
    return bytes(out)


def read_size(path):
    with open(path, 'rb') as file:
        return struct.unpack_from('>II', file.read(24), 16)


def read(path):
    """Width, height, RGBA."""
    with open(path, 'rb') as file:
        parts = list(chunks(file.read()))
    width, height, bits, color, *rest = struct.unpack('>IIBBBBB', parts[0][1])
    assert parts[0][0] == b'IHDR' and bits == 8 and color in (2, 6) and rest == [0, 0, 0]
    packed = b''.join(body for name, body in parts if name == b'IDAT')
    return width, height, unpack(packed, width, height, 4 if color == 6 else 3)


def frames(path):
    """Of an APNG: width, height, how often it is repeated (0: for ever), and (seconds, RGBA) of each frame as it is shown."""
    with open(path, 'rb') as file:
        parts = list(chunks(file.read()))
    width, height, _bits, color = struct.unpack_from('>IIBB', parts[0][1])
    pixel, number, shown, heads = 4 if color == 6 else 3, 0, bytearray(width * height * 4), []
    num_frames, repeats = struct.unpack('>II', next(body for name, body in parts if name == b'acTL'))
    for name, body in parts:
        if name in (b'fcTL', b'fdAT'):
            assert struct.unpack_from('>I', body)[0] == number
            number += 1
        if name == b'fcTL':
            heads.append([struct.unpack('>IIIIHHBB', body[4:]), b''])
        elif name == b'fdAT':
            heads[-1][1] += body[4:]
        elif name == b'IDAT' and heads:
            heads[-1][1] += body
    assert len(heads) == num_frames
    result = []
    for (w, h, left, top, delay, unit, dispose, blend), packed in heads:
        assert dispose == 0 and blend == 0 and left + w <= width and top + h <= height
        part = unpack(packed, w, h, pixel)
        for y in range(h):
            at = ((top + y) * width + left) * 4
            shown[at:at + w * 4] = part[y * w * 4:(y + 1) * w * 4]
        result.append((delay / (unit or 100), bytes(shown)))
    return width, height, repeats, result


def main(path, *words):
    if len(words) == 1 and words[0] != 'raw':
        size = '%dx%d' % read_size(path)
        if size != words[0]:
            sys.exit(size)
    elif words[0] == 'raw':
        sys.stdout.buffer.write(read(path)[2] if len(words) == 1 else frames(path)[3][int(words[1])][1])
    else:
        width, _height, rgba = read(path)
        at = (int(words[1]) * width + int(words[0])) * 4
        if rgba[at:at + 4].hex() != words[2]:
            sys.exit(rgba[at:at + 4].hex())


if __name__ == '__main__':
    main(*sys.argv[1:])

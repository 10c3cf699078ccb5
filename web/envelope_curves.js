// SPDX-License-Identifier: Zlib
// How envelopes go from point to point, as the games run them.

const BEND = {
    step: () => 0,
    linear: (part) => part,
    slow: (part) => part ** 3,
    fast: (part) => 1 - (1 - part) ** 3,
    smooth: (part) => part * part * (3 - 2 * part),
};
const HALVINGS = 24; // of the part of a Bezier curve in which a time is looked for

const bezier = ([a, b, c, d], part) => {
    const rest = 1 - part;
    return a * rest ** 3 + 3 * b * rest * rest * part + 3 * c * rest * part * part + d * part ** 3;
};
const clamp = (value, least, most) => Math.max(least, Math.min(most, value));

/** The four points of the Bezier curve of a channel: [times, values]. */
export function handlesOf(from, to, channel) {
    const times = [
        from.time,
        clamp(from.time + from.outDx[channel], from.time, to.time),
        clamp(to.time + to.inDx[channel], from.time, to.time),
        to.time,
    ];
    const values = [
        from.values[channel],
        from.values[channel] + from.outDy[channel],
        to.values[channel] + to.inDy[channel],
        to.values[channel],
    ];
    return [times, values];
}

/** The value of a channel at a time, in ms from the first point. */
export function valueAt(points, channel, time) {
    const next = points.findIndex((point) => point.time > time);
    if (next <= 0) return (next ? points.at(-1) : points[0])?.values[channel] ?? 0;
    const [from, to] = [points[next - 1], points[next]];
    if (from.curve === "bezier") {
        const [times, values] = handlesOf(from, to, channel);
        let [low, high] = [0, 1];
        for (let i = 0; i < HALVINGS; i++) {
            const middle = (low + high) / 2;
            if (bezier(times, middle) < time) low = middle;
            else high = middle;
        }
        return bezier(values, low);
    }
    const part = (time - from.time) / (to.time - from.time);
    const [before, after] = [from.values[channel], to.values[channel]];
    return before + (after - before) * (BEND[from.curve] ?? BEND.linear)(part);
}

// SPDX-License-Identifier: Zlib
// In the worker: the images and sounds of the map, with pictures of them and their files.
import { Map, writePng } from "./teemap.js";
import { opened } from "./worker_map.js";

const SIDE = 256; // px of a quad that shows an image

/** How many layers show each image, or play each sound, by address. */
function uses() {
    const numbers = {};
    for (const layer of opened().layers) {
        const address = (layer.image ?? layer.sound)?.address;
        if (address) numbers[address] = (numbers[address] ?? 0) + 1;
    }
    return numbers;
}

/** A picture of an image, as maps show it, of size x size pixels; the image is stretched. */
export function pictureOf(address, size) {
    const map = opened().copy();
    try {
        const group = map.groups.length;
        map.edit.run(
            [
                "add group",
                `add layer ${group} quads`,
                `add quad ${group}/0 0,0 ${SIDE}x${SIDE}`,
                `set ${group}/0.image=${address}`,
            ].join("\n"),
        );
        const renderer = map.renderer({ layers: `${group}/0` });
        try {
            return renderer.picture(size, size, { region: [0, 0, SIDE / 32, SIDE / 32] });
        } finally {
            renderer.free();
        }
    } finally {
        map.free();
    }
}

export const imageWork = {
    /** All images and sounds: { address, name, external, used, words }. */
    media() {
        const used = uses();
        const row = ({ address, name, external }, words) => ({
            address,
            name,
            external,
            used: used[address] ?? 0,
            words,
        });
        return {
            images: opened().images.map((image) => row(image, `${image.width}x${image.height}`)),
            sounds: opened().sounds.map((sound) => row(sound, sound.data ? `${sound.data.length} bytes` : "")),
        };
    },
    imagePicture: ({ address, size }) => pictureOf(address, size),
    /** The groups of another map. */
    async groupsOf(bytes) {
        const map = await Map.load(bytes);
        try {
            return map.groups.map(({ name, parallaxX, parallaxY, layers }) => ({
                name,
                layers: layers.length,
                parallax: [parallaxX, parallaxY],
                physics: layers.some(({ kind }) => kind === "game"),
            }));
        } finally {
            map.free();
        }
    },
    /** The file of an embedded image or sound; null: it is external. */
    file(address) {
        const object = opened().at(address);
        if (address.startsWith("sound/")) return object.data?.slice() ?? null;
        const pixels = object.rgba();
        return pixels && writePng(pixels);
    },
};

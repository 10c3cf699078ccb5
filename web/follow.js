// SPDX-License-Identifier: Zlib
// Where layers are after a step: what the page knows of a layer by its address (locked, hidden, chosen) goes with it.

const alike = ({ kind, name, size }) => [kind, name, size].join();
const flat = (groups) => groups.flatMap(({ layers }) => layers);
const parse = (address) => address.split("/").map(Number);

const made = (number) => ({ address: null, layers: Array(number).fill(null) });

/** Does to lists of addresses what the operations did to groups and layers; what is new is null. */
function replay(groups, changes) {
    const lists = groups.map(({ layers }, i) => ({ address: String(i), layers: layers.map(({ address }) => address) }));
    const listAt = (place) => (place.length === 1 ? lists : (lists[place[0]]?.layers ?? []));
    const take = (place) => listAt(place).splice(place.at(-1), 1)[0] ?? null;
    const put = (place, one) => listAt(place).splice(place.at(-1), 0, one);
    for (const { operation, address, text } of changes) {
        if (!/^\d+(\/\d+)?$/.test(address)) continue;
        const place = parse(address);
        const [, to] = /^(?:moved|copied) to (\d+(?:\/\d+)?)$/.exec(text) ?? [];
        const [, number] = /^added from .*, layers: (\d+)$/s.exec(text) ?? [];
        if (operation === "remove" && text === "removed") take(place);
        else if (operation === "move" && to) put(parse(to), take(place));
        else if (operation === "duplicate" && to)
            put(parse(to), place.length === 1 ? made(lists[place[0]]?.layers.length ?? 0) : null);
        else if (operation === "add layer") put(place, null);
        else if (operation === "add group") put(place, made(0));
        else if (operation === "append" && number) put(place, made(Number(number)));
    }
    return lists.filter(Boolean);
}

/**
 * Where groups and layers are after a step: pairs of addresses, before and after, of those that are still there;
 * null: all are where they were. Operations of which the report does not say it exactly are followed by kind, name
 * and size.
 */
export function movedLayers(before, after, changes) {
    const lists = replay(before, changes);
    const fits =
        lists.length === after.length && after.every(({ layers }, group) => lists[group].layers.length === layers.length);
    const pairs = fits
        ? after.flatMap(({ layers }, group) => [
              [lists[group].address, String(group)],
              ...layers.map(({ address }, i) => [lists[group].layers[i], address]),
          ])
        : byLooks(flat(before), flat(after));
    const kept = pairs.filter(([address]) => address !== null);
    const same = kept.every(([from, to]) => from === to) && kept.length === before.length + flat(before).length;
    return same ? null : kept;
}

function byLooks(before, after) {
    const free = [...after];
    return before.flatMap((layer) => {
        const at = free.findIndex((one) => alike(one) === alike(layer));
        return at < 0 ? [] : [[layer.address, free.splice(at, 1)[0].address]];
    });
}

/** What leads from addresses before to those after several steps, some of which are undone: address => address or null. */
export function follower(moves) {
    const tables = moves
        .filter(({ moved }) => moved)
        .map(({ moved, undone }) => new Map(undone ? moved.map(([from, to]) => [to, from]) : moved));
    return (address) => tables.reduce((at, table) => (at === null ? null : (table.get(at) ?? null)), address);
}

/* SPDX-License-Identifier: Zlib */
/* map_page.js - links from a map's page to the next and the previous map, by name. The page works without. */
'use strict';
(() => {
    if (typeof teemapGallery === 'undefined') return;
    const collator = new Intl.Collator(undefined, {numeric: true, sensitivity: 'base'});
    const maps = teemapGallery.maps.sort((a, b) => collator.compare(a.name, b.name) || collator.compare(a.folder, b.folder));
    const at = maps.findIndex(map => map.id === document.body.dataset.id);
    const link = (id, map, text) => {
        const to = document.getElementById(id);
        if (!map) return;
        const name = document.createElement('bdi');
        name.textContent = map.name;
        to.href = map.id + '.html';
        to.append(text, name);
        to.hidden = false;
    };
    if (at < 0) return;
    link('previous', maps[at - 1], 'Previous: ');
    link('next', maps[at + 1], 'Next: ');
    addEventListener('keydown', event => {
        const to = {ArrowLeft: 'previous', ArrowRight: 'next'}[event.key], other = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
        if (to && !other && document.getElementById(to).href) location.href = document.getElementById(to).href;
    });
})();

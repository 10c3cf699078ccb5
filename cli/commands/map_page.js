/* SPDX-License-Identifier: Zlib */
/* map_page.js - links from a map's page to the next and the previous map, by name, and to the viewer, which fetches the map. The page works without. */
'use strict';
(() => {
    const viewer = document.getElementById('viewer'), id = document.body.dataset.id;
    if (viewer && location.protocol !== 'file:') {
        viewer.href = new URL(viewer.getAttribute('href'), new URL('../', location.href)).href + '#map=' + encodeURIComponent(new URL(id + '.map', location.href).href);
        viewer.parentElement.hidden = false;
    }
    if (typeof teemapGallery === 'undefined') return;
    const collator = new Intl.Collator(undefined, {numeric: true, sensitivity: 'base'});
    const maps = teemapGallery.maps.sort((a, b) => collator.compare(a.name, b.name) || collator.compare(a.folder, b.folder));
    const at = maps.findIndex(map => map.id === id);
    const link = (which, map, text) => {
        const to = document.getElementById(which);
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
        const to = {ArrowLeft: 'previous', ArrowRight: 'next'}[event.key], other = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented;
        if (to && !other && document.getElementById(to).href) location.href = document.getElementById(to).href;
    });
})();
